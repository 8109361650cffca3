package import TideSystem

/// A text with positions of the Language Server Protocol: a line, and the number of units before a
/// character in that line.
///
/// ```swift
/// var text = TextPositions(Array("local x = 'ä'\r\nprint(x)".utf8))
/// text.offset(of: TextPosition(line: 1, character: 5))     // 20, a byte
/// text.replace(20..<21, with: Array("[".utf8))
/// ```
///
/// Lines end with LF, CR or CRLF. A position beyond the end of a line means the end of the line;
/// beyond the last line, the end of the text; and within a character, the start of that character.
/// Invalid UTF-8 bytes count as one character each.
package struct TextPositions: Sendable {
  /// The unit of positions within a line.
  package enum Encoding: String, Sendable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
  }

  package private(set) var bytes: [UInt8]
  package let encoding: Encoding
  /// The byte offset of each line.
  private var starts: [Int]
  /// Whether all characters are ASCII, so that no units need counting.
  private var isASCII: Bool
  /// Known positions in long lines from which to start counting, in order.
  private var marks: [Mark] = []
  /// The position of the first byte; not 0 if a byte order mark precedes it.
  private let firstCharacter: Int

  /// - Parameter followsMark: whether the client's text has a byte order mark before these bytes.
  package init(_ bytes: [UInt8], encoding: Encoding = .utf16, followsMark: Bool = false) {
    self.bytes = bytes
    self.encoding = encoding
    isASCII = bytes.allSatisfy { $0 < 0x80 }
    firstCharacter = followsMark ? encoding == .utf8 ? 3 : 1 : 0
    starts = [0]
    Self.collectStarts(of: bytes, after: 0..<bytes.count, into: &starts)
    setMarks()
  }

  package var lineCount: Int { starts.count }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The byte range of a line, counted from 0, without its line end.
  package func range(ofLine line: Int) -> Range<Int> {
    guard starts.indices.contains(line) else { return bytes.count..<bytes.count }
    var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
    if line + 1 < starts.count {
      end -= 1
      if bytes[end] == Self.feed, end > starts[line], bytes[end - 1] == Self.carriage { end -= 1 }
    }
    return starts[line]..<end
  }

  /// The byte offset of a position.
  package func offset(of position: TextPosition) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < starts.count else { return bytes.count }
    let line = range(ofLine: position.line)
    // A client may send any number; the subtraction must not overflow.
    let character =
      min(max(position.character, 0), Int.max >> 1) - (position.line == 0 ? firstCharacter : 0)
    guard character > 0 else { return line.lowerBound }
    switch encoding {
    case .utf16 where isASCII:
      return character < line.count ? line.lowerBound + character : line.upperBound
    case .utf8:
      var offset =
        character < line.count ? line.lowerBound + character : line.upperBound
      while offset > line.lowerBound, offset < line.upperBound, Self.continues(bytes[offset]) {
        offset -= 1
      }
      return offset
    case .utf16:
      let mark = lastMark(in: line) { $0.character <= character }
      var rest = character - (mark?.character ?? 0)
      var offset = mark?.offset ?? line.lowerBound
      while offset < line.upperBound {
        let (length, width) = self.character(at: offset, before: line.upperBound)
        if rest < width { break }
        rest -= width
        offset += length
      }
      return offset
    }
  }

  /// The position of a byte offset.
  package func position(of offset: Int) -> TextPosition {
    let offset = min(max(0, offset), bytes.count)
    let line = line(of: offset)
    let range = range(ofLine: line)
    let end = min(offset, range.upperBound)
    var character = line == 0 ? firstCharacter : 0
    if encoding == .utf8 || isASCII {
      return TextPosition(line: line, character: character + end - range.lowerBound)
    }
    let mark = lastMark(in: range) { $0.offset <= end }
    var start = mark?.offset ?? range.lowerBound
    character += mark?.character ?? 0
    while start < end {
      let (length, width) = self.character(at: start, before: range.upperBound)
      if start + length > end { break }
      start += length
      character += width
    }
    return TextPosition(line: line, character: character)
  }

  package func offsets(of range: TextRange) -> Range<Int> {
    let (start, end) = (offset(of: range.start), offset(of: range.end))
    return min(start, end)..<max(start, end)
  }

  package func range(of offsets: Range<Int>) -> TextRange {
    TextRange(
      start: position(of: offsets.lowerBound), end: position(of: offsets.upperBound))
  }

  /// The line of a byte offset, from 0.
  package func line(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  // MARK: Long lines

  /// A character's byte offset, and the number of UTF-16 units before it in its line.
  private struct Mark {
    let offset: Int
    let character: Int
  }

  /// The length in bytes beyond which a line has marks, so that positions in generated single-line
  /// data are not counted from the line's start each time.
  private static let longLine = 4096
  private static let markDistance = 1024

  private mutating func setMarks() {
    marks = []
    if encoding == .utf8 || isASCII { return }
    for line in starts.indices {
      let end = line + 1 < starts.count ? starts[line + 1] : bytes.count
      guard end - starts[line] > Self.longLine else { continue }
      var (offset, character) = (starts[line], 0)
      var next = offset + Self.markDistance
      while offset < end {
        if offset >= next {
          marks.append(Mark(offset: offset, character: character))
          next = offset + Self.markDistance
        }
        let (length, width) = self.character(at: offset, before: end)
        offset += length
        character += width
      }
    }
  }

  /// The last mark of a line that fulfils a condition; the condition must be true for all marks
  /// before it.
  private func lastMark(in line: Range<Int>, where isBefore: (Mark) -> Bool) -> Mark? {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      let mark = marks[middle]
      if mark.offset <= line.lowerBound || mark.offset < line.upperBound && isBefore(mark) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > 0, line.contains(marks[low - 1].offset) else { return nil }
    return marks[low - 1]
  }

  // MARK: Editing

  /// Replaces bytes. The rest of the text is not scanned again.
  package mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    bytes.replaceSubrange(range, with: new)
    isASCII = isASCII && new.allSatisfy { $0 < 0x80 }
    let growth = new.count - range.count
    // Line ends at the boundaries may merge or split, because \r\n is one line end.
    let first = firstStart(after: range.lowerBound - 1)
    var last = first
    while last < starts.count, starts[last] <= range.upperBound + 1 { last += 1 }
    for index in last..<starts.count { starts[index] += growth }
    var between: [Int] = []
    let scanned = max(0, range.lowerBound - 1)..<min(bytes.count, range.lowerBound + new.count + 1)
    Self.collectStarts(of: bytes, after: scanned, into: &between)
    starts.replaceSubrange(first..<last, with: between)
    setMarks()
  }

  /// The index of the first line start after an offset; never 0, which is the start of the text.
  private func firstStart(after offset: Int) -> Int {
    var low = 1
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Adds the starts of lines whose preceding line end has its last byte in a range.
  private static func collectStarts(
    of bytes: [UInt8], after range: Range<Int>, into starts: inout [Int]
  ) {
    bytes.withUnsafeBufferPointer { bytes in
      for index in range {
        let byte = bytes[index]
        if byte == feed
          || byte == carriage && !(index + 1 < bytes.count && bytes[index + 1] == feed)
        {
          starts.append(index + 1)
        }
      }
    }
  }

  private static let feed = UInt8(ascii: "\n")
  private static let carriage = UInt8(ascii: "\r")

  private static func continues(_ byte: UInt8) -> Bool { byte & 0xc0 == 0x80 }

  /// The length in bytes of the character at an offset, and its width in UTF-16 units.
  private func character(at offset: Int, before end: Int) -> (length: Int, width: Int) {
    let length =
      switch bytes[offset] {
      case 0xc2...0xdf: 2
      case 0xe0...0xef: 3
      case 0xf0...0xf4: 4
      default: 1
      }
    guard length > 1, offset + length <= end,
      bytes[offset + 1..<offset + length].allSatisfy(Self.continues)
    else { return (1, 1) }
    return (length, length == 4 ? 2 : 1)
  }
}

/// A position in the protocol, counted from 0.
package struct TextPosition: Hashable, Comparable, Sendable {
  package var line: Int
  package var character: Int

  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  /// Throws `invalidParams` for malformed JSON.
  package init(_ value: JSONValue) throws(ResponseError) {
    guard let line = value["line"].int, let character = value["character"].int else {
      throw ResponseError(.invalidParams, "a position needs the numbers line and character")
    }
    self.init(line: line, character: character)
  }

  package var json: JSONValue { ["line": .int(line), "character": .int(character)] }

  package static func < (one: Self, other: Self) -> Bool {
    (one.line, one.character) < (other.line, other.character)
  }
}

/// A half-open range of positions.
package struct TextRange: Hashable, Sendable {
  package var start: TextPosition
  package var end: TextPosition

  package init(start: TextPosition, end: TextPosition) {
    self.start = start
    self.end = end
  }

  /// Throws `invalidParams` for malformed JSON.
  package init(_ value: JSONValue) throws(ResponseError) {
    self.init(start: try TextPosition(value["start"]), end: try TextPosition(value["end"]))
  }

  package var json: JSONValue { ["start": start.json, "end": end.json] }
}
