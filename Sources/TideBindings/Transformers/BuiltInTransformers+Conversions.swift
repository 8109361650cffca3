import TideGraph

extension BuiltInTransformers {
  static var conversions: [String: Entry] {
    [
      // Back, the text goes on as it is: the binding converts it to its target's type.
      "string": Entry(usage: "string", counts: 0...0) { (_) throws(TideError) in
        passingNil("string", text, reverse: { $0 })
      },
      "number": Entry(usage: "number(decimals)", counts: 0...1) { (arguments) throws(TideError) in
        if arguments.count == 0 {
          return passingNil("number", { try $0.convertedToNumber() }, reverse: text)
        }
        let decimals = try arguments.integer(0, in: 0...30, default: 0)
        return passingNil(
          "number", { .string(NumberText.fixed(try $0.convertedToNumber(), decimals: decimals)) },
          reverse: { try $0.convertedToNumber() })
      },
      "integer": Entry(usage: "integer", counts: 0...0) { (_) throws(TideError) in
        passingNil("integer", { try $0.convertedToInteger() }, reverse: text)
      },
      "boolean": Entry(usage: "boolean", counts: 0...0) { (_) throws(TideError) in
        passingNil("boolean", { .boolean(try $0.convertedToBoolean()) }, reverse: text)
      },
    ]
  }

  private static func text(_ value: Value) -> Value {
    switch value {
    case .string, .bytes: value
    default: .string(value.text ?? "")
    }
  }
}
