/// A line that is typed while specs are watched, key by key.
struct KeyPrompt {
  enum Outcome {
    case open
    case entered(String)
    case cancelled
  }

  private var bytes: [UInt8] = []

  /// Takes a key, and gives what to echo.
  mutating func take(_ key: UInt8) -> (outcome: Outcome, echo: String) {
    switch key {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      return (.entered(String(decoding: bytes, as: UTF8.self)), "\n")
    // Escape, Ctrl-D.
    case 0x1B, 4: return (.cancelled, "\n")
    case 8, 0x7F:
      guard var last = bytes.popLast() else { return (.open, "") }
      // The bytes of one character.
      while last & 0xC0 == 0x80, let before = bytes.popLast() { last = before }
      return (.open, "\u{8} \u{8}")
    case 0..<0x20: return (.open, "")
    default:
      bytes.append(key)
      // A character is shown once it is whole.
      let text = String(decoding: bytes, as: UTF8.self)
      guard String(validating: bytes, as: UTF8.self) != nil, let last = text.last else {
        return (.open, "")
      }
      return (.open, String(last))
    }
  }
}
