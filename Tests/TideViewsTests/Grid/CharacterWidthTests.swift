import Testing
import TideViews

@Test(arguments: [
  ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("カ", 2), ("ｶ", 1), ("한", 2), ("\u{1100}", 2),
  ("😀", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("👍🏽", 2), ("─", 1), ("█", 1), ("⣿", 1),
  ("\u{301}", 0), ("\u{200B}", 0), ("\u{7}", 0), ("\u{AD}", 0), ("~", 1), ("\u{7F}", 0), ("🫠", 2),
])
func `a character takes the cells that a terminal gives it`(text: String, width: Int) {
  #expect(CharacterWidth.of(text) == width, "\(text)")
  #expect(text.count != 1 || CharacterWidth.of(Character(text)) == width)
}

@Test func `a text is as wide as its characters together`() {
  #expect(CharacterWidth.of("") == 0)
  #expect(CharacterWidth.of("abc 123") == 7)
  #expect(CharacterWidth.of("a漢e\u{301}😀") == 6)
}

@Test func `terminals disagree about joined and coloured emoji alone`() {
  #expect(CharacterWidth.isUncertain("👨‍👩‍👧"))
  #expect(CharacterWidth.isUncertain("👍🏽"))
  #expect(CharacterWidth.isUncertain("❤\u{FE0F}"))
  #expect(CharacterWidth.isUncertain("🇩🇪"))
  #expect(!CharacterWidth.isUncertain("😀"))
  #expect(!CharacterWidth.isUncertain("漢"))
  #expect(!CharacterWidth.isUncertain("e\u{301}"))
}
