import TideValues

/// The order of a language's letters, from the Unicode CLDR.
///
/// The primary weights of a script's letters have gaps, in which a language places letters of its
/// own.
final class Rules: Sendable {
  /// The weights of a letter or a contraction.
  struct Element: Sendable {
    let primary: UInt16
    var secondary: UInt8 = Rules.noMark
    var tertiary: UInt8 = Rules.lower
  }

  /// A letter by its base and its first mark.
  struct Spelling: Hashable, Sendable {
    let base: UInt32
    let mark: UInt8
  }

  struct Contraction: Sendable {
    let letters: [UInt32]
    let elements: [Element]
  }

  // Weights of the second and the third level. They are greater than 0, which ends a level.
  static let noMark: UInt8 = 2
  static let lower: UInt8 = 2
  static let upper: UInt8 = 3
  /// The first byte of a number's weight.
  static let digits: UInt8 = 0x10

  /// The weight and the case of each ASCII character; 0 for characters that are ignored.
  let ascii: [(primary: UInt16, isUpper: Bool)]
  let tailored: [Spelling: Element]
  /// Contractions, the longest first.
  let contractions: [Contraction]
  let comparesAccentsBackwards: Bool
  let putsCapitalsFirst: Bool
  let distinguishesDotlessI: Bool
  /// The first byte of the syllabaries' weights.
  let kana: UInt16
  private let language: String

  var hasContractions: Bool { !contractions.isEmpty || distinguishesDotlessI }

  /// The weight of a Turkish i. The dotless one, whose capital is `I`, comes first. Nil for any
  /// other letter.
  func turkishI(_ letter: Letter, _ marks: [UInt8]) -> UInt16? {
    let dotted = primary(of: 0x69)
    if letter.base == 0x131 { return dotted - 1 }
    guard letter.base == 0x69, letter.isUpper else { return nil }
    if marks.isEmpty { return dotted - 1 }
    return marks == [Letter.weight(ofMark: "DOT ABOVE")] ? dotted : nil
  }

  // MARK: By language

  private static let made = Guarded<[String: Rules]>([:])

  /// The rules of a language or region, which are cached.
  static func of(_ identifier: String) -> Rules {
    made.withLock { made in
      if let known = made[identifier] { return known }
      let rules = Rules(identifier)
      // Apps choose identifiers, so there could be any number.
      if made.count < 64 { made[identifier] = rules }
      return rules
    }
  }

  private init(_ identifier: String) {
    language = String(identifier.prefix { $0 != "-" })
    comparesAccentsBackwards = identifier == "fr-CA"
    putsCapitalsFirst = language == "da"
    distinguishesDotlessI = language == "tr"
    kana = 0x90
    let cyrillic = Self.putsCyrillicFirst(language)
    ascii = (0..<128).map { Self.weight(ofASCII: UInt8($0), putsCyrillicFirst: cyrillic) }
    var tailored: [Spelling: Element] = [:]
    var contractions: [Contraction] = []
    for rule in Self.tailorings[language] ?? [] {
      rule.read(
        primary: { Self.primary(of: $0, putsCyrillicFirst: cyrillic) }, &tailored, &contractions)
    }
    self.tailored = tailored
    self.contractions = contractions.sorted { $0.letters.count > $1.letters.count }
  }

  private static func putsCyrillicFirst(_ language: String) -> Bool {
    ["ru", "uk"].contains(language)
  }

  /// `a: x < y = z`: separate letters that follow another one, each with its variants, which differ
  /// from it only by an accent. A text of several letters is a contraction.
  private static let tailorings: [String: [Tailoring]] = [
    "es": ["n: ñ"],
    "pl": ["a: ą", "c: ć", "e: ę", "l: ł", "n: ń", "o: ó", "s: ś", "z: ź < ż"],
    "sv": ["z: å < ä = æ < ö = ø = œ", "y = ü", "d = đ = ð"],
    "fi": ["z: å < ä = æ < ö = ø", "y = ü", "d = đ"],
    "da": ["z: æ = ä < ø = ö = ő < å = aa", "y = ü", "d = đ = ð"],
    "nb": ["z: æ = ä < ø = ö = ő < å = aa", "y = ü", "d = đ = ð"],
    "no": ["z: æ = ä < ø = ö = ő < å = aa", "y = ü", "d = đ = ð"],
    "cs": ["c: č", "h: ch", "r: ř", "s: š", "z: ž"],
    "sk": ["a: ä", "c: č", "h: ch", "o: ô", "r: ř", "s: š", "z: ž"],
    "hu": [
      "c: cs", "d: dz < dzs", "g: gy", "l: ly", "n: ny", "o: ö = ő", "s: sz", "t: ty", "u: ü = ű",
      "z: zs",
    ],
    "tr": ["c: ç", "g: ğ", "o: ö", "s: ş", "u: ü"],
  ]

  // MARK: Weights

  private static let latin: UInt16 = 0x2000
  private static let punctuation = Array("_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".utf8)
  /// Latin letters outside of the alphabet, by the letter that they follow.
  private static let afterLatin: [UInt32: (UInt8, UInt16)] = [
    0xF0: (UInt8(ascii: "d"), 8), 0x131: (UInt8(ascii: "i"), 8), 0x259: (UInt8(ascii: "e"), 8),
    0x14B: (UInt8(ascii: "n"), 8), 0xFE: (UInt8(ascii: "z"), 20), 0x138: (UInt8(ascii: "q"), 8),
  ]
  /// Cyrillic letters outside of the Russian alphabet, by the letter that they follow.
  private static let afterCyrillic: [UInt32: (UInt32, UInt16)] = [
    0x491: (0x433, 1), 0x452: (0x434, 1), 0x454: (0x435, 2), 0x455: (0x437, 1), 0x456: (0x438, 1),
    0x457: (0x438, 2), 0x458: (0x439, 1), 0x459: (0x43B, 1), 0x45A: (0x43D, 1), 0x45B: (0x442, 1),
    0x45E: (0x443, 1), 0x45F: (0x447, 1),
  ]

  private static func weight(
    ofASCII byte: UInt8, putsCyrillicFirst: Bool
  ) -> (primary: UInt16, isUpper: Bool) {
    switch byte {
    case 0x09...0x0D: return (0x0100 + UInt16(byte), false)
    case 0x20: return (0x0120, false)
    case 0x30...0x39: return (UInt16(digits) << 8 | UInt16(byte - 0x2F), false)
    case 0x41...0x5A, 0x61...0x7A:
      return (primary(of: UInt32(byte | 0x20), putsCyrillicFirst: putsCyrillicFirst), byte < 0x61)
    default:
      guard let index = punctuation.firstIndex(of: byte) else { return (0, false) }
      return (0x0200 + UInt16(index), false)
    }
  }

  /// The weight of a small base letter.
  func primary(of base: UInt32) -> UInt16 {
    Self.primary(of: base, putsCyrillicFirst: Self.putsCyrillicFirst(language))
  }

  private static func primary(of base: UInt32, putsCyrillicFirst: Bool) -> UInt16 {
    switch base {
    case 0x61...0x7A: return latin + UInt16(base - 0x60) * 32
    case 0x370...0x3FF: return 0x4000 + UInt16(base - 0x370) * 8
    case 0x400...0x52F:
      let start: UInt16 = putsCyrillicFirst ? 0x1800 : 0x6000
      let (known, offset) = afterCyrillic[base] ?? (base, 0)
      // The letters of the alphabet come before those outside of it.
      return start + UInt16(known >= 0x430 && known < 0x450 ? known - 0x430 : known - 0x3E0) * 4
        + offset
    default:
      if let (letter, offset) = afterLatin[base] {
        return latin + UInt16(letter - 0x60) * 32 + offset
      }
      // All other Latin letters come last, in the order of their code points.
      return 0x2400 + UInt16(truncatingIfNeeded: base % 0x1B00)
    }
  }

  /// The first byte of the weight of a character that is ordered by code point; nil for a character
  /// that is ignored.
  func lead(of scalar: Unicode.Scalar) -> UInt8? {
    let properties = scalar.properties
    if properties.isWhitespace { return 1 }
    switch properties.generalCategory {
    case .control, .format, .unassigned, .surrogate: return nil
    case .dashPunctuation, .connectorPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation:
      return 3
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .otherNumber, .letterNumber:
      return 4
    default: break
    }
    switch scalar.value {
    case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7FF: return language == "ko" ? 0x19 : 0xC1
    case 0x2E80...0x2FDF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      // These scripts come before all letters in their own language, and after all letters in
      // others.
      return language == "zh" ? 0x19 : 0xC2
    default: return 0xA0
    }
  }

  /// The value of a digit of any script.
  static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
    if scalar.isASCII {
      return (0x30...0x39).contains(scalar.value) ? UInt8(scalar.value - 0x30) : nil
    }
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
    else { return nil }
    return UInt8(value)
  }

  /// The tertiary weight if capitals come first.
  static func swapped(_ tertiary: UInt8) -> UInt8 {
    tertiary == lower ? upper : tertiary == upper ? lower : tertiary
  }
}

/// One tailoring rule of a language.
private struct Tailoring: ExpressibleByStringLiteral, Sendable {
  private let text: String

  init(stringLiteral text: String) { self.text = text }

  func read(
    primary: (UInt32) -> UInt16, _ tailored: inout [Rules.Spelling: Rules.Element],
    _ contractions: inout [Rules.Contraction]
  ) {
    let parts = text.split(separator: ": ")
    let isAlike = parts.count == 1
    guard let anchor = parts.first?.unicodeScalars.first, let rest = parts.last else { return }
    var weight = primary(anchor.value)
    for group in rest.split(separator: " < ") {
      if !isAlike { weight += 2 }
      for (index, letter) in group.split(separator: " = ").enumerated() {
        if isAlike, index == 0 { continue }
        let element = Rules.Element(
          primary: weight, secondary: Rules.noMark + (index == 0 ? 0 : 0x40 + UInt8(index)))
        note(String(letter), element, &tailored, &contractions)
      }
    }
  }

  private func note(
    _ letter: String, _ element: Rules.Element,
    _ tailored: inout [Rules.Spelling: Rules.Element], _ contractions: inout [Rules.Contraction]
  ) {
    let scalars = Array(letter.unicodeScalars)
    if scalars.count > 1 {
      contractions.append(Rules.Contraction(letters: scalars.map(\.value), elements: [element]))
      // A doubled contraction in Hungarian repeats only the first letter: `ssz` is `sz` and `sz`.
      if letter != "ch", letter != "aa" {
        let doubled = [scalars[0].value] + scalars.map(\.value)
        contractions.append(Rules.Contraction(letters: doubled, elements: [element, element]))
      }
      return
    }
    guard let known = scalars.first.flatMap(Letter.of) else { return }
    tailored[Rules.Spelling(base: known.base, mark: known.marks.first ?? 0)] = element
  }
}
