import TideViews

/// Maps the numbers and letters of terminal sequences to keys.
enum KeyTable {
  /// The final byte of `ESC [ 1 ; modifiers letter` and `ESC [ letter`.
  static let letters: [UInt8: Key] = table([
    ("A", Key(.up)), ("B", Key(.down)), ("C", Key(.right)), ("D", Key(.left)),
    ("H", Key(.home)), ("F", Key(.end)), ("Z", Key(.tab, modifiers: .shift)),
    ("P", Key(.function(1))), ("Q", Key(.function(2))), ("R", Key(.function(3))),
    ("S", Key(.function(4))),
    // rxvt
    ("a", Key(.up, modifiers: .shift)), ("b", Key(.down, modifiers: .shift)),
    ("c", Key(.right, modifiers: .shift)), ("d", Key(.left, modifiers: .shift)),
  ])

  /// The final byte of `ESC O letter`: cursor and keypad keys in application mode.
  static let single: [UInt8: Key] = table(
    [
      ("A", Key(.up)), ("B", Key(.down)), ("C", Key(.right)), ("D", Key(.left)),
      ("H", Key(.home)), ("F", Key(.end)), ("Z", Key(.tab, modifiers: .shift)),
      ("P", Key(.function(1))), ("Q", Key(.function(2))), ("R", Key(.function(3))),
      ("S", Key(.function(4))), ("M", Key(.enter)), ("I", Key(.tab)),
      ("a", Key(.up, modifiers: .control)), ("b", Key(.down, modifiers: .control)),
      ("c", Key(.right, modifiers: .control)), ("d", Key(.left, modifiers: .control)),
    ]
      + zip("jklmnopqrstuvwxyX".unicodeScalars, "*+,-./0123456789=").map {
        ($0, Key(.character($1)))
      })

  private static func table(_ keys: [(Unicode.Scalar, Key)]) -> [UInt8: Key] {
    Dictionary(
      keys.map { (UInt8(truncatingIfNeeded: $0.0.value), $0.1) }, uniquingKeysWith: { $1 })
  }

  /// The first number of `ESC [ number ; modifiers ~`.
  static func numbered(_ number: Int) -> Key? {
    switch number {
    case 1, 7: Key(.home)
    case 2: Key(.insert)
    case 3: Key(.delete)
    case 4, 8: Key(.end)
    case 5: Key(.pageUp)
    case 6: Key(.pageDown)
    case 11...15: Key(.function(number - 10))
    case 17...21: Key(.function(number - 11))
    case 23, 24: Key(.function(number - 12))
    // On common keyboards, function keys beyond 12 are the first ones with Shift.
    case 25, 26: Key(.function(number - 24), modifiers: .shift)
    case 28, 29: Key(.function(number - 25), modifiers: .shift)
    case 31...34: Key(.function(number - 26), modifiers: .shift)
    default: nil
    }
  }

  /// The first number of kitty's `ESC [ number ; modifiers u`: a scalar, or a key in the private
  /// use area.
  static func coded(_ number: Int) -> Key? {
    switch number {
    case 9: return Key(.tab)
    case 13: return Key(.enter)
    case 27: return Key(.escape)
    case 8, 127: return Key(.backspace)
    case 57364...57375: return Key(.function(number - 57363))
    case 57399...57408: return Key(.character(Character(String(number - 57399))))
    case 57409...57413: return Key(.character(Array("./*-+")[number - 57409]))
    case 57414: return Key(.enter)
    case 57415: return Key(.character("="))
    case 57416: return Key(.character(","))
    case 57417...57426: return keypad[number - 57417]
    case 0xe000...0xf8ff, ..<32: return nil
    default:
      return Unicode.Scalar(UInt32(number)).map { Key(.character(Character($0))) }
    }
  }

  private static let keypad: [Key] = [
    Key(.left), Key(.right), Key(.up), Key(.down), Key(.pageUp), Key(.pageDown), Key(.home),
    Key(.end), Key(.insert), Key(.delete),
  ]
}
