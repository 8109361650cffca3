/// A grid with two by four dots in each cell, drawn as Braille characters. Without Unicode, each
/// cell is a single dot, drawn as a mark.
///
/// A cell has the colour of the last series that set one of its dots.
struct DotGrid {
  private let area: Rect
  /// The visible part, which is all that is stored: a chart in a scroll view may be a million cells
  /// wide.
  private let shown: Rect
  let isBraille: Bool
  private var cells: [UInt8]
  private var owners: [UInt8]

  init(_ area: Rect, shown: Rect, isBraille: Bool) {
    self.area = area
    self.shown = shown
    self.isBraille = isBraille
    cells = Array(repeating: 0, count: shown.width * shown.height)
    owners = cells
  }

  /// Sizes in dots.
  var width: Int { area.width * dotsAcross }
  var height: Int { area.height * dotsDown }
  private var dotsAcross: Int { isBraille ? 2 : 1 }
  private var dotsDown: Int { isBraille ? 4 : 1 }

  /// Sets the dot at a column and a row of dots, from the top left; outside the visible part it has
  /// no effect.
  mutating func set(_ x: Int, _ y: Int, of series: Int) {
    guard x >= 0, y >= 0 else { return }
    let (column, row) = (x / dotsAcross + area.x - shown.x, y / dotsDown + area.y - shown.y)
    guard column >= 0, row >= 0, column < shown.width, row < shown.height else { return }
    let cell = row * shown.width + column
    cells[cell] |= isBraille ? Self.bits[y % 4 * 2 + x % 2] : 1
    owners[cell] = UInt8(truncatingIfNeeded: series)
  }

  /// The bit of each dot in a Braille character, row by row.
  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// Sets the dots of a straight line, both ends included (Bresenham's algorithm).
  mutating func line(from start: Point, to end: Point, of series: Int) {
    guard let (start, end) = clipped(start, end) else { return }
    let stepX = start.x < end.x ? 1 : -1
    let stepY = start.y < end.y ? 1 : -1
    let across = abs(end.x - start.x)
    let down = -abs(end.y - start.y)
    var error = across + down
    var point = start
    while true {
      set(point.x, point.y, of: series)
      if point == end { return }
      let doubled = error * 2
      if doubled >= down {
        error += down
        point.x += stepX
      }
      if doubled <= across {
        error += across
        point.y += stepY
      }
    }
  }

  /// The visible part of a line, up to one dot longer; nil if no part is visible. A line that is
  /// entirely visible is returned unchanged (Liang-Barsky algorithm).
  private func clipped(_ start: Point, _ end: Point) -> (Point, Point)? {
    if shown.isEmpty { return nil }
    let left = (shown.x - area.x) * dotsAcross, right = left + shown.width * dotsAcross - 1
    let top = (shown.y - area.y) * dotsDown, bottom = top + shown.height * dotsDown - 1
    var (from, to) = (0.0, 1.0)
    let (dx, dy) = (Double(end.x - start.x), Double(end.y - start.y))
    for (way, room) in [
      (-dx, start.x - left), (dx, right - start.x), (-dy, start.y - top), (dy, bottom - start.y),
    ] {
      if way == 0 {
        if room < 0 { return nil }
      } else if way < 0 {
        from = max(from, Double(room) / way)
      } else {
        to = min(to, Double(room) / way)
      }
    }
    if from > to { return nil }
    func point(_ share: Double) -> Point {
      Point(
        x: start.x + Int((dx * share).rounded()), y: start.y + Int((dy * share).rounded()))
    }
    return (from == 0 ? start : point(from), to == 1 ? end : point(to))
  }

  func draw(on canvas: Canvas, look: (Int) -> (mark: Character, style: CellStyle)) {
    for (index, cell) in cells.enumerated() where cell != 0 {
      let (mark, style) = look(Int(owners[index]))
      let braille = Unicode.Scalar(0x2800 + UInt32(cell))
      canvas.put(
        isBraille ? braille.map(Character.init) ?? mark : mark,
        x: shown.x + index % shown.width, y: shown.y + index / shown.width, style: style)
    }
  }
}
