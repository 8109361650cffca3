import Testing

@testable import TideTerminal

@Suite struct AsciiFallbackTests {
  @Test func `every scalar has a printable stand-in`() {
    for value in UInt32(0)...0x1_2000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect((0x20...0x7e).contains(AsciiFallback.byte(for: scalar)))
    }
  }

  @Test(arguments: [
    ("┌─┬─┐│└┴┘", "+-+-+|+++"), ("àÉîøüß", "aEious"), ("šČżŁ", "sCzL"), ("═║╔", "=|+"),
    ("▁▄█", "_-#"), ("░▒▓", ".:%"), ("⠀⠁⣿", " .#"), ("→←↑↓", "><^v"), ("–…“”‘", "-.\"\"'"),
    ("漢", "?"), ("plain ~", "plain ~"),
  ])
  func `stand-ins resemble what they stand for`(text: String, expected: String) {
    let bytes = text.unicodeScalars.map(AsciiFallback.byte(for:))
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}
