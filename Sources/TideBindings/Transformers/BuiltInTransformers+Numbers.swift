import TideGraph

extension BuiltInTransformers {
  static var numbers: [String: Entry] {
    [
      "scale": Entry(usage: "scale(factor)", counts: 1...1) { (arguments) throws(TideError) in
        let factor = try arguments.number(0)
        let isZero = factor == .integer(0)
        return passingNil(
          "scale", { try Arithmetic.multiply($0.convertedToNumber(), factor) },
          reverse: isZero ? nil : { try Arithmetic.divide($0.convertedToNumber(), factor) })
      },
      "offset": Entry(usage: "offset(distance)", counts: 1...1) { (arguments) throws(TideError) in
        let distance = try arguments.number(0)
        return passingNil(
          "offset", { try Arithmetic.add($0.convertedToNumber(), distance) },
          reverse: { try Arithmetic.subtract($0.convertedToNumber(), distance) })
      },
      "round": Entry(usage: "round(decimals)", counts: 0...1) { (arguments) throws(TideError) in
        let decimals = try arguments.integer(0, in: -300...300, default: 0)
        return passingNil("round", { try Arithmetic.round($0.convertedToNumber(), to: decimals) })
      },
      "clamp": Entry(usage: "clamp(lo, hi)", counts: 2...2) { (arguments) throws(TideError) in
        let (low, high) = (try arguments.number(0), try arguments.number(1))
        guard Arithmetic.isLess(low, high) || low == high else {
          throw TideError(
            .badArgument,
            "clamp(lo, hi) needs lo no greater than hi, not \(low.shown) and \(high.shown)")
        }
        let clamp: AnyTransformer.Function = { value in
          let number = try value.convertedToNumber()
          if Arithmetic.isLess(number, low) { return low }
          return Arithmetic.isLess(high, number) ? high : number
        }
        return passingNil("clamp", clamp, reverse: clamp)
      },
      "percent": Entry(usage: "percent(decimals)", counts: 0...1) { (arguments) throws(TideError) in
        let decimals = try arguments.integer(0, in: 0...30, default: 0)
        let language = arguments.language
        return passingNil("percent") { value in
          let share = try Arithmetic.multiply(value.convertedToNumber(), .number(100))
          let locale = language.current
          let text = locale.text(NumberText.fixed(share, decimals: decimals), isGrouped: false)
          return .string(text + locale.percentGap + "%")
        } reverse: { value in
          try share(ofPercentage: value, language.current)
        }
      },
      "bytes": Entry(usage: "bytes", counts: 0...0) { (arguments) throws(TideError) in
        let language = arguments.language
        return passingNil("bytes") { value in
          .string(NumberText.byteCount(try value.convertedToNumber(), language.current))
        }
      },
    ]
  }

  private static func share(
    ofPercentage value: Value, _ locale: FormatLocale
  ) throws(TideError) -> Value {
    guard case .string(let text) = value else {
      return Arithmetic.divide(try value.convertedToNumber(), .number(100))
    }
    let trimmed = text.trimmed
    let digits = trimmed.hasSuffix("%") ? String(trimmed.dropLast()) : trimmed
    guard let number = Numeral.parse(locale.plain(digits)) else {
      throw value.conversionError(to: "number", because: "expected a percentage such as 25%")
    }
    return Arithmetic.divide(number, .number(100))
  }
}
