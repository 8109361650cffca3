package import TideViews

/// Turns the difference between two frames into the bytes that make a terminal show the second.
///
/// ```swift
/// var encoder = FrameEncoder(capabilities: .full)
/// let bytes = encoder.encode(frame)        // everything
/// frame.write("!", at: .zero)
/// let change = encoder.encode(frame)       // one cell
/// ```
///
/// It remembers what the terminal shows, where its cursor stands and which style is set. Only
/// changed cells are written, each run of them after the shortest way to get there. Frames of one
/// size share a table of glyphs.
package struct FrameEncoder {
  package let capabilities: TerminalCapabilities
  /// What the terminal shows; nil while that is not known.
  private var screen: Frame?
  /// Where the caret stands while the frame has none; nil hides it.
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

  /// Forgets what the terminal shows: it was resized, or another program wrote to it.
  package mutating func forget() {
    screen = nil
    shownCaret = .unknown
    pen.forget()
    cursor.forget()
  }

  /// The bytes that make the terminal show the frame; empty when it shows it already.
  ///
  /// `areas` bound where the frame may differ from the one before; nil looks everywhere.
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

  /// Puts around what was drawn what keeps a half-drawn frame and a jumping caret from being seen.
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
  /// Draws what differs and brings `old` up to date; gives the number of runs written.
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

  /// For each row the columns from the first to the last area that touches it.
  private func columns(of areas: [Rect], on frame: Frame) -> [Range<Int>] {
    var spans = [Range<Int>](repeating: 0..<0, count: frame.height)
    for area in areas where area.width > 0 && area.maxX > 0 && area.x < frame.width {
      // One more to the left: a wide character may begin there.
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

  /// Gives the number of runs written, at least 1 when anything differed.
  private mutating func drawRow(_ y: Int, _ span: Range<Int>, _ row: Row) -> Int {
    guard let first = span.first(where: row.isChanged) else { return 0 }
    var runs = 0
    var x = first
    var blankStart: Int?
    // Up to here a terminal that takes some character for wider may have overwritten cells.
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

  /// Moves the cursor to a cell; few unchanged plain cells between are cheaper written again.
  ///
  /// Gives 1 for a jump, 0 for none.
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

  /// Whether at least four cells to the end of the row have to become blank.
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
    // Terminals differ in the colours they erase to, but for these.
    pen.set(.plain, &bytes)
    bytes += Sequences.eraseToEndOfLine
  }

  /// Writes one character, and gives how many cells the terminal may have used for it.
  @discardableResult
  private mutating func write(_ cell: Cell, of frame: Frame) -> Int {
    pen.set(cell.style, &bytes)
    let width = Int(cell.width)
    let character = frame.character(of: cell)
    let first = character.unicodeScalars.first ?? " "
    if character.utf8.count == 1 || first.value < 0x20 || 0x7f...0x9f ~= first.value {
      // What a view shows must never command the terminal.
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

  /// Clears the cells first, since the terminal may take fewer, and trusts no position after.
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
