import TideViews

/// The bytes of a paste so far, between the brackets that a terminal puts around it.
///
/// No byte between the brackets is a key. The closing bracket may get lost, so a paste also ends
/// after a long pause, and at a Ctrl-C that stands alone between two pauses, as when a person
/// presses it. That Ctrl-C ends the paste and does not reach the app.
struct BracketedPaste {
  /// The most bytes that are kept; the rest of the paste is dropped.
  private let limit: Int
  /// A pause in milliseconds that tells typing from bytes that a terminal sends together.
  static let shortPause = 50
  /// A pause in milliseconds after which the end of the paste is taken for lost.
  static let longPause = 2000

  private static let end = Array("\u{1b}[201~".utf8)
  /// The most bytes of Ctrl-C pressed a few times, in any encoding.
  private static let longestInterrupt = 256

  private var bytes: [UInt8] = []
  /// The number of bytes at the last pause.
  private var countAtPause = 0
  /// Whether nothing has been received since the last pause.
  private var isPaused = false

  init(limit: Int = 64 << 20) { self.limit = limit }

  /// The milliseconds without input after which `pause` is due.
  var patience: Int { isPaused ? Self.longPause - Self.shortPause : Self.shortPause }

  /// Adds a byte; returns the text when the paste has ended.
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
