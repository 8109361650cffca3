import TideViews

/// Which key of a standard PC keyboard somebody presses whose keyboard types another script.
///
/// Shortcuts are written in Latin letters: on a Russian keyboard Ctrl-C is pressed with the key that
/// types `с`. A terminal that is asked for alternate keys sends the standard one along; where it
/// does not, the key's place on the usual layout says it.
enum KeyboardLayouts {
  /// The key that counts for a shortcut, which is held with Ctrl or Alt.
  static func shortcut(_ key: Key, base: Int?) -> Key {
    guard case .character(let character) = key.code,
      let scalar = character.unicodeScalars.first, scalar.value >= firstForeign
    else { return key }
    if let base, (0x21...0x7e).contains(base) { return KeyTable.coded(base) ?? key }
    return standardKeys[character].map { Key($0) } ?? key
  }

  /// Letters below are Latin ones: a keyboard that types them has all that shortcuts need.
  private static let firstForeign: UInt32 = 0x370

  private static let standard = "qwertyuiop[]asdfghjkl;'zxcvbnm,./"
  private static let layouts = [
    "йцукенгшщзхъфывапролджэячсмитьбю.",
    "йцукенгшщзхїфівапролджєячсмитьбю.",
    ";ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,./",
    "/'קראטוןםפ][שדגכעיחלךף,זסבהנמצתץ.",
  ]

  private static let standardKeys: [Character: Character] = Dictionary(
    layouts.flatMap { layout in
      zip(layout, standard).filter { foreign, _ in
        (foreign.unicodeScalars.first?.value ?? 0) >= firstForeign
      }
    }, uniquingKeysWith: { first, _ in first })
}
