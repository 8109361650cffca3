import Testing

@testable import TideTerminal

@Test(arguments: [
  ("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu"), ("light w", "bGlnaHQgdw=="),
  ("漢字", "5ryi5a2X"), ("\u{0}\u{7F}ÿ", "AH/Dvw=="),
])
func `copied text goes out in base 64`(text: String, encoded: String) {
  #expect(ClipboardSequence.encode(text) == Array("\u{1b}]52;c;\(encoded)\u{7}".utf8))
}

@Test func `text that is too long for terminals is not offered`() {
  #expect(ClipboardSequence.encode(String(repeating: "a", count: 74_001)) == nil)
}
