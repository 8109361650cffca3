import TideGraph

// Numbers as a locale writes and reads them.
extension FormatLocale {
  /// A number in program notation, such as `-1234.5`, in the locale's notation.
  func text(_ number: String, isGrouped: Bool) -> String {
    let isNegative = number.hasPrefix("-")
    let digits = isNegative ? number.dropFirst() : number[...]
    // `inf`, `nan` and powers of ten stay as they are.
    guard digits.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else { return number }
    let parts = digits.split(separator: ".", maxSplits: 1)
    guard let whole = parts.first else { return number }
    var text = isNegative ? "-" : ""
    text += isGrouped ? grouped(whole) : String(whole)
    if parts.count > 1 { text += decimal + parts[1] }
    return text
  }

  private func grouped(_ digits: Substring) -> String {
    // Some locales do not group numbers of four digits.
    if digits.count == 4, ["es", "pl", "pt-PT"].contains(identifier) { return String(digits) }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += grouping }
      text.append(digit)
    }
    return text
  }

  /// The percentage for a formatted number.
  func percentage(_ number: String) -> String {
    guard language == "tr" else { return number + percentGap + "%" }
    return number.hasPrefix("-") ? "-%" + number.dropFirst() : "%" + number
  }

  /// The number in a percentage, with a percent sign on either side or without one.
  func number(ofPercentage text: String) -> String {
    let trimmed = text.trimmed
    if trimmed.hasSuffix("%") { return String(trimmed.dropLast()) }
    guard let sign = trimmed.firstIndex(of: "%") else { return trimmed }
    let before = Numeral.withoutWideForms(String(trimmed[..<sign]))
    guard ["", "-", "+"].contains(before) else { return trimmed }
    return before + trimmed[trimmed.index(after: sign)...]
  }

  /// Converts a number in a user's notation to program notation: without groups, with a point.
  func plain(_ text: String) -> String {
    let text = Numeral.withoutWideForms(text).unicodeScalars.drop { Self.isSpace($0) }.reversed()
      .drop { Self.isSpace($0) }.reversed()
    let trimmed = String(String.UnicodeScalarView(text))
    let sign = trimmed.prefix { $0 == "-" || $0 == "+" }
    let parts = trimmed.dropFirst(sign.count).split(
      separator: decimal, maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.dropFirst().allSatisfy({ Self.isDigits($0) }),
      let digits = ungrouped(String(whole))
    else { return trimmed }
    return sign + digits + (parts.count > 1 ? "." + parts[1] : "")
  }

  private static func isDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy(\.isDigit) }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\u{a0}" || scalar == "\u{202f}" || scalar.properties.isWhitespace
  }

  /// The digits of a number in groups of three; nil for invalid groups.
  private func ungrouped(_ text: String) -> String? {
    if Self.isDigits(text[...]) { return text }
    // A keyboard has only one kind of space.
    let isSpaced = grouping.unicodeScalars.allSatisfy(Self.isSpace)
    return Numeral.ungrouped(text[...]) { character in
      if isSpaced, character.unicodeScalars.allSatisfy(Self.isSpace) { return true }
      return String(character) == grouping || Numeral.separators.contains(character)
    }
  }
}

// Numbers in text fields.
extension FormatLocale {
  /// A number as it is shown in a field, with a fixed number of decimals, or with all of them.
  package func text(ofNumber number: Value, decimals: Int?, isGrouped: Bool) -> String {
    let plain = decimals.map { NumberText.fixed(number, decimals: $0) } ?? number.text ?? ""
    return text(plain, isGrouped: isGrouped)
  }

  /// Reads a finite number in a user's notation; nil for any other text.
  package func number(in text: String) -> Value? {
    let plain = plain(text)
    guard plain.utf8.allSatisfy({ $0.isDigit || $0 | 0x20 == 0x65 || Self.signs.contains($0) }),
      let number = Numeral.parse(plain), Arithmetic.float(number).isFinite
    else { return nil }
    return number
  }

  /// Whether a number may begin with the text: it is empty, a sign or a decimal sign.
  package func isBeginOfNumber(_ text: String) -> Bool {
    let rest = text.trimmed.drop { $0 == "-" || $0 == "+" }
    return text.trimmed.count - rest.count <= 1 && (rest.isEmpty || rest == decimal || rest == ".")
  }

  private static let signs = Array(".+-".utf8)
}
