/// Dots two to a cell across and four down, drawn as Braille characters; where there are none, a
/// mark in each cell stands for its dots.
///
/// A cell has the colour of the series that set a dot in it last.
struct DotGrid {
  let size: Size
  let isBraille: Bool
  private var cells: [UInt8]
  private var owners: [UInt8]

  init(_ size: Size, isBraille: Bool) {
    self.size = size
    self.isBraille = isBraille
    cells = Array(repeating: 0, count: size.width * size.height)
    owners = cells
  }

  /// In dots.
  var width: Int { isBraille ? size.width * 2 : size.width }
  var height: Int { isBraille ? size.height * 4 : size.height }

  /// Sets the dot at a column and a row of dots, from the top left; outside nothing happens.
  mutating func set(_ x: Int, _ y: Int, of series: Int) {
    guard x >= 0, y >= 0, x < width, y < height else { return }
    let cell = isBraille ? y / 4 * size.width + x / 2 : y * size.width + x
    cells[cell] |= isBraille ? Self.bits[y % 4 * 2 + x % 2] : 1
    owners[cell] = UInt8(truncatingIfNeeded: series)
  }

  /// The bit of each dot in a Braille character, row by row.
  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// Sets the dots of a straight line, both ends included (Bresenham's algorithm).
  mutating func line(from start: Point, to end: Point, of series: Int) {
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

  func draw(at origin: Point, on canvas: Canvas, look: (Int) -> (mark: Character, style: CellStyle))
  {
    for y in 0..<size.height {
      for x in 0..<size.width where cells[y * size.width + x] != 0 {
        let (mark, style) = look(Int(owners[y * size.width + x]))
        let braille = Unicode.Scalar(0x2800 + UInt32(cells[y * size.width + x]))
        canvas.put(
          isBraille ? braille.map(Character.init) ?? mark : mark, x: origin.x + x,
          y: origin.y + y, style: style)
      }
    }
  }
}
