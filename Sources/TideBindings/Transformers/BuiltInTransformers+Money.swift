import TideGraph

// Amounts of money are integers: whole minor units, such as cents.
extension BuiltInTransformers {
  static var money: [String: Entry] {
    [
      "minor": Entry(
        usage: "minor(decimals)",
        summary: "Gives the number that whole minor units stand for, and the units of a number.",
        example: "minor(2)", counts: 1...1
      ) { (arguments) throws(TideError) in
        let units = MinorUnits(decimals: try arguments.integer(0, in: 0...18, default: 2))
        let language = arguments.language
        return passingNil(
          "minor", { try units.number(of: $0) },
          reverse: { try units.amount(of: $0, language.current) })
      },
      "currency": Entry(
        usage: "currency(code)",
        summary: "Writes minor units as an amount of a currency, and reads the amount.",
        example: "currency(EUR)", counts: 1...1
      ) { (arguments) throws(TideError) in
        guard let currency = Currency(try arguments.text(0)) else {
          throw arguments.mismatch(0, wanted: "a currency code of ISO 4217, such as EUR")
        }
        let units = MinorUnits(decimals: currency.decimals)
        let language = arguments.language
        return passingNil("currency") { value in
          guard case .integer(let amount) = try value.convertedToInteger() else { return value }
          return .string(language.current.text(of: amount, currency))
        } reverse: { value in
          guard case .string(let text) = value else {
            return try units.amount(of: value, language.current)
          }
          let locale = language.current
          if let amount = locale.amount(in: text, currency) { return .integer(amount) }
          let example = locale.text(of: units.example, currency)
          throw value.conversionError(
            to: currency.code, because: "expected an amount such as \(example)")
        }
      },
    ]
  }
}
