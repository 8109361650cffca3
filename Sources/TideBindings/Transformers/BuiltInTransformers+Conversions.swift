import TideGraph

extension BuiltInTransformers {
  static var conversions: [String: Entry] {
    [
      // In reverse, the text passes unchanged: the binding converts it to its target's type.
      "string": Entry(
        usage: "string", summary: "Gives the value as text, and reads the text back.", counts: 0...0
      ) { (_) throws(TideError) in
        passingNil("string", text, reverse: { $0 })
      },
      "number": Entry(
        usage: "number(decimals, grouped)",
        summary: "Reads a number from text, or writes it with so many decimals.",
        example: "number(2, grouped)", counts: 0...2
      ) {
        (arguments) throws(TideError) in
        if arguments.count == 0 {
          return passingNil("number", { try $0.convertedToNumber() }, reverse: text)
        }
        let decimals = try arguments.integer(0, in: 0...30, default: 0)
        let isGrouped = arguments.count > 1
        if isGrouped, try arguments.text(1) != "grouped" {
          throw arguments.mismatch(1, wanted: "the word grouped")
        }
        let language = arguments.language
        return passingNil(
          "number",
          { value in
            let text = NumberText.fixed(try value.convertedToNumber(), decimals: decimals)
            return .string(language.current.text(text, isGrouped: isGrouped))
          },
          reverse: { try number($0, language.current) })
      },
      "integer": Entry(usage: "integer", summary: "Reads a whole number from text.", counts: 0...0)
      { (_) throws(TideError) in
        passingNil("integer", { try $0.convertedToInteger() }, reverse: text)
      },
      "boolean": Entry(usage: "boolean", summary: "Reads true or false from text.", counts: 0...0) {
        (_) throws(TideError) in
        passingNil("boolean", { .boolean(try $0.convertedToBoolean()) }, reverse: text)
      },
    ]
  }

  /// Reads a number as users write it in a language.
  static func number(_ value: Value, _ locale: FormatLocale) throws(TideError) -> Value {
    guard case .string(let text) = value else { return try value.convertedToNumber() }
    if let number = Numeral.parse(locale.plain(text)) { return number }
    return try value.convertedToNumber()
  }

  private static func text(_ value: Value) -> Value {
    switch value {
    case .string, .bytes: value
    default: .string(value.text ?? "")
    }
  }
}
