import Testing

@testable import TideGraph

@Suite struct TextRepairTests {
  /// What makes and breaks a sequence: ASCII, continuations, and the first bytes with rules of
  /// their own.
  private static let bytes: [UInt8] = [
    0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed,
    0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff,
  ]

  private func check(_ bytes: [UInt8], _ comment: Comment = "") throws {
    let wanted = String(decoding: bytes, as: UTF8.self)
    let repaired = try bytes.withUnsafeBytes { raw throws(WorkError) in
      try String(repairing: raw)
    }
    #expect(repaired.utf8.elementsEqual(wanted.utf8), "\(bytes.prefix(40)) \(comment)")
    #expect(String.repaired(bytes).utf8.elementsEqual(wanted.utf8))
  }

  @Test func `three bytes of any kind are repaired as Swift does it`() throws {
    for first in Self.bytes {
      for second in Self.bytes {
        for third in Self.bytes { try check([first, second, third]) }
      }
    }
  }

  @Test func `long text is repaired the same, wherever it is cut on the way`() throws {
    var random = SystemRandomNumberGenerator()
    for length in [2047, 2048, 2049, 65535, 65536, 65537, 200_000] {
      let mixed = (0..<length).map { _ in Self.bytes.randomElement(using: &random) ?? 0 }
      try check(mixed, "of \(length)")
      // Each stretch ends within a character.
      let smile: [UInt8] = [0xf0, 0x9f, 0x98, 0x80]
      for shift in 0..<4 {
        let text = [UInt8](repeating: 0x61, count: shift) + (0..<length / 4).flatMap { _ in smile }
        try check(text + [0xff], "of \(length), shifted by \(shift)")
      }
    }
  }

  @Test func `of a long one no more is repaired than is asked for`() {
    let bytes = [UInt8](repeating: 0xff, count: 1_000_000)
    #expect(String.repaired(bytes, atMost: 10) == String(repeating: "\u{fffd}", count: 10))
  }
}
