import TideSystem
import TideBindings

/// The control sequences of xterm and compatible terminals.
enum Sequences {
  static let clear = Array("\u{1b}[H\u{1b}[2J".utf8)
  static let eraseToEndOfLine = Array("\u{1b}[K".utf8)
  static let showCaret = Array("\u{1b}[?25h".utf8)
  static let hideCaret = Array("\u{1b}[?25l".utf8)
  /// Terminals that support synchronized updates show a frame only when it is complete; others
  /// ignore these sequences.
  static let beginUpdate = Array("\u{1b}[?2026h".utf8)
  static let endUpdate = Array("\u{1b}[?2026l".utf8)
}

extension Sequences {
  /// Alternate screen, no automatic wrapping, no caret.
  private static let takeScreen = Array(
    "\u{1b}[?1049h\u{1b}[?7l\u{1b}[?25l\u{1b}[m\u{1b}[2J".utf8)
  private static let leaveScreen = Array(
    "\u{1b}[?2026l\u{1b}[m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l".utf8)
  /// Bracketed paste; presses, drags and the wheel of the mouse in decimal encoding.
  private static let takeInput = Array(
    "\u{1b}[?2004h\u{1b}[?1000h\u{1b}[?1002h\u{1b}[?1006h".utf8)
  private static let leaveInput = Array(
    "\u{1b}[?1006l\u{1b}[?1003l\u{1b}[?1002l\u{1b}[?1000l\u{1b}[?2004l".utf8)
  /// Mouse movements without a button; in some terminals ending them also ends drags.
  static let beginMotion = Array("\u{1b}[?1003h".utf8)
  static let endMotion = Array("\u{1b}[?1003l\u{1b}[?1000h\u{1b}[?1002h".utf8)
  /// Kitty's protocol: disambiguated keys (1) and reported alternate keys (4).
  private static let disambiguateKeys = Array("\u{1b}[=5u".utf8)
  private static let leaveKeys = Array("\u{1b}[=0u".utf8)
  /// The terminal saves titles on its own stack.
  private static let keepTitle = Array("\u{1b}[22;0t".utf8)
  private static let restoreTitle = Array("\u{1b}[23;0t".utf8)
  /// The maximum length of a title, longer than any terminal shows.
  private static let titleLimit = 200

  /// Sets the terminal's title, without characters that would end the sequence, begin another one,
  /// or reverse the text.
  static func title(_ text: String) -> [UInt8] {
    let shown = text.unicodeScalars.filter { $0.value >= 0x20 && !$0.steersTerminals }
    return Array("\u{1b}]2;\(String(String.UnicodeScalarView(shown.prefix(titleLimit))))\u{7}".utf8)
  }

  /// Moves below all content, for terminals without an alternate screen.
  private static let bottom = Array("\u{1b}[999;1H\r\n".utf8)

  private static let takePastes = Array("\u{1b}[?2004h".utf8)
  private static let leavePastes = Array("\u{1b}[?2004l".utf8)

  /// The sequences that set up the terminal for a prompt, and those that restore it.
  static func promptModes(_ capabilities: TerminalCapabilities) -> (enter: [UInt8], leave: [UInt8])
  {
    capabilities.hasAttributes ? (takePastes, leavePastes) : ([], [])
  }

  /// The sequences that set up the terminal for the whole screen, and those that restore it.
  static func screenModes(_ capabilities: TerminalCapabilities) -> (enter: [UInt8], leave: [UInt8])
  {
    guard capabilities.hasAttributes else { return (clear, bottom) }
    let enter = takeScreen + keepTitle + takeInput
    let leave = leaveInput + restoreTitle + leaveScreen
    if !capabilities.hasKeyProtocol { return (enter, leave) }
    // The keyboard mode belongs to the screen, so it is set after switching and reset before.
    return (enter + disambiguateKeys, leaveKeys + leave)
  }
}

extension [UInt8] {
  /// Appends a number's decimal digits.
  mutating func append(decimal number: Int) {
    if number < 10 {
      append(UInt8(truncatingIfNeeded: 48 + Swift.max(0, number)))
      return
    }
    append(decimal: number / 10)
    append(UInt8(truncatingIfNeeded: 48 + number % 10))
  }

  /// Appends `ESC [`, the number unless it is 1, which is the default, and the letter.
  mutating func append(control letter: Unicode.Scalar, _ number: Int) {
    append(0x1b)
    append(0x5b)
    if number != 1 { append(decimal: number) }
    append(UInt8(ascii: letter))
  }
}

/// Copies text to the desktop's clipboard through the terminal, also over ssh: OSC 52.
///
/// Terminals that do not support or allow it ignore the sequence.
enum ClipboardSequence {
  /// The length that all terminals accept; longer text is not sent, rather than truncated.
  static let limit = 74_000

  /// The notice about a text that is too long.
  static func refusal(of text: String) -> String {
    "copied for this app alone: \((text.utf8.count + 999) / 1000) KB are too large for the "
      + "terminal's clipboard, which takes \(limit / 1000) KB; copy it in parts"
  }

  /// Returns nil for text that is too long.
  static func encode(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    if bytes.count > limit { return nil }
    return Array("\u{1b}]52;c;".utf8) + Base64.encoded(bytes) + [0x07]
  }
}
