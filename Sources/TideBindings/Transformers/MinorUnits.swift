import TideGraph

/// Converts amounts in whole minor units, such as cents, to texts and numbers of major units and
/// back.
///
/// ```swift
/// let cents = MinorUnits(decimals: 2)
/// cents.text(of: -5)          // "-0.05"
/// cents.amount(in: "12.5")    // 1250
/// cents.amount(in: "0.005")   // nil
/// ```
///
/// Texts have a point and no grouping, whatever the locale. An amount never becomes a
/// floating-point number on its way to or from a text.
struct MinorUnits: Sendable {
  let decimals: Int

  /// The amount that messages show as an example: `12.50`.
  var example: Int { Int(12.5 * power) }

  func text(of amount: Int) -> String {
    var digits = String(amount.magnitude)
    let missing = decimals + 1 - digits.utf8.count
    if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
    if decimals > 0 { digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals)) }
    return amount < 0 ? "-" + digits : digits
  }

  /// Reads an amount; nil for a text that is not a number, has more decimals, or is too large.
  func amount(in text: String) -> Int? {
    let sign = text.prefix { $0 == "-" || $0 == "+" }
    let parts = text.dropFirst(sign.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard sign.count <= 1, let whole = parts.first, parts.contains(where: { !$0.isEmpty }) else {
      return nil
    }
    let fraction = parts.count > 1 ? parts[1] : ""
    // More decimals are fine if they are zeros.
    guard (whole + fraction).utf8.allSatisfy(\.isDigit),
      fraction.dropFirst(decimals).allSatisfy({ $0 == "0" })
    else { return nil }
    let kept = fraction.prefix(decimals)
    let zeros = String(repeating: "0", count: decimals - kept.count)
    return Int((sign == "-" ? "-" : "") + whole + kept + zeros)
  }

  /// An amount as a number of major units.
  ///
  /// - Throws: a conversion error for a value that is not an integer, or has no exact
  ///   representation.
  func number(of value: Value) throws(TideError) -> Value {
    guard case .integer(let amount) = try value.convertedToInteger(), decimals > 0 else {
      return try value.convertedToInteger()
    }
    let number = Double(amount) / power
    guard self.amount(ofNumber: number) == amount else {
      throw value.conversionError(
        to: "a number with \(decimals) decimals", because: "it is too large to be exact")
    }
    return .number(number)
  }

  /// Reads an amount from a number, or from a text in program notation or a locale's notation.
  func amount(of value: Value, _ locale: FormatLocale) throws(TideError) -> Value {
    var amount: Int?
    switch value {
    case .integer(let whole): amount = self.amount(in: String(whole))
    case .number(let number): amount = self.amount(ofNumber: number)
    case .string(let text):
      amount = self.amount(in: text.trimmed) ?? self.amount(in: locale.plain(text))
    default: break
    }
    if let amount { return .integer(amount) }
    if case .string(let text) = value, let number = locale.number(in: text),
      Arithmetic.float(number).magnitude * power >= 0x1p63
    {
      var error = value.conversionError(to: "minor units", because: "it is too large")
      error.cause = NumberFault.tooLarge
      throw error
    }
    throw value.conversionError(
      to: "minor units", because: "expected a number with at most \(decimals) decimals")
  }

  /// Nil for a number with more decimals, apart from rounding errors.
  private func amount(ofNumber number: Double) -> Int? {
    if let amount = amount(in: "\(number)") { return amount }
    guard case .integer(let amount) = Value.number(number * power).withoutRounding else {
      return nil
    }
    return amount
  }

  private var power: Double { (0..<decimals).reduce(1) { power, _ in power * 10 } }
}
