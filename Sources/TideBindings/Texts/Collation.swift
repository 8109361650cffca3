/// The order of texts in a language, as in dictionaries.
///
/// ```swift
/// let german = Collation(language: "de")
/// german.key(of: "Äpfel") < german.key(of: "Zoo")     // true
/// ```
///
/// A text is converted to a key once, and keys are compared byte by byte:
///
///     primaries 00 secondaries 00 tertiaries        letters, then accents, then case
///
/// The order is that of the Unicode CLDR: white space, punctuation, digits, then letters by script,
/// with the exceptions of each language (``Rules``). Chinese characters follow the order of their
/// code points, because there are too many to list.
struct Collation: Sendable {
  private let rules: Rules
  private let isNatural: Bool

  /// - Parameter isNatural: whether digits count as numbers, so that `item 9` is before `item 10`.
  init(_ identifier: String, isNatural: Bool = false) {
    rules = Rules.of(identifier)
    self.isNatural = isNatural
  }

  /// A key whose order among the keys of one collation is that of the text.
  func key(of text: String) -> Key {
    var builder = KeyBuilder(text.utf8.count)
    if let plain = text.utf8.withContiguousStorageIfAvailable({ add($0, to: &builder) }), plain {
      return builder.key(rules)
    }
    builder = KeyBuilder(text.utf8.count)
    add(Array(text.unicodeScalars), to: &builder)
    return builder.key(rules)
  }

  /// The sort key of a text.
  struct Key: Comparable, Sendable {
    fileprivate let bytes: [UInt8]

    static func < (left: Key, right: Key) -> Bool { left.compare(with: right) < 0 }

    /// Negative if this key comes first, 0 for texts that the collation does not distinguish.
    func compare(with other: Key) -> Int {
      let count = min(bytes.count, other.bytes.count)
      for index in 0..<count where bytes[index] != other.bytes[index] {
        return bytes[index] < other.bytes[index] ? -1 : 1
      }
      return bytes.count - other.bytes.count
    }
  }

  // MARK: Texts of ASCII characters

  /// Adds all characters. Returns false if one needs more than a look-up in the table.
  private func add(_ bytes: UnsafeBufferPointer<UInt8>, to builder: inout KeyBuilder) -> Bool {
    if isNatural || rules.hasContractions { return false }
    for byte in bytes {
      if byte >= 0x80 { return false }
      let (primary, isUpper) = rules.ascii[Int(byte)]
      if primary == 0 { continue }
      builder.add(primary, tertiary: isUpper ? Rules.upper : Rules.lower)
    }
    return true
  }

  // MARK: Other texts

  private func add(_ scalars: [Unicode.Scalar], to builder: inout KeyBuilder) {
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if isNatural, let next = addNumber(scalars, from: index, to: &builder) {
        index = next
        continue
      }
      if let (elements, length) = contraction(scalars, at: index) {
        for element in elements { builder.add(element) }
        index += length
        continue
      }
      index += 1
      guard let letter = Letter.of(scalar) else {
        addOther(scalar, to: &builder)
        continue
      }
      var marks = letter.marks
      while index < scalars.count, let mark = Letter.mark(of: scalars[index]) {
        marks.append(mark)
        index += 1
      }
      add(letter, marks, to: &builder)
    }
  }

  private func add(_ letter: Letter, _ marks: [UInt8], to builder: inout KeyBuilder) {
    let isUpper = letter.isUpper
    let tertiary = isUpper ? Rules.upper : Rules.lower
    let spelling = Rules.Spelling(base: letter.base, mark: marks.first ?? 0)
    if let element = rules.tailored[spelling] {
      builder.add(element.primary, secondary: element.secondary, tertiary: tertiary)
      for mark in marks.dropFirst() { builder.addMark(mark) }
      return
    }
    if rules.distinguishesDotlessI, let primary = rules.turkishI(letter, marks) {
      builder.add(primary, tertiary: tertiary)
      return
    }
    for (offset, base) in letter.expanded.enumerated() {
      // A character that expands to two letters comes after the two.
      builder.add(
        rules.primary(of: base), tertiary: tertiary + (letter.isExpanded ? 2 : letter.variant))
      if offset == 0, letter.isExpanded { builder.addMark(Letter.ligature) }
    }
    for mark in marks { builder.addMark(mark) }
  }

  private func contraction(
    _ scalars: [Unicode.Scalar], at index: Int
  ) -> (elements: [Rules.Element], length: Int)? {
    guard rules.hasContractions else { return nil }
    for contraction in rules.contractions where index + contraction.letters.count <= scalars.count {
      var isUpper = false
      var matches = true
      for (offset, wanted) in contraction.letters.enumerated() {
        guard let letter = Letter.of(scalars[index + offset]), letter.base == wanted,
          letter.marks.isEmpty
        else {
          matches = false
          break
        }
        if offset == 0 { isUpper = letter.isUpper }
      }
      let end = index + contraction.letters.count
      if !matches || end < scalars.count && Letter.mark(of: scalars[end]) != nil { continue }
      let elements = contraction.elements.map { element in
        var element = element
        if isUpper { element.tertiary = Rules.upper }
        return element
      }
      return (elements, contraction.letters.count)
    }
    return nil
  }

  /// Adds a number by its value: the number of digits, and then the digits.
  private func addNumber(
    _ scalars: [Unicode.Scalar], from start: Int, to builder: inout KeyBuilder
  ) -> Int? {
    var index = start
    var digits: [UInt8] = []
    while index < scalars.count, let digit = Rules.digit(scalars[index]) {
      digits.append(digit)
      index += 1
    }
    if index == start { return nil }
    let significant = digits.drop { $0 == 0 }
    var count = significant.count
    var lead: [UInt8] = []
    while count >= 0xFE {
      lead.append(0xFF)
      count -= 0xFE
    }
    builder.add([Rules.digits] + lead + [UInt8(count + 1)] + significant.map { $0 + 1 })
    return index
  }

  private func addOther(_ scalar: Unicode.Scalar, to builder: inout KeyBuilder) {
    if let digit = Rules.digit(scalar) {
      builder.add(
        UInt16(Rules.digits) << 8 | UInt16(digit + 1),
        tertiary: scalar.isASCII ? Rules.lower : Rules.lower + 2)
    } else if scalar.isASCII {
      let (primary, _) = rules.ascii[Int(scalar.value)]
      if primary != 0 { builder.add(primary, tertiary: Rules.lower) }
    } else if let mark = Letter.mark(of: scalar) {
      builder.addMark(mark)
    } else if let kana = Kana.of(scalar, after: builder.kanaVowel) {
      builder.add(
        rules.kana << 8 | UInt16(kana.number + 1),
        secondary: kana.mark, tertiary: kana.variant + Rules.lower)
      builder.kanaVowel = kana.vowel
    } else if let lead = rules.lead(of: scalar) {
      let value = scalar.value
      builder.add([
        lead, UInt8(truncatingIfNeeded: value >> 16) + 1, UInt8(truncatingIfNeeded: value >> 8),
        UInt8(truncatingIfNeeded: value),
      ])
    }
  }
}

/// Collects the weights of a text.
private struct KeyBuilder {
  private var bytes: [UInt8] = []
  private var secondaries: [UInt8] = []
  private var tertiaries: [UInt8] = []
  /// The numbers of default weights at the end, secondary and tertiary ones, which may be omitted.
  private var plainSecondaries = 0
  private var plainTertiaries = 0
  /// The vowel of the preceding kana, which a prolonged sound mark repeats.
  var kanaVowel: UInt8?

  init(_ count: Int) { bytes.reserveCapacity(3 * count + 4) }

  mutating func add(
    _ primary: UInt16, secondary: UInt8 = Rules.noMark, tertiary: UInt8 = Rules.lower
  ) {
    kanaVowel = nil
    bytes.append(UInt8(primary >> 8))
    bytes.append(UInt8(truncatingIfNeeded: primary))
    addMark(secondary)
    addTertiary(tertiary)
  }

  mutating func add(_ element: Rules.Element) {
    add(element.primary, secondary: element.secondary, tertiary: element.tertiary)
  }

  /// Adds a primary weight of another length.
  mutating func add(_ primary: [UInt8]) {
    kanaVowel = nil
    bytes += primary
    addMark(Rules.noMark)
    addTertiary(Rules.lower)
  }

  mutating func addMark(_ mark: UInt8) {
    if mark == Rules.noMark {
      plainSecondaries += 1
    } else {
      secondaries += repeatElement(Rules.noMark, count: plainSecondaries) + [mark]
      plainSecondaries = 0
    }
  }

  private mutating func addTertiary(_ tertiary: UInt8) {
    if tertiary == Rules.lower {
      plainTertiaries += 1
    } else {
      tertiaries += repeatElement(Rules.lower, count: plainTertiaries) + [tertiary]
      plainTertiaries = 0
    }
  }

  func key(_ rules: Rules) -> Collation.Key {
    var bytes = bytes
    bytes.append(0)
    if rules.comparesAccentsBackwards {
      let all = secondaries + repeatElement(Rules.noMark, count: plainSecondaries)
      bytes += all.reversed()
    } else {
      bytes += secondaries
    }
    bytes.append(0)
    // If capitals come first, the weights of capital and small letters are swapped.
    if rules.putsCapitalsFirst {
      let all = tertiaries + repeatElement(Rules.lower, count: plainTertiaries)
      bytes += all.map { Rules.swapped($0) }
    } else {
      bytes += tertiaries
    }
    return Collation.Key(bytes: bytes)
  }
}
