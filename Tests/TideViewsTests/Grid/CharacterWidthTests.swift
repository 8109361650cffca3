import Testing
import TideViews

@Test(arguments: [
  ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("カ", 2), ("ｶ", 1), ("한", 2), ("\u{1100}", 2),
  ("😀", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("👍🏽", 2), ("─", 1), ("█", 1), ("⣿", 1),
  ("\u{301}", 0), ("\u{200B}", 0), ("\u{7}", 1), ("\u{AD}", 0), ("~", 1), ("\u{7F}", 1), ("🫠", 2),
])
func `a character takes the cells that a terminal gives it`(text: String, width: Int) throws {
  #expect(CharacterWidth.of(text) == width, "\(text)")
  #expect(CharacterWidth.of(try #require(text.first)) == width && text.count == 1)
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

/// The characters before and after which the width changes, from Unicode's data: a part of them,
/// as hexadecimal numbers.
private let samples = [
  (
    2,
    """
    1100 231A 231B 232A 23E9 23EC 25FD 25FE 2614 2615 2648 2653 26A1 26AB 26BD 26BE 26C4 26C5
    26CE 26D4 26EA 26F2 26F3 26F5 2705 270B 274E 2753 2757 2795 2797 27B0 27BF 2B1B 2B50 2B55
    3029 302E 303E 309B 3247 4DBF 4E00 A4C6 A960 A97C AC00 D7A3 F900 FAD9 FE10 FE19 FE30 FE6B
    FF01 FFE0 FFE6 16FE0 16FE3 16FF0 1B2FB 1F0CF 1F18E 1F200 1F320 1F32D 1F335 1F337 1F37C 1F37E
    1F393 1F3A0 1F3CA 1F3CF 1F3D3 1F3E0 1F3F0 1F3F8 1F43E 1F4FC 1F53D 1F54B 1F54E 1F550 1F596
    1F5A4 1F64F 1F680 1F6C5 1F6CC 1F6D0 1F6D2 1F6D5 1F6EB 1F6EC 1F6F4 1F6FC 1F7E0 1F7F0 1F90C
    1F93A 1F93C 1F945 1F947 1F9FF 1FA70 1FAF6 20000
    """
  ),
  (
    1,
    """
    815 824 8C9 939 93B 964 980 982 9BD 9C0 A03 A40 A76 AC0 AE6 B3D B4C B66 BD0 CBD CD5 D4E E33
    EBD EC6 FBE 1083 1084 1200 17DC 1923 1A16 1A1A 1B6A 1B82 1BAE 23F4 25FF 26A2 26A9 26D3 26F6
    2729 2CEE 2CF2 A801 A80A A8CE AA34 AA42 ABEC ABF0 FB00 FDFF FF61 102D0 10F51 11037 110BE
    11280 11302 1133D 1145F 114C1 11641 1171A 11730 1193D 119E1 11A39 11A58 11A97 11C40 11CA9
    11D46 11D94 11D98 16AED 16AF5 16F4A 1E2C0 1F0CE 1F18F 1F3CE 1F3D4 1F4FE 1F54A 1F6CF 1F700
    1F93B
    """
  ),
  (
    0,
    """
    489 5C7 6DF 93C 948 963 9BC 9C1 9E2 9FE A3C AE2 AFA BC0 C81 CE2 D44 E34 EB1 F37 FBC 1037
    1085 1160 135D 1772 17C6 1920 1AB0 1B81 1C2C 1C33 1C36 200F A66F A6F1 A8C5 A8E0 A926 A951
    A9B3 AAEC ABE8 FE00 10F50 11073 11081 110BD 11102 111CC 11300 11374 11446 1145E 114B8 114C2
    114C3 115B5 115BC 116B5 11722 11943 11A51 11A96 11C30 11CB3 11D47 16F4F 1D167 1D182 1DA3B
    1DA84
    """
  ),
]

@Test func `widths are those of Unicode's data`() {
  for (width, scalars) in samples {
    for number in scalars.split(whereSeparator: \.isWhitespace) {
      let scalar = UInt32(number, radix: 16).flatMap(Unicode.Scalar.init)
      #expect(scalar.map(CharacterWidth.of) == width, "U+\(number)")
    }
  }
}

@Test func `clusters that terminals disagree about are known`() {
  for text in ["👨‍👩‍👧", "🇩🇪", "👍🏽", "❤\u{FE0F}", "\u{915}\u{93E}"] {
    #expect(CharacterWidth.isUncertain(Character(text)), "\(text)")
  }
  for text in ["a", "漢", "e\u{301}", "か\u{3099}", "😀"] {
    #expect(!CharacterWidth.isUncertain(Character(text)), "\(text)")
  }
}
