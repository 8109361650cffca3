/// A key press: a character or a named key, with modifiers.
///
/// ```swift
/// try Key("Ctrl-S") == Key("s", modifiers: .control)   // true
/// try Key("Shift-Tab").description                      // "Shift-Tab"
/// ```
///
/// A terminal cannot distinguish Ctrl-s from Ctrl-S, so with Ctrl or Alt the case of a letter is
/// ignored, and Shift with a letter alone is the capital letter. A space is the key named Space.
public struct Key: Hashable, Sendable {
  /// The character or the named key.
  public let code: Code
  /// The modifiers, normalised.
  public let modifiers: Modifiers

  /// Makes a key in normalised form: equivalent combinations give equal keys.
  public init(_ code: Code, modifiers: Modifiers = []) {
    guard case .character(let character) = code else {
      self.code = code
      self.modifiers = modifiers
      return
    }
    if character == " " {
      self.code = .space
      self.modifiers = modifiers
    } else if !modifiers.isDisjoint(with: [.control, .alt]) {
      self.code = .character(Self.folded(character, upper: false))
      self.modifiers = modifiers
    } else if modifiers.contains(.shift), character.isLetter {
      self.code = .character(Self.folded(character, upper: true))
      self.modifiers = []
    } else {
      self.code = code
      self.modifiers = modifiers
    }
  }

  /// Makes the key of a character.
  public init(_ character: Character, modifiers: Modifiers = []) {
    self.init(.character(character), modifiers: modifiers)
  }

  private static func folded(_ character: Character, upper: Bool) -> Character {
    let text = upper ? character.uppercased() : character.lowercased()
    return text.count == 1 ? text.first ?? character : character
  }

  /// A key without its modifiers.
  ///
  /// ```swift
  /// try Key("PageDown").code == .pageDown   // true
  /// ```
  public enum Code: Hashable, Sendable {
    /// A key that types a character.
    case character(Character)
    /// A named key.
    case enter, tab, escape, space, backspace, delete, insert
    /// A key that moves the caret or scrolls.
    case up, down, left, right, home, end, pageUp, pageDown
    /// A function key, F1 to F12, numbered from 1.
    case function(Int)
  }

  /// Modifier keys, held while another key is pressed.
  ///
  /// ```swift
  /// Key(.tab, modifiers: [.control, .shift])
  /// ```
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// One bit for each modifier.
    public let rawValue: UInt8
    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift, unless the character already implies it.
    public static let shift = Modifiers(rawValue: 1)
    /// Ctrl.
    public static let control = Modifiers(rawValue: 2)
    /// Alt, or a preceding Escape.
    public static let alt = Modifiers(rawValue: 4)
  }

  /// The character that this key inserts into text; nil if it inserts none.
  public var text: Character? {
    if !modifiers.isDisjoint(with: [.control, .alt]) { return nil }
    switch code {
    case .character(let character): return character
    case .space: return " "
    default: return nil
    }
  }
}
