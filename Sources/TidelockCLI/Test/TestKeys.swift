import TideScript
import TideSystem

/// Reads single keys from the terminal while specs are watched.
///
/// Ctrl-C works as usual. Without a terminal there are no keys.
final class TestKeys {
  var onKey: (UInt8) -> Void = { _ in }

  private let former: termios
  private var watch: DescriptorWatch?

  init?(_ loop: EventLoop) {
    var settings = termios()
    guard StandardStreams.areTerminal, tcgetattr(0, &settings) == 0 else { return nil }
    former = settings
    // A background process does not own the terminal.
    guard tcgetpgrp(0) == getpgrp() else { return nil }
    Interrupts.restore(former)
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(0, TCSANOW, &settings) == 0 else { return nil }
    watch = try? loop.watch(descriptor: 0) { [unowned self] in read() }
  }

  deinit {
    watch?.cancel()
    Interrupts.restoreTerminal()
  }

  private func read() {
    var room = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(0, &room, room.count)
    // The terminal is gone, which counts as quitting.
    if count <= 0 { return onKey(UInt8(ascii: "q")) }
    // An arrow key sends an escape sequence, whose bytes are not single keys.
    if count > 1 && room[0] == 0x1B { return }
    for key in room[..<count] { onKey(key) }
  }
}

/// A line of input, typed key by key while specs are watched.
struct KeyPrompt {
  enum Outcome {
    case open
    case entered(String)
    case cancelled
  }

  private var bytes: [UInt8] = []

  /// Handles a key, and returns the text to echo.
  mutating func take(_ key: UInt8) -> (outcome: Outcome, echo: String) {
    switch key {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      return (.entered(String(decoding: bytes, as: UTF8.self)), "\n")
    // Escape, Ctrl-D.
    case 0x1B, 4: return (.cancelled, "\n")
    case 8, 0x7F:
      guard var last = bytes.popLast() else { return (.open, "") }
      // Removes all bytes of one character.
      while last & 0xC0 == 0x80, let before = bytes.popLast() { last = before }
      return (.open, "\u{8} \u{8}")
    case 0..<0x20: return (.open, "")
    default:
      bytes.append(key)
      // A character is echoed once it is complete.
      let text = String(decoding: bytes, as: UTF8.self)
      guard String(validating: bytes, as: UTF8.self) != nil, let last = text.last else {
        return (.open, "")
      }
      return (.open, String(last))
    }
  }
}
