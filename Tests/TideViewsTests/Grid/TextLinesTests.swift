import Fuzzing
import Testing

@testable import TideViews

@Test func `lines break between words`() {
  #expect(TextLines.wrapped("the quick brown fox", width: 9) == ["the quick", "brown fox"])
  #expect(TextLines.wrapped("the quick", width: 100) == ["the quick"])
  #expect(TextLines.wrapped("a\nb", width: 5) == ["a", "b"])
  #expect(TextLines.wrapped("", width: 5) == [""])
}

@Test func `a word wider than the line is broken`() {
  #expect(TextLines.wrapped("abcdefgh", width: 3) == ["abc", "def", "gh"])
  #expect(TextLines.wrapped("a bcdef", width: 3) == ["a", "bcd", "ef"])
  #expect(TextLines.wrapped("漢字漢", width: 3) == ["漢", "字", "漢"])
  #expect(TextLines.wrapped("漢", width: 1) == ["漢"])
}

@Test func `spaces at a break take no line of their own`() {
  #expect(TextLines.wrapped("abc   def", width: 3) == ["abc", "def"])
  #expect(TextLines.wrapped("abc ", width: 3) == ["abc"])
}

@Test func `wrapped lines fit and lose nothing but spaces`() {
  for seed in UInt64(1)...200 {
    var random = SeededGenerator(seed: seed)
    let text = String((0..<40).compactMap { _ in "ab 漢é  c".randomElement(using: &random) })
    let width = Int.random(in: 2...12, using: &random)
    let lines = TextLines.wrapped(text, width: width)
    #expect(lines.allSatisfy { CharacterWidth.of($0) <= width }, "seed \(seed)")
    #expect(
      lines.joined().filter { $0 != " " } == text.filter { $0 != " " }, "seed \(seed)")
  }
}

@Test func `what does not fit ends with an ellipsis`() {
  #expect(TextLines.truncated("hello", width: 5, ellipsis: "…") == "hello")
  #expect(TextLines.truncated("hello", width: 4, ellipsis: "…") == "hel…")
  #expect(TextLines.truncated("漢字漢字", width: 4, ellipsis: "…") == "漢…")
  #expect(TextLines.truncated("hello", width: 1, ellipsis: "…") == "…")
  #expect(TextLines.truncated("hello", width: 0, ellipsis: "…") == "")
  #expect(TextLines.truncated("hello", width: -3, ellipsis: "…") == "")
}

@Test func `a carriage return by itself ends no line, and hides nothing`() {
  #expect(TextLines.split("a\rb\r\nc\nd") == ["a\rb", "c", "d"])
  #expect(TextLines.size(of: "a\rb") == Size(width: 3, height: 1))
  let frame = Frame(size: Size(width: 4, height: 1))
  frame.write("a\rb", at: .zero)
  #expect(frame.lines == ["a\u{FFFD}b"])
}
