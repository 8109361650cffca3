import TideGraph

/// The rows of a text's lines wrapped to a width, computed lazily.
///
/// ```swift
/// var rows = TextRows(width: 10)
/// rows.range(RowIndex(line: 0, row: 1), in: buffer)   // the second row of the first line
/// ```
///
/// A line breaks after spaces, or within a word that is wider than the row; spaces may extend
/// beyond the width. Without wrapping, each line is one row, and `marks` are offsets with known
/// columns, so that the visible part of a very long line is found without reading all of it.
struct TextRows {
  /// A row of a line.
  struct RowIndex: Equatable {
    var line: Int
    var row: Int
  }

  /// An offset in a line and its column: the beginning of a row, or a mark within a long row.
  struct Mark: Equatable {
    var offset: Int
    var column: Int
  }

  private struct Line {
    /// Offsets relative to the beginning of the line; the first is 0.
    var marks = [Mark(offset: 0, column: 0)]
    var isComplete = false
  }

  /// The width of a row in columns; nil for rows as long as their lines.
  let width: Int?
  /// Secret text has neither words nor wide characters.
  let isSecret: Bool
  private var lines: [Int: Line] = [:]

  static let tabStop = 8
  /// The distance of the marks within a row, in columns.
  private static let stride = 256
  /// The maximum number of cached lines; the cache is cleared beyond it.
  private static let most = 4096

  init(width: Int?, isSecret: Bool = false) {
    self.width = width.map { max(1, $0) }
    self.isSecret = isSecret
  }

  /// The memory for the marks of all lines, in bytes.
  var heldBytes: Int {
    lines.values.reduce(0) { $0 + $1.marks.capacity * MemoryLayout<Mark>.stride + Self.lineBytes }
  }

  private static let lineBytes = 64

  // MARK: Edits

  /// Discards the cached rows that an edit affects.
  mutating func follow(_ change: TextBuffer.Change, in buffer: TextBuffer) {
    guard change.isWithinLine else {
      lines = lines.filter { $0.key < change.firstLine }
      return
    }
    guard var line = lines[change.firstLine] else { return }
    let offset = change.firstOffset - buffer.lineStarts[change.firstLine]
    // After the edit, the beginning of the changed row may fit on the row before it. If the changed
    // row begins with a wide character that was one cell too wide for the row before, the row
    // before that may change as well.
    let row = max(0, Self.row(of: offset, in: line.marks) - 2)
    line.marks.removeSubrange((row + 1)...)
    line.isComplete = false
    lines[change.firstLine] = line
  }

  // MARK: Queries

  /// The row that contains the character at an offset.
  mutating func row(at offset: Int, in buffer: TextBuffer) -> RowIndex {
    let line = buffer.line(at: offset)
    if width == nil { return RowIndex(line: line, row: 0) }
    let inLine = offset - buffer.lineStarts[line]
    let known = known(line, in: buffer, upTo: .offset(inLine))
    return RowIndex(line: line, row: Self.row(of: inLine, in: known.marks))
  }

  /// The range of a row, without its line end.
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

  /// The row at a distance from another, or the outermost row in that direction.
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

  /// The last known mark of a row at or before a column.
  mutating func mark(of row: RowIndex, column: Int, in buffer: TextBuffer) -> Mark {
    if width != nil { return Mark(offset: range(row, in: buffer).lowerBound, column: 0) }
    let marks = known(row.line, in: buffer, upTo: .column(column)).marks
    return Self.last(of: marks, from: buffer.lineStarts[row.line]) { $0.column <= column }
  }

  /// The last known mark of a row at or before an offset.
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

  /// The index of the last mark for which a monotonic condition holds; 0 if there is none.
  private static func index(in marks: [Mark], where isBefore: (Mark) -> Bool) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(marks[middle]) { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  // MARK: Computing rows

  /// The part of a line that must be computed.
  private enum Extent {
    /// Up to a mark after an offset in the line, or after a column.
    case offset(Int), column(Int)
    /// Up to a number of rows.
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
    // Removed from the cache, so that it is modified in place.
    var line = lines.removeValue(forKey: number) ?? Line()
    let range = buffer.range(ofLine: number)
    var budget = TextBudget()
    // If the turn has no time or memory left, the next call computes the rest of the line.
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

  /// The offset after a character, its width in columns, and whether a row may end after it.
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
  /// The ASCII character at an offset; nil if it may be part of a longer grapheme cluster.
  func plainCharacter(at offset: Int) -> UInt8? {
    let index = index(offset)
    let byte = text.utf8[index]
    if byte >= 0x80 { return nil }
    if offset + 1 < count, text.utf8[text.utf8.index(after: index)] >= 0x80 { return nil }
    // CR LF cannot occur: lines exclude their line ends.
    return byte
  }
}
