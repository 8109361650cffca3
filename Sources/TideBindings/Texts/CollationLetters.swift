/// A letter of the Latin, Greek or Cyrillic script for collation: a base letter, its marks, and its
/// case.
///
/// The marks of a letter are found in its name in Unicode: `LATIN SMALL LETTER A WITH DIAERESIS`.
struct Letter: Sendable {
  /// The lowercase base letter.
  let base: UInt32
  /// The letters to which it expands: two for `æ` and `ß`.
  let expanded: [UInt32]
  let marks: [UInt8]
  let isUpper: Bool
  /// Distinguishes the forms of one letter, such as the final sigma.
  var variant: UInt8 = 0
  var isExpanded: Bool { expanded.count > 1 }

  /// Nil for other characters.
  static func of(_ scalar: Unicode.Scalar) -> Letter? {
    let value = scalar.value
    if value < 0x80 {
      guard (0x61...0x7A).contains(value | 0x20) else { return nil }
      return Letter(
        base: value | 0x20, expanded: [value | 0x20], marks: [], isUpper: value < 0x61)
    }
    return ranges.contains { $0.contains(value) } ? table[value] : nil
  }

  /// The weight of a combining mark; nil for other characters.
  static func mark(of scalar: Unicode.Scalar) -> UInt8? {
    guard scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered,
      let name = scalar.properties.name, name.hasPrefix("COMBINING ")
    else { return nil }
    let mark = name.dropFirst("COMBINING ".count)
    return weight(ofMark: String(mark.hasSuffix(" ACCENT") ? mark.dropLast(" ACCENT".count) : mark))
  }

  /// In the order of the CLDR, as they are called in the names of letters.
  private static let marks = [
    "ACUTE", "TONOS", "GRAVE", "BREVE", "CIRCUMFLEX", "CARON", "RING ABOVE", "DIAERESIS",
    "DIALYTIKA", "DOUBLE ACUTE", "TILDE", "DOT ABOVE", "STROKE", "CEDILLA", "OGONEK", "MACRON",
    "HOOK ABOVE", "HORN", "DOT BELOW", "COMMA BELOW",
  ]
  /// The mark of a letter that expands to two.
  static let ligature: UInt8 = 0x7F

  static func weight(ofMark name: String) -> UInt8 {
    // Greek has other names for the same marks.
    let known = name == "TONOS" ? "ACUTE" : name == "DIALYTIKA" ? "DIAERESIS" : name
    guard let index = marks.firstIndex(of: known) else {
      return UInt8(0x60 + name.utf8.reduce(0) { ($0 + Int($1)) & 0xF })
    }
    return Rules.noMark + 1 + UInt8(index)
  }

  private static let ranges: [ClosedRange<UInt32>] = [
    0xAA...0x24F, 0x259...0x259, 0x370...0x52F, 0x1E00...0x1FFF,
  ]

  private static let table: [UInt32: Letter] = {
    var bases: [String: UInt32] = [:]
    let all = (0x41...0x7A).map { UInt32($0) } + ranges.flatMap { Array($0) }
    for value in all {
      if let name = Unicode.Scalar(value)?.properties.name { bases[name] = value }
    }
    var table: [UInt32: Letter] = [:]
    for value in all {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic,
        let name = scalar.properties.name
      else { continue }
      table[value] = letter(scalar, named: name, among: bases)
    }
    return table
  }()

  private static func letter(
    _ scalar: Unicode.Scalar, named name: String, among bases: [String: UInt32]
  ) -> Letter? {
    let isUpper = name.contains(" CAPITAL ")
    let small = name.replacing(" CAPITAL ", with: " SMALL ")
    if let parts = expansions[small] {
      let letters = parts.unicodeScalars.map(\.value)
      return Letter(base: scalar.value, expanded: letters, marks: [], isUpper: isUpper)
    }
    let parts = small.split(separator: " WITH ", maxSplits: 1)
    guard let baseName = parts.first else { return nil }
    let isOwn = ownLetters.contains(small)
    let stem = isOwn ? small : String(baseName)
    guard let base = bases[alike[stem] ?? stem] else { return nil }
    var marks: [UInt8] = []
    if !isOwn, parts.count > 1 {
      marks = parts[1].split(separator: " AND ").map { weight(ofMark: String($0)) }
    }
    if small == "CYRILLIC SMALL LETTER IO" { marks = [weight(ofMark: "DIAERESIS")] }
    var letter = Letter(base: base, expanded: [base], marks: marks, isUpper: isUpper)
    if small == "GREEK SMALL LETTER FINAL SIGMA" { letter.variant = 1 }
    return letter
  }

  /// Letters that expand to two.
  private static let expansions = [
    "LATIN SMALL LETTER AE": "ae", "LATIN SMALL LIGATURE OE": "oe",
    "LATIN SMALL LETTER SHARP S": "ss", "LATIN SMALL LIGATURE IJ": "ij",
  ]

  /// Letters that are separate although their names have a mark.
  private static let ownLetters: Set<String> = ["CYRILLIC SMALL LETTER GHE WITH UPTURN"]

  /// Names of variants of a letter.
  private static let alike = [
    "CYRILLIC SMALL LETTER IO": "CYRILLIC SMALL LETTER IE",
    "GREEK SMALL LETTER FINAL SIGMA": "GREEK SMALL LETTER SIGMA",
    "CYRILLIC SMALL LETTER GJE": "CYRILLIC SMALL LETTER GHE",
    "CYRILLIC SMALL LETTER KJE": "CYRILLIC SMALL LETTER KA",
  ]
}

/// A sound of the Japanese syllabaries, in the order of the table of fifty sounds.
struct Kana {
  let number: UInt8
  let mark: UInt8
  let variant: UInt8
  let vowel: UInt8

  private static let sounds =
    "A I U E O KA KI KU KE KO SA SI SU SE SO TA TI TU TE TO NA NI NU NE NO HA HI HU HE HO MA MI MU ME MO YA YU YO RA RI RU RE RO WA WI WE WO N"
    .split(separator: " ").map(String.init)
  private static let voiced: [Character: Character] = [
    "G": "K", "Z": "S", "D": "T", "B": "H", "P": "H",
  ]

  /// - Parameter vowel: that of the preceding sound, which a prolonged sound mark repeats.
  static func of(_ scalar: Unicode.Scalar, after vowel: UInt8?) -> Kana? {
    guard (0x3041...0x30FF).contains(scalar.value) else { return nil }
    if scalar.value == 0x30FC {
      return vowel.map { Kana(number: $0, mark: Rules.noMark, variant: 6, vowel: $0) }
    }
    return table[scalar.value]
  }

  private static let table: [UInt32: Kana] = {
    var table: [UInt32: Kana] = [:]
    for value in UInt32(0x3041)...0x30FA {
      guard let name = Unicode.Scalar(value)?.properties.name,
        let letter = name.firstRange(of: " LETTER ")
      else { continue }
      var sound = String(name[letter.upperBound...])
      let isSmall = sound.hasPrefix("SMALL ")
      if isSmall { sound.removeFirst("SMALL ".count) }
      var mark = Rules.noMark
      if let first = sound.first, sound.count > 1, let plain = voiced[first] {
        mark += first == "P" ? 2 : 1
        sound = String(plain) + sound.dropFirst()
      } else if sound == "VU" {
        (sound, mark) = ("U", Rules.noMark + 1)
      }
      guard let number = sounds.firstIndex(of: sound) else { continue }
      let vowel = sound.last.flatMap { sounds.firstIndex(of: String($0)) } ?? 0
      let isKatakana = name.hasPrefix("KATAKANA")
      table[value] = Kana(
        number: UInt8(number), mark: mark, variant: (isSmall ? 0 : 2) + (isKatakana ? 1 : 0),
        vowel: UInt8(vowel))
    }
    return table
  }()
}
