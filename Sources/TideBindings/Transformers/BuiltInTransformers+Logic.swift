import TideGraph

extension BuiltInTransformers {
  static var logic: [String: Entry] {
    [
      "not": Entry(
        usage: "not", summary: "Gives false for what is true, and true for false and nil.",
        counts: 0...0
      ) { (_) throws(TideError) in
        AnyTransformer("not", negate, reverse: negate)
      },
      "isNil": Entry(usage: "isNil", summary: "Gives whether the value is nil.", counts: 0...0) {
        (_) throws(TideError) in
        AnyTransformer("isNil", { .boolean($0.isNil) })
      },
      "isNotNil": Entry(
        usage: "isNotNil", summary: "Gives whether the value is not nil.", counts: 0...0
      ) { (_) throws(TideError) in
        AnyTransformer("isNotNil", { .boolean(!$0.isNil) })
      },
      "default": Entry(
        usage: "default(value)", summary: "Gives another value in place of nil.",
        example: "default(none)", counts: 1...1
      ) { (arguments) throws(TideError) in
        let fallback = arguments[0]
        return AnyTransformer(
          "default", { $0.isNil ? fallback : $0 }, reverse: { $0 == fallback ? .null : $0 })
      },
      "equals": Entry(
        usage: "equals(value)",
        summary: "Gives whether the value is the given one; back, true gives that value.",
        example: "equals(red)", counts: 1...1
      ) { (arguments) throws(TideError) in
        let wanted = arguments[0]
        return AnyTransformer(
          "equals", { .boolean($0 == wanted) },
          reverse: { try truth(of: $0) ? wanted : .unchanged })
      },
      "choose": Entry(
        usage: "choose(a, b)",
        summary: "Gives the first text for true and the second for false, and reads them back.",
        example: "choose(On, Off)", counts: 2...2
      ) { (arguments) throws(TideError) in
        let (yes, no) = (arguments[0], arguments[1])
        return AnyTransformer("choose", { try truth(of: $0) ? yes : no }) { value in
          if value == yes { return .boolean(true) }
          if value == no { return .boolean(false) }
          throw value.conversionError(
            to: "a boolean", because: "it is neither \(yes.shown) nor \(no.shown)")
        }
      },
    ]
  }

  /// `map(ok: green, 0..59: low, else: red)`
  static var maps: [String: Entry] {
    [
      "map": Entry(
        usage: "map(value: result, else: result)",
        summary:
          "Gives the result of the value or of the range that it lies in; else takes the rest.",
        example: "map(ok: green, 0..59: low, else: red)", counts: 0...0,
        build: { (arguments) throws(TideError) in
          guard arguments.values.isEmpty, !arguments.entries.isEmpty else {
            throw TideError(
              .badArgument,
              "map takes values with results, as in map(ok: green, 0..59: low, else: red)")
          }
          return try ValueMap(arguments.entries).transformer("map")
        }, takesEntries: true)
    ]
  }

  private static func negate(_ value: Value) throws -> Value { .boolean(try !truth(of: value)) }

  /// As in automatic conversion, but nil is false and an object is true.
  static func truth(of value: Value) throws(TideError) -> Bool {
    if value.isNil { return false }
    if case .object = value { return true }
    return try value.convertedToBoolean()
  }
}
