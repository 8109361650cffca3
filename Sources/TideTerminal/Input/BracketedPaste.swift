import TideViews

/// What has come of a paste so far, between the brackets that a terminal puts around it.
///
/// No byte between them is a key. But the closing bracket may get lost, and somebody has to get
/// out: a paste also ends after a long pause, and at a Ctrl-C that stands alone between two pauses,
/// as one that a person presses does. That Ctrl-C is for the paste, not for the app.
struct BracketedPaste {
  /// What is pasted beyond that is dropped, up to the end of the paste.
  private let limit: Int
  /// A pause that tells what a person types from what a terminal sends in one go, in milliseconds.
  static let shortPause = 50
  /// A pause in which the end would have come.
  static let longPause = 2000

  private static let end = Array("\u{1b}[201~".utf8)
  /// No encoding of Ctrl-C, pressed a few times, is longer.
  private static let longestInterrupt = 256

  private var bytes: [UInt8] = []
  /// How many bytes had come at the last pause.
  private var countAtPause = 0
  /// Nothing has come since the last pause.
  private var isPaused = false

  init(limit: Int = 64 << 20) { self.limit = limit }

  /// After a pause of how many milliseconds, or as many more, `pause` is due.
  var patience: Int { isPaused ? Self.longPause - Self.shortPause : Self.shortPause }

  /// Adds a byte, and gives the text at its end.
  mutating func take(_ byte: UInt8) -> ArraySlice<UInt8>? {
    isPaused = false
    bytes.append(byte)
    if byte == 0x7e && bytes.suffix(Self.end.count) == Self.end[...] {
      bytes.removeLast(Self.end.count)
      return text(upTo: bytes.count)
    }
    if bytes.count >= limit + Self.longestInterrupt {
      // The last bytes may be the beginning of the end.
      bytes.removeSubrange(limit..<bytes.count - Self.end.count)
      countAtPause = min(countAtPause, limit)
    }
    return nil
  }

  /// Nothing came for as long as `patience` says; gives the text where that ends the paste.
  mutating func pause() -> ArraySlice<UInt8>? {
    if isPaused { return text(upTo: bytes.count) }
    isPaused = true
    if isInterrupted { return text(upTo: countAtPause) }
    countAtPause = bytes.count
    return nil
  }

  private func text(upTo count: Int) -> ArraySlice<UInt8> { bytes.prefix(min(count, limit)) }

  /// Whether Ctrl-C, in any encoding, is all that came since the last pause.
  private var isInterrupted: Bool {
    let last = bytes[countAtPause...]
    guard !last.isEmpty, last.count <= Self.longestInterrupt else { return false }
    var decoder = InputDecoder()
    let events = decoder.decode(last)
    let interrupt = InputEvent.key(Key("c" as Character, modifiers: .control))
    return decoder.patience == nil && events.allSatisfy { $0 == interrupt } && !events.isEmpty
  }
}
