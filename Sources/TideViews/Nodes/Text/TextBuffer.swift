import TideGraph

/// The text of an editor, with the offsets of its lines.
///
/// ```swift
/// var buffer = TextBuffer("one\ntwo")
/// buffer.replace(3..<4, with: " ")
/// buffer.lineCount                    // 1
/// ```
///
/// An offset is a number of UTF-8 bytes from the beginning, always at a boundary between grapheme
/// clusters. An edit moves the bytes after it and updates the offset of each line after it, so a
/// text of a megabyte is edited in well below a millisecond. A text that is set as a whole is
/// shared with the caller until the first edit.
///
/// The offsets of lines may need four times as much memory as the text, so they are stored only
/// with `hasLines`. If the current turn has no memory for them, the text counts as one line until
/// an edit succeeds in allocating them.
package struct TextBuffer {
  private(set) var text: String
  /// The offsets at which lines begin; the first is 0.
  private(set) var lineStarts: [Int]
  /// Whether the offsets of lines are stored.
  private let hasLines: Bool
  /// Whether `lineStarts` is complete; false if there was no memory for it.
  private var isIndexed = true
  /// The edits since the last `takeChange`.
  private var change: Change?

  /// The extent of the edits since the last `takeChange`.
  struct Change: Equatable {
    var firstOffset: Int
    var firstLine: Int
    /// Whether all edits were within one line and did not change the number of lines.
    var isWithinLine: Bool
  }

  init(_ text: String = "", hasLines: Bool = true) {
    self.text = text
    self.text.makeContiguousUTF8()
    self.hasLines = hasLines
    lineStarts = [0]
    findLines()
  }

  package var count: Int { text.utf8.count }
  package var lineCount: Int { lineStarts.count }

  /// The memory for the offsets of lines, in bytes.
  var lineBytes: Int { lineStarts.capacity * MemoryLayout<Int>.stride }

  // MARK: Editing

  /// Replaces a range of bytes by a text.
  mutating func replace(_ range: Range<Int>, with new: String) {
    let firstLine = line(at: range.lowerBound)
    let oldCount = lineCount
    let isWithinLine = firstLine == line(at: range.upperBound)
    if range == 0..<count {
      text = new
      text.makeContiguousUTF8()
    } else {
      text.replaceSubrange(index(range.lowerBound)..<index(range.upperBound), with: new)
    }
    if hasLines { moveLines(over: range, by: new) }
    note(
      Change(
        firstOffset: range.lowerBound, firstLine: min(firstLine, lineCount - 1),
        isWithinLine: isWithinLine && lineCount == oldCount))
  }

  /// Updates the offsets of lines after a replacement of a range.
  private mutating func moveLines(over range: Range<Int>, by new: String) {
    if !isIndexed { return findLines() }
    // Whether a line begins at an offset depends on the byte there and on three bytes before it.
    let reach = 3
    let first = max(1, lineIndex(notBefore: range.lowerBound))
    let last = max(first, lineIndex(notBefore: range.upperBound + reach + 1))
    let added = new.utf8.count
    let delta = added - range.count
    if delta != 0 {
      for line in last..<lineStarts.count { lineStarts[line] += delta }
    }
    lineStarts.removeSubrange(first..<last)
    let low = max(1, range.lowerBound)
    addLineStarts(in: low...max(low, range.lowerBound + added + reach), at: first)
  }

  private mutating func note(_ new: Change) {
    guard var known = change else { return change = new }
    known.isWithinLine = known.isWithinLine && new.isWithinLine && known.firstLine == new.firstLine
    known.firstOffset = min(known.firstOffset, new.firstOffset)
    known.firstLine = min(known.firstLine, new.firstLine)
    change = known
  }

  /// Returns and clears the change since the last call.
  mutating func takeChange() -> Change? {
    defer { change = nil }
    return change
  }

  private mutating func findLines() {
    lineStarts = [0]
    isIndexed = true
    if hasLines { addLineStarts(in: 1...max(1, count), at: 1) }
  }

  private mutating func addLineStarts(in range: ClosedRange<Int>, at line: Int) {
    let end = min(range.upperBound, count)
    if range.lowerBound > end { return }
    let range = range.lowerBound...end
    let number = withBytes { bytes in
      range.reduce(0) { Self.isLineStart($1, bytes) ? $0 + 1 : $0 }
    }
    if number == 0 { return }
    guard Self.admits(lines: number + lineStarts.count, adding: number) else {
      lineStarts = [0]
      isIndexed = false
      return
    }
    let found = withBytes { bytes in
      var found: [Int] = []
      found.reserveCapacity(number)
      for offset in range where Self.isLineStart(offset, bytes) { found.append(offset) }
      return found
    }
    lineStarts.insert(contentsOf: found, at: line)
  }

  /// Whether there is memory for the offsets of a number of lines, and for a copy of the added
  /// ones.
  private static func admits(lines count: Int, adding added: Int) -> Bool {
    let few = 1 << 13
    if added <= few { return true }
    let bytes = (count + added) * MemoryLayout<Int>.stride
    return (try? WorkBudget.admit(bytes: bytes)) != nil
  }

  /// Line ends are those of `Character.isNewline`: LF, CR LF, CR and the rare others.
  @inline(__always)
  private static func isLineStart(_ offset: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch bytes[offset - 1] {
    case 0x0A, 0x0B, 0x0C: true
    case 0x0D: offset == bytes.count || bytes[offset] != 0x0A
    case 0x85: offset >= 2 && bytes[offset - 2] == 0xC2
    case 0xA8, 0xA9: offset >= 3 && bytes[offset - 2] == 0x80 && bytes[offset - 3] == 0xE2
    default: false
    }
  }

  // MARK: Lines

  /// The line that contains an offset.
  package func line(at offset: Int) -> Int { max(0, lineIndex(notBefore: offset + 1) - 1) }

  /// The first line that begins at or after an offset.
  private func lineIndex(notBefore offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while low < high {
      let middle = (low + high) / 2
      if lineStarts[middle] < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The range of a line without its line end.
  package func range(ofLine line: Int) -> Range<Int> {
    let start = lineStarts[line]
    guard line + 1 < lineStarts.count else { return start..<count }
    return start..<previous(lineStarts[line + 1])
  }

  // MARK: Characters

  func index(_ offset: Int) -> String.Index {
    text.utf8.index(text.startIndex, offsetBy: max(0, min(offset, count)))
  }

  func offset(_ index: String.Index) -> Int {
    text.utf8.distance(from: text.startIndex, to: index)
  }

  /// The text after an offset. A substring, because in the whole text the search for a character
  /// boundary would go back to the beginning of a run of flags.
  private func rest(_ offset: Int) -> Substring { text[index(offset)...] }

  /// The character after an offset, which must not be the end.
  func character(at offset: Int) -> Character {
    let rest = rest(offset)
    return rest[rest.startIndex]
  }

  /// The offset after the character at an offset.
  package func next(_ offset: Int) -> Int {
    if offset >= count { return count }
    let rest = rest(offset)
    return self.offset(rest.index(after: rest.startIndex))
  }

  /// The offset before the character that ends at an offset.
  package func previous(_ offset: Int) -> Int {
    if offset <= 0 { return 0 }
    let half = Self.flagHalfSize
    // Three halves around an offset at a character boundary mean that a flag ends there. Without
    // this check, `index(before:)` would go back to the beginning of a run of flags.
    if isFlagHalf(at: offset), isFlagHalf(at: offset - half), isFlagHalf(at: offset - 2 * half) {
      return offset - 2 * half
    }
    return self.offset(text.index(before: index(offset)))
  }

  /// The size of a regional indicator in bytes; two of them form a flag.
  private static let flagHalfSize = 4

  private func isFlagHalf(at offset: Int) -> Bool {
    if offset < 0 || offset + Self.flagHalfSize > count { return false }
    return withBytes { bytes in
      bytes[offset] == 0xF0 && bytes[offset + 1] == 0x9F && bytes[offset + 2] == 0x87
        && bytes[offset + 3] >= 0xA6
    }
  }

  /// The offset itself, or the end of the character that contains it.
  package func aligned(_ offset: Int) -> Int {
    if offset <= 0 { return 0 }
    if offset >= count { return count }
    let index = index(offset)
    return String.Index(index, within: text) == nil
      ? self.offset(text.index(after: index)) : offset
  }

  subscript(range: Range<Int>) -> Substring {
    text[index(range.lowerBound)..<index(range.upperBound)]
  }

  func withBytes<R>(_ use: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    // The text is made contiguous when it is set, and edits keep it so.
    text.utf8.withContiguousStorageIfAvailable(use)
      ?? Array(text.utf8).withUnsafeBufferPointer(use)
  }
}

extension TextBuffer {
  /// The smallest edit that turns this text into another; nil if they are equal. If no part of the
  /// text remains, the edit contains the other text itself, not a copy.
  func difference(to whole: String) -> (range: Range<Int>, text: String)? {
    var new = whole
    return withBytes { old -> (range: Range<Int>, text: String)? in
      new.withUTF8 { new in
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter && old[start] == new[start] { start += 1 }
        if start == old.count && start == new.count { return nil }
        var end = 0
        while end < shorter - start && old[old.count - 1 - end] == new[new.count - 1 - end] {
          end += 1
        }
        // Keeps scalars whole.
        while start > 0 && (Self.continues(old, start) || Self.continues(new, start)) { start -= 1 }
        while end > 0 && Self.continues(old, old.count - end) { end -= 1 }
        let text =
          start == 0 && end == 0
          ? whole : String(decoding: new[start..<new.count - end], as: UTF8.self)
        return (start..<old.count - end, text)
      }
    }
  }

  private static func continues(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] & 0xC0 == 0x80
  }
}
