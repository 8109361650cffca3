// Amounts of money as a locale writes and reads them.
extension FormatLocale {
  /// Where a language puts the sign of a currency.
  private enum SignPosition {
    /// `€12.50`, `-€12.50`
    case before
    /// `€ 12,50`, `-€ 12,50`
    case apartBefore
    /// `€ 12,50`, `€ -12,50`
    case apartBeforeMinus
    /// `CHF 12.50`, `CHF-12.50`
    case minusBetween
    /// `12,50 €`, `-12,50 €`
    case after
  }

  private var signPosition: SignPosition {
    switch identifier {
    case "en", "en-GB", "es-MX", "es-US", "ja", "ko", "tr", "zh": .before
    case "de-AT", "de-LI", "pt": .apartBefore
    case "nl": .apartBeforeMinus
    case "de-CH": .minusBetween
    default: .after
    }
  }

  private static let gap = "\u{a0}"

  /// An amount in minor units as users write it: `12,50 €`, `€12.50`.
  func text(of amount: Int, _ currency: Currency) -> String {
    let plain = MinorUnits(decimals: currency.decimals).text(of: amount)
    let number = text(plain.hasPrefix("-") ? String(plain.dropFirst()) : plain, isGrouped: true)
    let minus = amount < 0 ? "-" : ""
    let sign = currency.sign(in: self)
    switch signPosition {
    case .before: return minus + sign + (sign.last?.isLetter == true ? Self.gap : "") + number
    case .apartBefore: return minus + sign + Self.gap + number
    case .apartBeforeMinus: return sign + Self.gap + minus + number
    case .minusBetween: return sign + (amount < 0 ? minus : Self.gap) + number
    case .after: return minus + number + Self.gap + sign
    }
  }

  /// Reads an amount in minor units, with or without the currency's sign or code on either side;
  /// nil for any other text.
  func amount(in text: String, _ currency: Currency) -> Int? {
    var rest = text.trimmed[...]
    var isNegative = Self.takeMinus(from: &rest)
    for mark in [currency.sign(in: self), currency.code, currency.sign(in: .english)]
    where Self.take(mark, from: &rest) { break }
    if !isNegative { isNegative = Self.takeMinus(from: &rest) }
    guard let first = rest.first, first != "-", first != "+" else { return nil }
    return MinorUnits(decimals: currency.decimals).amount(
      in: (isNegative ? "-" : "") + plain(String(rest)))
  }

  private static func takeMinus(from text: inout Substring) -> Bool {
    guard let first = text.first, first == "-" || first == "\u{2212}" else { return false }
    text = text.dropFirst().drop(while: \.isWhitespace)
    return true
  }

  /// Removes a currency's sign or code from the beginning, or else from the end.
  private static func take(_ mark: String, from text: inout Substring) -> Bool {
    let count = mark.count
    if text.prefix(count).lowercased() == mark.lowercased() {
      text = text.dropFirst(count).drop(while: \.isWhitespace)
      return true
    }
    guard text.suffix(count).lowercased() == mark.lowercased() else { return false }
    text = text.dropLast(count)
    while text.last?.isWhitespace == true { text.removeLast() }
    return true
  }
}
