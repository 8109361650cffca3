import TideViews

/// Maps keys of non-Latin keyboards to those of a standard PC keyboard.
///
/// Shortcuts are written in Latin letters: on a Russian keyboard the key that types `с` is the C of
/// Ctrl-C. Terminals that report alternate keys also send the standard key. For others, the
/// standard key is derived from the position of the letter on the usual layout of its script.
enum KeyboardLayouts {
  /// The standard key for a key pressed with Ctrl or Alt.
  static func shortcut(_ key: Key, base: Int?) -> Key {
    guard case .character(let character) = key.code,
      let scalar = character.unicodeScalars.first, scalar.value >= firstNonLatin
    else { return key }
    if let base, (0x21...0x7e).contains(base) { return KeyTable.coded(base) ?? key }
    return standardKeys[character].map { Key($0) } ?? key
  }

  /// The first letter of Greek. Earlier letters are Latin and need no mapping.
  private static let firstNonLatin: UInt32 = 0x370

  private static let standard = "qwertyuiop[]asdfghjkl;'zxcvbnm,./"
  private static let layouts = [
    "йцукенгшщзхъфывапролджэячсмитьбю.",
    "йцукенгшщзхїфівапролджєячсмитьбю.",
    ";ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,./",
    "/'קראטוןםפ][שדגכעיחלךף,זסבהנמצתץ.",
  ]

  private static let standardKeys: [Character: Character] = Dictionary(
    layouts.flatMap { layout in
      zip(layout, standard).filter { letter, _ in
        (letter.unicodeScalars.first?.value ?? 0) >= firstNonLatin
      }
    }, uniquingKeysWith: { first, _ in first })
}
