import TideGraph

/// Where the rows of a text's lines begin when they are this wide, found only as far as somebody
/// asks.
///
/// ```swift
/// var rows = TextRows(width: 10)
/// rows.range(RowIndex(line: 0, row: 1), in: buffer)   // the second row of the first line
/// ```
///
/// A line breaks behind spaces, or within a word that is wider than the row; spaces hang over the
/// edge. Without wrapping a line is one row, and `marks` are offsets within it of which the column
/// is known, so that what shows of a very long line is found without going through all of it.
struct TextRows {
  /// A row of a line.
  struct RowIndex: Equatable {
    var line: Int
    var row: Int
  }

  /// An offset of a line and its column: the beginning of a row, or a mark within a long one.
  struct Mark: Equatable {
    var offset: Int
    var column: Int
  }

  private struct Line {
    /// Offsets from the beginning of the line; the first is 0.
    var marks = [Mark(offset: 0, column: 0)]
    var isComplete = false
  }

  /// The columns of a row; nil for rows that are as long as their lines.
  let width: Int?
  /// Secret text has neither words nor wide characters.
  let isSecret: Bool
  private var lines: [Int: Line] = [:]

  static let tabStop = 8
  /// How far apart marks are within a row.
  private static let stride = 256
  /// What is known of more lines is forgotten.
  private static let most = 4096

  init(width: Int?, isSecret: Bool = false) {
    self.width = width.map { max(1, $0) }
    self.isSecret = isSecret
  }

  /// The bytes that the marks of all lines take.
  var heldBytes: Int {
    lines.values.reduce(0) { $0 + $1.marks.capacity * MemoryLayout<Mark>.stride + Self.lineBytes }
  }

  private static let lineBytes = 64

  // MARK: Following edits

  /// Forgets what an edit has made wrong.
  mutating func follow(_ change: TextBuffer.Change, in buffer: TextBuffer) {
    guard change.isWithinLine else {
      lines = lines.filter { $0.key < change.firstLine }
      return
    }
    guard var line = lines[change.firstLine] else { return }
    let offset = change.firstOffset - buffer.lineStarts[change.firstLine]
    // The row before may now have room for the beginning of the one that was changed; and where
    // this begins with a wide character that was one cell too much for the row before, the one
    // before that.
    let row = max(0, Self.row(of: offset, in: line.marks) - 2)
    line.marks.removeSubrange((row + 1)...)
    line.isComplete = false
    lines[change.firstLine] = line
  }

  // MARK: Asking

  /// The row that shows what is behind an offset.
  mutating func row(at offset: Int, in buffer: TextBuffer) -> RowIndex {
    let line = buffer.line(at: offset)
    if width == nil { return RowIndex(line: line, row: 0) }
    let inLine = offset - buffer.lineStarts[line]
    let known = known(line, in: buffer, upTo: .offset(inLine))
    return RowIndex(line: line, row: Self.row(of: inLine, in: known.marks))
  }

  /// The bytes of a row, without the line end.
  mutating func range(_ row: RowIndex, in buffer: TextBuffer) -> Range<Int> {
    let range = buffer.range(ofLine: row.line)
    if width == nil { return range }
    let marks = known(row.line, in: buffer, upTo: .rows(row.row + 2)).marks
    let start = marks[min(row.row, marks.count - 1)].offset
    let end = row.row + 1 < marks.count ? marks[row.row + 1].offset : range.count
    return range.lowerBound + start..<range.lowerBound + end
  }

  mutating func rowCount(ofLine line: Int, in buffer: TextBuffer) -> Int {
    width == nil ? 1 : known(line, in: buffer, upTo: .end).marks.count
  }

  /// The row some rows above or below, or the outermost one in that direction.
  mutating func row(_ row: RowIndex, movedBy rows: Int, in buffer: TextBuffer) -> RowIndex {
    var row = row
    var left = rows
    while left < 0 {
      if row.row >= -left {
        row.row += left
        return row
      }
      if row.line == 0 { return RowIndex(line: 0, row: 0) }
      left += row.row + 1
      row.line -= 1
      row.row = rowCount(ofLine: row.line, in: buffer) - 1
    }
    while left > 0 {
      let wanted = row.row + left
      let count =
        width == nil ? 1 : known(row.line, in: buffer, upTo: .rows(wanted + 1)).marks.count
      if count > wanted {
        row.row = wanted
        return row
      }
      if row.line + 1 >= buffer.lineCount {
        row.row = count - 1
        return row
      }
      left -= count - row.row
      row = RowIndex(line: row.line + 1, row: 0)
    }
    return row
  }

  /// An offset of the row before a column, of which the column is known.
  mutating func mark(of row: RowIndex, column: Int, in buffer: TextBuffer) -> Mark {
    if width != nil { return Mark(offset: range(row, in: buffer).lowerBound, column: 0) }
    let marks = known(row.line, in: buffer, upTo: .column(column)).marks
    return Self.last(of: marks, from: buffer.lineStarts[row.line]) { $0.column <= column }
  }

  /// The same before an offset.
  mutating func mark(of row: RowIndex, offset: Int, in buffer: TextBuffer) -> Mark {
    if width != nil { return Mark(offset: range(row, in: buffer).lowerBound, column: 0) }
    let start = buffer.lineStarts[row.line]
    let marks = known(row.line, in: buffer, upTo: .offset(offset - start)).marks
    return Self.last(of: marks, from: start) { $0.offset <= offset - start }
  }

  private static func row(of offset: Int, in marks: [Mark]) -> Int {
    index(in: marks) { $0.offset <= offset }
  }

  private static func last(
    of marks: [Mark], from start: Int, where isBefore: (Mark) -> Bool
  ) -> Mark {
    let mark = marks[index(in: marks, where: isBefore)]
    return Mark(offset: start + mark.offset, column: mark.column)
  }

  /// The last mark for which something holds that holds for all before it; else the first.
  private static func index(in marks: [Mark], where isBefore: (Mark) -> Bool) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(marks[middle]) { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  // MARK: Finding rows

  /// How much of a line has to be known.
  private enum Extent {
    /// A mark behind an offset of the line, or behind a column.
    case offset(Int), column(Int)
    /// So many rows, if there are.
    case rows(Int)
    case end

    func isSatisfied(by marks: [Mark]) -> Bool {
      guard let last = marks.last else { return false }
      return switch self {
      case .offset(let offset): last.offset > offset
      case .column(let column): last.column > column
      case .rows(let count): marks.count >= count
      case .end: false
      }
    }
  }

  private mutating func known(
    _ number: Int, in buffer: TextBuffer, upTo extent: Extent
  ) -> Line {
    // Taken out, so that it grows in place.
    var line = lines.removeValue(forKey: number) ?? Line()
    let range = buffer.range(ofLine: number)
    var budget = TextBudget()
    // If the turn has no time or memory left, the next call finds the rest of the line.
    while !line.isComplete, !extent.isSatisfied(by: line.marks), let last = line.marks.last,
      (try? budget.grow(to: line.marks.count * MemoryLayout<Mark>.stride)) != nil
    {
      if let next = nextMark(after: last, of: range, in: buffer) {
        line.marks.append(next)
      } else {
        line.isComplete = true
      }
    }
    if lines.count >= Self.most { lines.removeAll() }
    lines[number] = line
    return line
  }

  private func nextMark(after mark: Mark, of line: Range<Int>, in buffer: TextBuffer) -> Mark? {
    var offset = line.lowerBound + mark.offset
    var column = mark.column
    let first = offset
    var afterSpace: Int?
    while offset < line.upperBound {
      let (next, own, isSpace) = step(offset, column, buffer)
      if let width {
        if isSpace {
          afterSpace = next
        } else if column + own > width && offset > first {
          return Mark(offset: (afterSpace ?? offset) - line.lowerBound, column: 0)
        }
      } else if column >= mark.column + Self.stride {
        return Mark(offset: offset - line.lowerBound, column: column)
      }
      column += own
      offset = next
    }
    return nil
  }

  /// What comes behind a character, how many columns it takes, and whether a row may end behind it.
  func step(
    _ offset: Int, _ column: Int, _ buffer: TextBuffer
  ) -> (next: Int, width: Int, isSpace: Bool) {
    if !isSecret, let byte = buffer.plainCharacter(at: offset) {
      if byte == 9 { return (offset + 1, Self.tabStop - column % Self.tabStop, true) }
      return (offset + 1, 1, byte == 0x20)
    }
    let next = buffer.next(offset)
    if isSecret { return (next, 1, false) }
    return (next, CharacterWidth.of(buffer.character(at: offset)), false)
  }
}

extension TextBuffer {
  /// The ASCII character at an offset, when it is surely one by itself: no mark follows.
  func plainCharacter(at offset: Int) -> UInt8? {
    let index = index(offset)
    let byte = text.utf8[index]
    if byte >= 0x80 { return nil }
    if offset + 1 < count, text.utf8[text.utf8.index(after: index)] >= 0x80 { return nil }
    // CR LF never gets here: lines are without their ends.
    return byte
  }
}
