import TideGraph

// Numbers as a locale writes and reads them.
extension FormatLocale {
  /// A number as programs write it, such as `-1234.5`, in the locale's own way.
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
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += grouping }
      text.append(digit)
    }
    return text
  }

  /// A number that a person has written, as programs write it: without groups, with a point.
  func plain(_ text: String) -> String {
    let text = text.unicodeScalars.drop { Self.isSpace($0) }.reversed().drop { Self.isSpace($0) }
      .reversed()
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

  /// The digits of groups of three; nil for what is none.
  private func ungrouped(_ text: String) -> String? {
    if Self.isDigits(text[...]) { return text }
    // A keyboard has one space.
    let isSpaced = grouping.unicodeScalars.allSatisfy(Self.isSpace)
    let groups = text.split(omittingEmptySubsequences: false) { character in
      if isSpaced { return character.unicodeScalars.allSatisfy(Self.isSpace) }
      return String(character) == grouping || grouping == "’" && character == "'"
    }
    guard let first = groups.first, (1...3).contains(first.utf8.count),
      groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }),
      groups.allSatisfy({ Self.isDigits($0) })
    else { return nil }
    return groups.joined()
  }
}

// Numbers in fields.
extension FormatLocale {
  /// A number as a person sees it in a field, with so many decimals, or as many as it has.
  package func text(ofNumber number: Value, decimals: Int?, isGrouped: Bool) -> String {
    let plain = decimals.map { NumberText.fixed(number, decimals: $0) } ?? number.text ?? ""
    return text(plain, isGrouped: isGrouped)
  }

  /// The finite number that a person has written; nil for any other text.
  package func number(in text: String) -> Value? {
    let plain = plain(text)
    guard plain.utf8.allSatisfy({ $0.isDigit || $0 | 0x20 == 0x65 || Self.signs.contains($0) }),
      let number = Numeral.parse(plain), Arithmetic.float(number).isFinite
    else { return nil }
    return number
  }

  /// Whether it is nothing, a sign or a decimal sign: what a number may begin with.
  package func isBeginOfNumber(_ text: String) -> Bool {
    let rest = text.trimmed.drop { $0 == "-" || $0 == "+" }
    return text.trimmed.count - rest.count <= 1 && (rest.isEmpty || rest == decimal || rest == ".")
  }

  private static let signs = Array(".+-".utf8)
}
