import Testing
import TideGraph

@testable import TideBindings

/// The table of built-in transformers, row by row: `call`, a value, its forward result.
@Suite struct BuiltInTransformerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var call: String
    var input: Value
    var output: Value
    var isReversed = false
    var testDescription: String { "\(call) \(input.shown)" }

    init(_ call: String, _ input: Value, _ output: Value) {
      self.call = call
      self.input = input
      self.output = output
    }

    init(_ call: String, _ input: Value, isReversed: Bool) {
      self.init(call, input, .null)
      self.isReversed = isReversed
    }
  }

  let registry = TransformerRegistry(now: { 1_000_000 })

  /// The transformer that an expression's tail means.
  func make(_ call: String) throws -> AnyTransformer {
    try registry.make(BindingExpression("a -> b | \(call)").transforms[0])
  }

  func expectForward(_ call: String, _ input: Value, _ output: Value) throws {
    let result = try make(call).forward?(input)
    #expect(result == output, "\(input.shown) | \(call)")
    #expect(result?.typeName == output.typeName, "\(input.shown) | \(call)")
  }

  func expectReverse(_ call: String, _ input: Value, _ output: Value) throws {
    let result = try make(call).reverse?(input)
    #expect(result == output, "\(input.shown) | !\(call)")
    #expect(result?.typeName == output.typeName, "\(input.shown) | !\(call)")
  }

  func expectError(_ call: String, _ input: Value, isReversed: Bool = false) throws {
    let transformer = try make(call)
    #expect(throws: TideError.self, "\(input.shown) | \(call)") {
      try (isReversed ? transformer.reverse : transformer.forward)?(input)
    }
  }

  @Test func `every built-in is in the table`() {
    let expected = [
      "not", "isNil", "isNotNil", "string", "number", "integer", "boolean", "uppercase",
      "lowercase", "capitalized", "trim", "length", "default", "format", "prefix", "suffix",
      "scale", "offset",
      "round", "clamp", "percent", "bytes", "date", "relativeDate", "join", "split", "plural",
      "equals", "choose", "map", "translated", "minor", "currency",
    ]
    #expect(registry.names == expected.sorted())
  }

  @Test(arguments: [
    "isNil", "isNotNil", "uppercase", "lowercase", "capitalized", "trim", "length",
    "format('%d')", "round", "bytes", "relativeDate", "plural(a, b)", "scale(0)", "map(1..2: x)",
    "map(a: x, b: x)",
  ])
  func `those without a reverse have none`(call: String) throws {
    #expect(try make(call).reverse == nil)
  }

  @Test(arguments: [
    "string", "number", "number(2)", "integer", "boolean", "uppercase", "lowercase", "capitalized",
    "trim", "length", "format('%d')", "prefix(a)", "suffix(a)", "scale(2)", "offset(2)", "round",
    "clamp(1, 2)", "percent", "bytes", "date('%Y')", "relativeDate", "join(',')", "split(',')",
    "plural(a, b)", "minor(2)", "currency(EUR)",
  ])
  func `nil passes through what is not about nil`(call: String) throws {
    let transformer = try make(call)
    for nothing in [Value.null, Marker.null.value] {
      #expect(try transformer.forward?(nothing) == .null)
      if let reverse = transformer.reverse { #expect(try reverse(nothing) == .null) }
    }
  }

  @Test(
    arguments: [
      Row("not", true, Value.boolean(false)), Row("not", false, true), Row("not", nil, true),
      Row("not", 0, true),
      Row("not", 3, false), Row("not", "no", true),
      Row("isNil", nil, true), Row("isNil", 0, false), Row("isNotNil", nil, false),
      Row("isNotNil", "", true),
      Row("default(v)", nil, "v"), Row("default(v)", "x", "x"), Row("default(0)", nil, 0),
      Row("equals(3)", 3, true), Row("equals(3)", 4, false), Row("equals(abc)", "abc", true),
      Row("equals(nil)", nil, true), Row("equals(3)", nil, false),
      Row("choose(on, off)", true, "on"), Row("choose(on, off)", false, "off"),
      Row("choose(on, off)", nil, "off"), Row("choose(on, off)", 2, "on"),
      Row("choose(1, 2)", "yes", 1),
    ] as [Row])
  func `logic goes forward`(row: Row) throws {
    try expectForward(row.call, row.input, row.output)
  }

  @Test(
    arguments: [
      Row("not", true, Value.boolean(false)), Row("default(v)", "v", .null),
      Row("default(v)", "x", "x"),
      Row("equals(3)", true, 3), Row("equals(3)", false, .unchanged),
      Row("equals(3)", nil, .unchanged),
      Row("choose(on, off)", "on", true), Row("choose(on, off)", "off", false),
    ] as [Row])
  func `logic goes back`(row: Row) throws {
    try expectReverse(row.call, row.input, row.output)
  }

  @Test(
    arguments: [
      Row("string", 33, "33"), Row("string", 0.5, "0.5"), Row("string", true, "true"),
      Row("string", "x", "x"),
      Row("number", "250", 250), Row("number", "2.5", 2.5), Row("number", true, 1),
      Row("number", 7, 7),
      Row("number(2)", 3.14159, "3.14"), Row("number(2)", 5, "5.00"), Row("number(0)", 2.6, "3"),
      Row("number(2)", -0.001, "0.00"), Row("number(1)", "1.25", "1.2"),
      Row("number(1)", .number(.nan), "nan"),
      Row("integer", "12", 12), Row("integer", 12.0, 12), Row("boolean", "yes", true),
      Row("boolean", 0, false),
    ] as [Row])
  func `conversions go forward`(row: Row) throws {
    try expectForward(row.call, row.input, row.output)
  }

  @Test(
    arguments: [
      Row("string", "12", Value.string("12")), Row("number", 250, "250"), Row("number", 2.5, "2.5"),
      Row("number(2)", "3.14", 3.14), Row("integer", 12, "12"), Row("boolean", true, "true"),
    ] as [Row])
  func `conversions go back`(row: Row) throws {
    try expectReverse(row.call, row.input, row.output)
  }

  @Test(
    arguments: [
      Row("uppercase", "straße 1", "STRASSE 1"), Row("lowercase", "ÄBC", "äbc"),
      Row("uppercase", 5, "5"),
      Row("capitalized", "hELLO big-wide world", "Hello Big-Wide World"),
      Row("capitalized", "don't 3rd o’neil", "Don't 3rd O’neil"),
      Row("capitalized", "élan vital", "Élan Vital"),
      Row("trim", " \t a b \n", "a b"), Row("trim", "  ", ""), Row("length", "größe", 5),
      Row("length", "", 0),
      Row("length", 1234, 4), Row("prefix('$ ')", 5, "$ 5"), Row("suffix(kg)", "5 ", "5 kg"),
      Row("plural(friend, friends)", 1, "1 friend"), Row("plural(friend, friends)", 3, "3 friends"),
      Row("plural(friend, friends)", 0, "0 friends"),
      Row("plural(friend, friends)", 1.0, "1 friend"),
      Row("plural(friend, friends)", 1.5, "1.5 friends"),
      Row("plural(friend, friends)", "1", "1 friend"),
    ] as [Row])
  func `text goes forward`(row: Row) throws {
    try expectForward(row.call, row.input, row.output)
  }

  @Test(
    arguments: [
      Row("prefix('$ ')", "$ 5", Value.string("5")), Row("suffix(' kg')", "5 kg", "5"),
      Row("prefix(a)", "a", ""), Row("suffix('')", "x", "x"),
    ] as [Row])
  func `text goes back`(row: Row) throws {
    try expectReverse(row.call, row.input, row.output)
  }

  @Test(
    arguments: [
      Row("scale(2)", 21, 42), Row("scale(0.5)", 3, 1.5), Row("scale(2)", "4", 8),
      Row("scale(2)", true, 2),
      Row("scale(2)", .integer(.max), .number(0x1p64)), Row("offset(-3)", 10, 7),
      Row("offset(0.5)", 1, 1.5),
      Row("offset(1)", .integer(.max), .number(0x1p63)),
      Row("round", 2.5, 3), Row("round", -2.5, -3), Row("round", 7, 7), Row("round(1)", 0.25, 0.3),
      Row("round(2)", 3.14159, 3.14), Row("round(-2)", 1250, 1300),
      Row("round", .number(.infinity), .number(.infinity)),
      Row("round", .number(1e300), .number(1e300)), Row("round(300)", 0.5, 0.5),
      Row("clamp(0, 10)", 11, 10), Row("clamp(0, 10)", -1, 0), Row("clamp(0, 10)", 5.5, 5.5),
      Row("clamp(3, 3)", 9, 3),
      Row("percent", 0.256, "26%"), Row("percent(1)", 0.256, "25.6%"),
      Row("percent(2)", 1, "100.00%"),
      Row("percent", -0.001, "0%"),
      Row("bytes", 1536, "1.5 KiB"), Row("bytes", 0, "0 B"), Row("bytes", 1023, "1023 B"),
      Row("bytes", 1024, "1 KiB"),
      Row("bytes", 1_048_575, "1 MiB"), Row("bytes", -2048, "-2 KiB"),
      Row("bytes", .integer(.max), "8 EiB"),
      Row("bytes", .number(.infinity), "inf B"),
    ] as [Row])
  func `numbers go forward`(row: Row) throws {
    try expectForward(row.call, row.input, row.output)
  }

  @Test(
    arguments: [
      Row("scale(2)", 42, Value.integer(21)), Row("scale(2)", 7, 3.5),
      Row("scale(0.01)", 50, 5000.0),
      Row("offset(-3)", 7, 10), Row("clamp(0, 10)", 11, 10), Row("percent", "25.6%", 0.256),
      Row("percent(3)", " 50 ", 0.5), Row("percent", "-1e1%", -0.1), Row("percent", 50, 0.5),
    ] as [Row])
  func `numbers go back`(row: Row) throws {
    try expectReverse(row.call, row.input, row.output)
  }

  @Test(
    arguments: [
      Row("number", "abc", isReversed: false), Row("integer", 0.5, isReversed: false),
      Row("boolean", "maybe", isReversed: false), Row("scale(2)", "x", isReversed: false),
      Row("not", "maybe", isReversed: false), Row("clamp(0, 1)", "x", isReversed: false),
      Row("percent", "x%", isReversed: true), Row("percent", "%", isReversed: true),
      Row("prefix(a)", "b", isReversed: true), Row("suffix(a)", "b", isReversed: true),
      Row("suffix(abc)", "c", isReversed: true),
      Row("choose(a, b)", "c", isReversed: true), Row("choose(a, b)", "maybe", isReversed: false),
      Row("join(',')", "x", isReversed: false),
      Row("plural(a, b)", "x", isReversed: false), Row("bytes", "x", isReversed: false),
      Row("date('%Y')", "x", isReversed: true),
      Row("date('%Y')", .number(.nan), isReversed: false),
      Row("date('%Y')", .number(1e300), isReversed: false),
      Row("date('%Y')", .integer(.max), isReversed: false),
      Row("relativeDate", "soon", isReversed: false),
    ] as [Row])
  func `what does not fit is an error`(row: Row) throws {
    try expectError(row.call, row.input, isReversed: row.isReversed)
  }

  @Test(arguments: [
    ("uppercase(1)", "uppercase takes no arguments, not 1"),
    ("default", "default(value) takes 1 argument, not 0"),
    ("clamp(1)", "clamp(lo, hi) takes 2 arguments, not 1"),
    ("round(1, 2)", "round(decimals) takes 0 to 1 arguments, not 2"),
    ("scale(x)", "argument 1 of scale(factor) must be a number, not \"x\" (string)"),
    (
      "number(-1)",
      "argument 1 of number(decimals, grouped) must be a whole number from 0 to 30, not -1 (integer)"
    ),
    (
      "number(1.5)",
      "argument 1 of number(decimals, grouped) must be a whole number from 0 to 30, not 1.5 (number)"
    ),
    ("prefix(nil)", "argument 1 of prefix(text) must be a text, not nil"),
    ("clamp(2, 1)", "clamp(lo, hi) needs lo no greater than hi, not 2 (integer) and 1 (integer)"),
    ("date('%Q')", "date(pattern): invalid conversion specifier '%Q'"),
    ("date('%')", "date(pattern): invalid conversion specifier '%'"),
    ("date('%Ez')", "date(pattern): invalid conversion specifier '%Ez'"),
    ("date('!*t')", "date(pattern) gives a text; \"*t\" would give a table"),
    ("format('%y')", "format: invalid conversion '%y' to 'format'"),
  ])
  func `bad arguments are refused when the binding is made`(call: String, message: String) {
    let error = #expect(throws: TideError.self) { try make(call) }
    #expect(error?.code == .badArgument)
    #expect(error?.message.hasPrefix("column 10: \(message)\n") == true, "\(error?.message ?? "")")
  }

  @Test(
    arguments: [
      (0.4, "now"), (1, "1 second ago"), (59.9, "59 seconds ago"), (60, "1 minute ago"),
      (185, "3 minutes ago"), (7200, "2 hours ago"), (86_400, "1 day ago"), (691_200, "1 week ago"),
      (6_048_000, "2 months ago"), (69_120_000, "2 years ago"), (-185, "in 3 minutes"),
      (-1, "in 1 second"),
    ] as [(Double, String)])
  func `relative dates are counted in the largest unit`(age: Double, text: String) throws {
    try expectForward("relativeDate", .number(1_000_000 - age), .string(text))
  }

  @Test func `a relative date says when it changes`() throws {
    var now = 1_000_000.0
    registry.now = { now }
    let transformer = try make("relativeDate")
    for age in [
      0.0, 0.5, 1, 59.5, 60, 100, 3599, 3600, 90_000, 604_800, 2_629_799, -0.5, -1, -61, -7200,
    ] {
      now = 1_000_000
      let date = Value.number(now - age)
      let text = try transformer.forward?(date)
      let next = try #require(transformer.renewal?(date))
      #expect(next > now)
      now = next - 0.002
      if now > 1_000_000 { #expect(try transformer.forward?(date) == text, "age \(age) too late") }
      now = next + 0.002
      #expect(try transformer.forward?(date) != text, "age \(age) too early")
    }
    #expect(transformer.renewal?(nil) == nil)
    #expect(transformer.renewal?("x") == nil)
  }

  @Test func `lists join and texts split`() throws {
    let list = try #require(try make("split(', ')").forward?("a, b,, , c"))
    guard case .object(let object as any ValueSequence) = list else {
      Issue.record("no list")
      return
    }
    #expect(object.values == ["a", "b,", "", "c"].map { Value.string($0) })
    #expect(try make("join('-')").forward?(list) == "a-b,--c")
    #expect(try make("split('-')").reverse?(list) == "a-b,--c")
    guard case .object(let empty as any ValueSequence)? = try make("split(',')").forward?("") else {
      Issue.record("no list")
      return
    }
    #expect(empty.values.isEmpty)
  }

  @Test func `splitting the same text again gives the same list`() throws {
    let split = try make("split(',')")
    #expect(try split.forward?("a,b") == split.forward?("a,b"))
  }
}
