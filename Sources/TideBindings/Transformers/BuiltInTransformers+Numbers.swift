import TideGraph

extension BuiltInTransformers {
  static var numbers: [String: Entry] {
    [
      "scale": Entry(
        usage: "scale(factor)", summary: "Multiplies the number; back, divides it.",
        example: "scale(100)", counts: 1...1
      ) { (arguments) throws(TideError) in
        let factor = try arguments.number(0)
        let isZero = factor == .integer(0)
        return passingNil(
          "scale",
          { try finite(Arithmetic.multiply($0.convertedToNumber(), factor), from: $0) },
          reverse: isZero
            ? nil : { try finite(Arithmetic.divide($0.convertedToNumber(), factor), from: $0) })
      },
      "offset": Entry(
        usage: "offset(distance)", summary: "Adds to the number; back, subtracts.",
        example: "offset(1)", counts: 1...1
      ) { (arguments) throws(TideError) in
        let distance = try arguments.number(0)
        return passingNil(
          "offset", { try finite(Arithmetic.add($0.convertedToNumber(), distance), from: $0) },
          reverse: { try finite(Arithmetic.subtract($0.convertedToNumber(), distance), from: $0) })
      },
      "round": Entry(
        usage: "round(decimals)",
        summary: "Rounds the number to so many decimals, or to a whole number.",
        example: "round(1)", counts: 0...1
      ) { (arguments) throws(TideError) in
        let decimals = try arguments.integer(0, in: -300...300, default: 0)
        return passingNil("round", { try Arithmetic.round($0.convertedToNumber(), to: decimals) })
      },
      "clamp": Entry(
        usage: "clamp(lo, hi)", summary: "Keeps the number between two bounds.",
        example: "clamp(0, 10)", counts: 2...2
      ) { (arguments) throws(TideError) in
        let (low, high) = (try arguments.number(0), try arguments.number(1))
        guard Arithmetic.isLess(low, high) || low == high else {
          throw TideError(
            .badArgument,
            "clamp(lo, hi) needs lo no greater than hi, not \(low.shown) and \(high.shown)")
        }
        let clamp: AnyTransformer.Function = { value in
          let number = try value.convertedToNumber()
          if Arithmetic.float(number).isNaN {
            throw value.conversionError(
              to: "a number from \(low.text ?? "") to \(high.text ?? "")")
          }
          if Arithmetic.isLess(number, low) { return low }
          return Arithmetic.isLess(high, number) ? high : number
        }
        return passingNil("clamp", clamp, reverse: clamp)
      },
      "percent": Entry(
        usage: "percent(decimals)",
        summary: "Writes a part of 1 as a percentage, and reads it back.", example: "percent(1)",
        counts: 0...1
      ) { (arguments) throws(TideError) in
        let decimals = try arguments.integer(0, in: 0...30, default: 0)
        let language = arguments.language
        return passingNil("percent") { value in
          let share = try Arithmetic.multiply(value.convertedToNumber(), .number(100))
          let locale = language.current
          let text = locale.text(NumberText.fixed(share, decimals: decimals), isGrouped: false)
          return .string(locale.percentage(text))
        } reverse: { value in
          try share(ofPercentage: value, language.current)
        }
      },
      "bytes": Entry(
        usage: "bytes", summary: "Writes a number of bytes with a unit.", counts: 0...0
      ) { (arguments) throws(TideError) in
        let language = arguments.language
        return passingNil("bytes") { value in
          .string(NumberText.byteCount(try value.convertedToNumber(), language.current))
        }
      },
    ]
  }

  /// The result of arithmetic on a text. Throws if it is not finite.
  private static func finite(_ result: Value, from value: Value) throws(TideError) -> Value {
    guard case .string = value, case .number(let number) = result, !number.isFinite else {
      return result
    }
    throw value.conversionError(to: .number, because: "it is too large")
  }

  private static func share(
    ofPercentage value: Value, _ locale: FormatLocale
  ) throws(TideError) -> Value {
    guard case .string(let text) = value else {
      return Arithmetic.divide(try value.convertedToNumber(), .number(100))
    }
    guard let number = Numeral.parse(locale.plain(locale.number(ofPercentage: text))) else {
      throw value.conversionError(to: "number", because: "expected a percentage such as 25%")
    }
    return Arithmetic.divide(number, .number(100))
  }
}
