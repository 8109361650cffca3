/// Offers text to the clipboard of the desktop that the terminal is on, also through ssh: OSC 52.
///
/// Terminals that don't know it, or don't allow it, ignore it.
enum ClipboardSequence {
  /// What terminals take at least; longer text is not offered at all rather than cut.
  static let limit = 74_000

  /// Nil for text that is too long.
  static func encode(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    if bytes.count > limit { return nil }
    return Array("\u{1b}]52;c;".utf8) + base64(bytes) + [0x07]
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = 0
      for byte in group { bits = bits << 8 | Int(byte) }
      bits <<= 8 * (3 - group.count)
      for place in 0..<4 {
        encoded.append(
          place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return encoded
  }
}
