package import TideViews

/// Encodes the difference between two frames as bytes that update a terminal.
///
/// ```swift
/// var encoder = FrameEncoder(capabilities: .full)
/// let bytes = encoder.encode(frame)        // everything
/// frame.write("!", at: .zero)
/// let change = encoder.encode(frame)       // one cell
/// ```
///
/// It tracks the content of the terminal, the cursor position and the current style. Only changed
/// cells are written, and the cursor moves to each run of them by the shortest sequence.
/// Consecutive frames of the same size should share a table of glyphs.
package struct FrameEncoder {
  package let capabilities: TerminalCapabilities
  /// The content of the terminal; nil while it is unknown.
  private var screen: Frame?
  /// The position of the caret while the frame has none; nil hides the caret.
  var caretElsewhere: Point?
  private var shownCaret = ShownCaret.unknown
  private var pen: Pen
  private var cursor = Cursor()
  private var bytes: [UInt8] = []

  private enum ShownCaret { case unknown, hidden, shown }

  package init(capabilities: TerminalCapabilities) {
    self.capabilities = capabilities
    pen = Pen(capabilities: capabilities)
  }

  /// Resets the known content of the terminal, after a resize or output by another program.
  package mutating func forget() {
    screen = nil
    shownCaret = .unknown
    pen.forget()
    cursor.forget()
  }

  /// The bytes that update the terminal to a frame; empty if it is up to date.
  ///
  /// The frame may differ from the last one only in `areas`; nil compares everything.
  package mutating func encode(_ frame: Frame, areas: [Rect]? = nil) -> [UInt8] {
    bytes.removeAll(keepingCapacity: true)
    let known = screen.flatMap { $0.size == frame.size && $0.glyphs === frame.glyphs ? $0 : nil }
    let old = known ?? blankScreen(like: frame)
    let caret = visibleCaret(of: frame)
    let drawn = drawRows(of: frame, over: old, areas: known == nil ? nil : areas)
    if let caret { cursor.move(to: caret, &bytes) }
    return framed(caret: caret, changedRuns: drawn)
  }

  private mutating func blankScreen(like frame: Frame) -> Frame {
    let blank = Frame(size: frame.size, glyphs: frame.glyphs)
    screen = blank
    pen.reset(&bytes)
    bytes += Sequences.clear
    cursor.forget()
    return blank
  }

  private func visibleCaret(of frame: Frame) -> Point? {
    (frame.caret ?? caretElsewhere).flatMap { Rect(frame.size).contains($0) ? $0 : nil }
  }

  /// Adds sequences that prevent a partly drawn frame and a moving caret from being visible.
  private mutating func framed(caret: Point?, changedRuns: Int) -> [UInt8] {
    let canHide = capabilities.hasAttributes
    let hides = canHide && shownCaret != .hidden && (caret == nil || changedRuns > 0)
    let shows = canHide && caret != nil && (hides || shownCaret != .shown)
    shownCaret = caret == nil ? .hidden : .shown
    if bytes.isEmpty && !hides && !shows { return [] }
    let isSynchronized = capabilities.hasAttributes && changedRuns > 1
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 32)
    if isSynchronized { result += Sequences.beginUpdate }
    if hides { result += Sequences.hideCaret }
    result += bytes
    if shows { result += Sequences.showCaret }
    if isSynchronized { result += Sequences.endUpdate }
    return result
  }
}

extension FrameEncoder {
  /// Draws the differences and updates `old`; returns the number of runs written.
  private mutating func drawRows(of frame: Frame, over old: Frame, areas: [Rect]?) -> Int {
    let spans = areas.map { columns(of: $0, on: frame) }
    var runs = 0
    for y in 0..<frame.height {
      let span = spans?[y] ?? 0..<frame.width
      if span.isEmpty { continue }
      let drawn = frame.withRow(y) { new in
        old.withRow(y) { shown in
          drawRow(y, span, Row(frame: frame, new: new, shown: shown))
        }
      }
      if drawn == 0 { continue }
      runs += drawn
      old.copy(Rect(x: span.lowerBound, y: y, width: span.count, height: 1), from: frame)
    }
    return runs
  }

  /// For each row, the columns from the first to the last area that intersects it.
  private func columns(of areas: [Rect], on frame: Frame) -> [Range<Int>] {
    var spans = [Range<Int>](repeating: 0..<0, count: frame.height)
    for area in areas where area.width > 0 && area.maxX > 0 && area.x < frame.width {
      // Includes the column to the left, where a wide character may begin.
      let low = max(0, area.x - 1), high = min(frame.width, area.maxX)
      for y in max(0, area.y)..<max(0, area.y, min(frame.height, area.maxY)) {
        spans[y] =
          spans[y].isEmpty
          ? low..<high : min(low, spans[y].lowerBound)..<max(high, spans[y].upperBound)
      }
    }
    return spans
  }

  private struct Row {
    let frame: Frame
    let new: UnsafeBufferPointer<Cell>
    let shown: UnsafeBufferPointer<Cell>

    func isChanged(_ x: Int) -> Bool { new[x] != shown[x] }
  }

  /// Returns the number of runs written, at least 1 if anything differs.
  private mutating func drawRow(_ y: Int, _ span: Range<Int>, _ row: Row) -> Int {
    guard let first = span.first(where: row.isChanged) else { return 0 }
    var runs = 0
    var x = first
    var blankStart: Int?
    // Before this column, a terminal that draws some character wider may have overwritten cells.
    var uncertainEnd = 0
    while x < max(span.upperBound, min(uncertainEnd, row.new.count)) {
      let cell = row.new[x]
      if cell.isRightHalf || !(x < uncertainEnd || row.isChanged(x)) {
        x += 1
        continue
      }
      let blanks = blankStart ?? startOfTrailingBlanks(row)
      blankStart = blanks
      if x >= blanks, worthErasing(from: x, row) {
        let isThere = cursor.y == y && (cursor.x.map { $0 >= blanks && $0 <= x } ?? false)
        if !isThere { runs += approach(x, y, row) }
        erase()
        return max(1, runs)
      }
      if cursor.x != x || cursor.y != y { runs += approach(x, y, row) }
      uncertainEnd = max(uncertainEnd, x + write(cell, of: row.frame))
      x += max(1, Int(cell.width))
    }
    return max(1, runs)
  }

  /// Moves the cursor to a cell. A few unchanged plain cells in between are written again, which is
  /// shorter.
  ///
  /// Returns 1 for a jump and 0 otherwise.
  private mutating func approach(_ x: Int, _ y: Int, _ row: Row) -> Int {
    if cursor.y == y, let from = cursor.x, from < x, x - from <= 3,
      (from..<x).allSatisfy({ pen.isSet(to: row.new[$0].style) && isASCII(row.new[$0], row) })
    {
      for column in from..<x { write(row.new[column], of: row.frame) }
      return 0
    }
    cursor.move(to: Point(x: x, y: y), &bytes)
    return 1
  }

  private func isASCII(_ cell: Cell, _ row: Row) -> Bool {
    cell.width == 1 && row.frame.character(of: cell).isASCII
  }

  private func startOfTrailingBlanks(_ row: Row) -> Int {
    var start = row.new.count
    while start > 0 && row.new[start - 1] == .blank { start -= 1 }
    return start
  }

  /// Whether at least four cells up to the end of the row must become blank.
  private func worthErasing(from start: Int, _ row: Row) -> Bool {
    guard capabilities.hasAttributes else { return false }
    var changed = 0
    for x in start..<row.new.count where row.isChanged(x) {
      changed += 1
      if changed == 4 { return true }
    }
    return false
  }

  private mutating func erase() {
    // Terminals erase to different colours, except for the plain style.
    pen.set(.plain, &bytes)
    bytes += Sequences.eraseToEndOfLine
  }

  /// Writes one character, and returns how many cells the terminal may have used for it.
  @discardableResult
  private mutating func write(_ cell: Cell, of frame: Frame) -> Int {
    pen.set(cell.style, &bytes)
    let width = Int(cell.width)
    let character = frame.character(of: cell)
    let first = character.unicodeScalars.first ?? " "
    if character.utf8.count == 1 || first.value < 0x20 || 0x7f...0x9f ~= first.value {
      // The text of a view must not control the terminal.
      let isPrintable = 0x20...0x7e ~= first.value
      bytes.append(isPrintable ? UInt8(truncatingIfNeeded: first.value) : 0x3f)
    } else if !capabilities.isUnicode {
      for _ in 0..<width { bytes.append(AsciiFallback.byte(for: first)) }
    } else if CharacterWidth.isUncertain(character) {
      return writeUncertain(character, width, in: frame.width)
    } else {
      bytes += character.utf8
    }
    cursor.advance(by: width, in: frame.width)
    return width
  }

  /// Clears the cells first, since the terminal may draw the character narrower, and resets the
  /// known cursor position afterwards.
  private mutating func writeUncertain(
    _ character: Character, _ width: Int, in columns: Int
  ) -> Int {
    guard let x = cursor.x, let y = cursor.y else { return width }
    for _ in 0..<width { bytes.append(0x20) }
    cursor.advance(by: width, in: columns)
    cursor.move(to: Point(x: x, y: y), &bytes)
    bytes += character.utf8
    cursor.forget()
    return character.unicodeScalars.reduce(0) { $0 + CharacterWidth.of($1) }
  }
}
