import TideViews

/// Collects the bytes of a paste, which a terminal encloses in brackets.
///
/// Bytes between the brackets are never keys. The closing bracket may get lost, so a paste also
/// ends after a long pause, and at a Ctrl-C between two pauses, which indicates a key press. That
/// Ctrl-C ends the paste and is not sent to the app.
struct BracketedPaste {
  /// The maximum number of bytes of a paste; the rest is dropped.
  private let limit: Int
  /// A pause in milliseconds that distinguishes typing from bytes that a terminal sends together.
  static let shortPause = 50
  /// A pause in milliseconds after which the closing bracket counts as lost.
  static let longPause = 2000

  private static let end = Array("\u{1b}[201~".utf8)
  /// The maximum number of bytes of a few presses of Ctrl-C, in any encoding.
  private static let longestInterrupt = 256

  private var bytes: [UInt8] = []
  /// The number of bytes at the last pause.
  private var countAtPause = 0
  /// Whether no byte has been received since the last pause.
  private var isPaused = false

  init(limit: Int = 64 << 20) { self.limit = limit }

  /// The milliseconds without input after which `pause` is due.
  var patience: Int { isPaused ? Self.longPause - Self.shortPause : Self.shortPause }

  /// Adds a byte; returns the text if the paste has ended.
  mutating func take(_ byte: UInt8) -> ArraySlice<UInt8>? {
    isPaused = false
    bytes.append(byte)
    if byte == 0x7e && bytes.suffix(Self.end.count) == Self.end[...] {
      bytes.removeLast(Self.end.count)
      return text(upTo: bytes.count)
    }
    if bytes.count >= limit + Self.longestInterrupt {
      // The last bytes may be the beginning of the closing bracket.
      bytes.removeSubrange(limit..<bytes.count - Self.end.count)
      countAtPause = min(countAtPause, limit)
    }
    return nil
  }

  /// Handles a pause of `patience`; returns the text if the pause ends the paste.
  mutating func pause() -> ArraySlice<UInt8>? {
    if isPaused { return text(upTo: bytes.count) }
    isPaused = true
    if isInterrupted { return text(upTo: countAtPause) }
    countAtPause = bytes.count
    return nil
  }

  private func text(upTo count: Int) -> ArraySlice<UInt8> { bytes.prefix(min(count, limit)) }

  /// Whether only Ctrl-C, in any encoding, has been received since the last pause.
  private var isInterrupted: Bool {
    let last = bytes[countAtPause...]
    guard !last.isEmpty, last.count <= Self.longestInterrupt else { return false }
    var decoder = InputDecoder()
    let events = decoder.decode(last)
    let interrupt = InputEvent.key(Key("c" as Character, modifiers: .control))
    return decoder.patience == nil && events.allSatisfy { $0 == interrupt } && !events.isEmpty
  }
}
