import Fuzzing
import Glibc
import Testing

@testable import TideViews

/// The lines that a text has when it is cut the simple way.
private func lineStarts(of text: String) -> [Int] {
  var starts = [0]
  var position = 0
  for character in text {
    position += character.utf8.count
    if character.isNewline { starts.append(position) }
  }
  return starts
}

@Test func `lines end with LF, CR LF, CR and what else Unicode calls a line end`() {
  for text in [
    "", "a", "\n", "a\nb", "a\r\nb\r\n", "\r\r\n\n", "a\u{85}b", "a\u{2028}b\u{2029}",
    "a\u{0B}\u{0C}b",
    "é\u{A8}漢",
  ] {
    #expect(TextBuffer(text).lineStarts == lineStarts(of: text), "\(text.debugDescription)")
  }
  let buffer = TextBuffer("one\r\ntwo\n\nx")
  #expect(
    (0..<buffer.lineCount).map { String(buffer[buffer.range(ofLine: $0)]) } == [
      "one", "two", "", "x",
    ])
  #expect([0, 3, 5, 8, 9, 10, 11].map(buffer.line(at:)) == [0, 0, 1, 1, 2, 3, 3])
}

@Test func `the lines are right after any edit`() {
  for seed in UInt64(1)...300 {
    var random = SeededGenerator(seed: seed)
    var buffer = TextBuffer("a\r\nb")
    for _ in 0..<40 {
      let positions = buffer.text.unicodeScalars.indices.map(buffer.offset) + [buffer.count]
      let ends = [
        positions.randomElement(using: &random) ?? 0, positions.randomElement(using: &random) ?? 0,
      ]
      let new = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
        ["\r", "\n", "\r\n", "a", "漢", "\u{2028}", "\u{85}"].randomElement(using: &random)
      }.joined()
      buffer.replace((ends.min() ?? 0)..<(ends.max() ?? 0), with: new)
      #expect(buffer.lineStarts == lineStarts(of: buffer.text), "seed \(seed)")
    }
  }
}

@Test func `the difference of two texts is the part that is not the same`() throws {
  for (old, new, range, text) in [
    ("abcd", "abXd", 2..<3, "X"), ("", "abc", 0..<0, "abc"), ("abc", "", 0..<3, ""),
    ("aaa", "aaaa", 3..<3, "a"), ("é", "è", 0..<2, "è"), ("漢", "字", 0..<3, "字"),
    ("e\u{301}", "e\u{300}", 1..<3, "\u{300}"),
  ] {
    let difference = try #require(TextBuffer(old).difference(to: new))
    #expect(difference.range == range, "\(old) \(new)")
    #expect(difference.text == text, "\(old) \(new)")
  }
  #expect(TextBuffer("same").difference(to: "same") == nil)
}

@Test func `what edits touched is told once`() {
  var buffer = TextBuffer("ab\ncd")
  buffer.replace(4..<4, with: "x")
  buffer.replace(3..<3, with: "y")
  #expect(
    buffer.takeChange() == TextBuffer.Change(firstOffset: 3, firstLine: 1, isWithinLine: true))
  #expect(buffer.takeChange() == nil)
  buffer.replace(1..<1, with: "\n")
  #expect(buffer.takeChange()?.isWithinLine == false)
}

@Test func `the characters of a text are found one by one`() {
  let text = "a\u{301}b\r\n👨‍👩‍👧🇩🇪🇫🇷🇮c漢\u{202E}é"
  let buffer = TextBuffer(text)
  var (offset, found) = (0, [Character]())
  while offset < buffer.count {
    found.append(buffer.character(at: offset))
    offset = buffer.next(offset)
  }
  #expect(found == Array(text))
}

@Test(arguments: ["next", "previous"])
func `a character of a long row of flags is found without those before it`(_ way: String) {
  /// Nanoseconds of this thread alone, because other tests run beside it.
  func time(_ flags: Int) -> Int {
    let buffer = TextBuffer(String(repeating: "🇩🇪", count: flags))
    let start = threadTime()
    var offset = way == "next" ? 0 : buffer.count
    let end = buffer.count - offset
    var count = 0
    while offset != end {
      offset = way == "next" ? buffer.next(offset) : buffer.previous(offset)
      count += 1
    }
    #expect(count == flags)
    return threadTime() - start
  }
  // Ten times the flags must not cost a hundred times the work.
  #expect(time(10_000) < time(1000) * 40)
}

private func threadTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

@Test func `the characters of a text are found backwards as they are forwards`() {
  let parts = ["a", "\u{301}", "🇩🇪", "🇮", "👨‍👩‍👧", "\u{200D}", "\r\n", "\n", "漢", "\u{FE0F}"]
  for seed in UInt64(1)...200 {
    var random = SeededGenerator(seed: seed)
    let text = (0..<20).compactMap { _ in parts.randomElement(using: &random) }.joined()
    let buffer = TextBuffer(text)
    var (offset, found) = (buffer.count, [Character]())
    while offset > 0 {
      offset = buffer.previous(offset)
      found.append(buffer.character(at: offset))
    }
    #expect(found.reversed() == Array(text), "seed \(seed)")
  }
}

@Test func `a text of one line notes no line ends`() {
  var buffer = TextBuffer("a\nb", hasLines: false)
  #expect(buffer.lineStarts == [0])
  buffer.replace(0..<0, with: "\n\n")
  #expect(buffer.lineStarts == [0])
  buffer.replace(0..<buffer.count, with: "x\ny")
  #expect(buffer.text == "x\ny")
  #expect(buffer.takeChange()?.isWithinLine == true)
}

@Test func `a text that replaces the whole is shared, not copied`() throws {
  func address(_ text: String) -> UnsafePointer<UInt8>? {
    text.utf8.withContiguousStorageIfAvailable { $0.baseAddress } ?? nil
  }
  let text = String(repeating: "long enough to be shared ", count: 10)
  var buffer = TextBuffer("before")
  let difference = try #require(buffer.difference(to: text))
  buffer.replace(difference.range, with: difference.text)
  #expect(address(buffer.text) == address(text))
}
