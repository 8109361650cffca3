/// Text that is being edited, with the offsets of its lines.
///
/// ```swift
/// var buffer = TextBuffer("one\ntwo")
/// buffer.replace(3..<4, with: " ")
/// buffer.lineCount                    // 1
/// ```
///
/// An offset is a number of UTF-8 bytes from the beginning, always between two characters as people
/// see them (grapheme clusters). An edit costs one move of the bytes behind it and one addition for
/// each line behind it, so a text of a megabyte is edited in well below a millisecond.
package struct TextBuffer {
  private(set) var text: String
  /// Where lines begin; the first is 0.
  private(set) var lineStarts: [Int]
  /// Where edits have been since `takeChange`.
  private var change: Change?

  /// What edits since the last look have touched.
  struct Change: Equatable {
    var firstOffset: Int
    var firstLine: Int
    /// Edits were in one line and left the number of lines as it was.
    var isWithinLine: Bool
  }

  init(_ text: String = "") {
    self.text = text
    self.text.makeContiguousUTF8()
    lineStarts = [0]
    addLineStarts(in: 1...max(1, self.text.utf8.count), at: 1)
  }

  package var count: Int { text.utf8.count }
  package var lineCount: Int { lineStarts.count }

  // MARK: Editing

  /// Puts text in place of a range of bytes.
  mutating func replace(_ range: Range<Int>, with new: String) {
    let firstLine = line(at: range.lowerBound)
    let oldCount = lineCount
    let isWithinLine = firstLine == line(at: range.upperBound)
    text.replaceSubrange(index(range.lowerBound)..<index(range.upperBound), with: new)
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
    note(
      Change(
        firstOffset: range.lowerBound, firstLine: min(firstLine, lineCount - 1),
        isWithinLine: isWithinLine && lineCount == oldCount))
  }

  private mutating func note(_ new: Change) {
    guard var known = change else { return change = new }
    known.isWithinLine = known.isWithinLine && new.isWithinLine && known.firstLine == new.firstLine
    known.firstOffset = min(known.firstOffset, new.firstOffset)
    known.firstLine = min(known.firstLine, new.firstLine)
    change = known
  }

  /// What has changed since the last call.
  mutating func takeChange() -> Change? {
    defer { change = nil }
    return change
  }

  private mutating func addLineStarts(in range: ClosedRange<Int>, at line: Int) {
    let end = min(range.upperBound, count)
    if range.lowerBound > end { return }
    let found = withBytes { bytes in
      var found: [Int] = []
      for offset in range.lowerBound...end where Self.isLineStart(offset, bytes) {
        found.append(offset)
      }
      return found
    }
    if !found.isEmpty { lineStarts.insert(contentsOf: found, at: line) }
  }

  /// Line ends are what `Character.isNewline` says: LF, CR LF, CR and the rare others.
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

  /// The line that an offset is in.
  package func line(at offset: Int) -> Int { max(0, lineIndex(notBefore: offset + 1) - 1) }

  /// The first line that begins at an offset or behind it.
  private func lineIndex(notBefore offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while low < high {
      let middle = (low + high) / 2
      if lineStarts[middle] < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The bytes of a line without its end.
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

  /// The text from an offset on. Where its first character ends is found without a look at what
  /// stands before, which in a row of flags goes back to the first of them.
  private func rest(_ offset: Int) -> Substring { text[index(offset)...] }

  /// The character behind an offset, which is not the end.
  func character(at offset: Int) -> Character {
    let rest = rest(offset)
    return rest[rest.startIndex]
  }

  /// The offset behind the character at an offset.
  package func next(_ offset: Int) -> Int {
    if offset >= count { return count }
    let rest = rest(offset)
    return self.offset(rest.index(after: rest.startIndex))
  }

  /// The offset before the character that ends at an offset.
  package func previous(_ offset: Int) -> Int {
    offset <= 0 ? 0 : self.offset(text.index(before: index(offset)))
  }

  /// The offset itself, or the end of the character that it is within.
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
    // Text is made contiguous when it comes in, and an edit leaves it so.
    text.utf8.withContiguousStorageIfAvailable(use)
      ?? Array(text.utf8).withUnsafeBufferPointer(use)
  }
}

extension TextBuffer {
  /// The smallest edit that makes this text another one; nil when they are the same.
  func difference(to new: String) -> (range: Range<Int>, text: String)? {
    var new = new
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
        // Scalars stay whole.
        while start > 0 && (Self.continues(old, start) || Self.continues(new, start)) { start -= 1 }
        while end > 0 && Self.continues(old, old.count - end) { end -= 1 }
        let text = String(decoding: new[start..<new.count - end], as: UTF8.self)
        return (start..<old.count - end, text)
      }
    }
  }

  private static func continues(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] & 0xC0 == 0x80
  }
}
