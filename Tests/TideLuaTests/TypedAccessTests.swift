import FoundationEssentials
import Testing
import TideLua
import TideValues

@Suite struct `Typed access to a state` {
  struct Point: Codable, Equatable, TideConvertible { var x, y: Double }
  struct Celsius: Equatable, TideConvertible {
    var degrees: Double
    static var valueType: ValueType { .number }
    static func from(_ value: Value) throws -> Celsius {
      let degrees = try Double.from(value)
      guard degrees >= -273.15 else { throw ValueMismatch.unsuitable("colder than cold can be") }
      return Celsius(degrees: degrees)
    }
    func toValue() -> Value { .number(degrees) }
  }

  private let state: LuaState

  init() throws { state = try LuaState() }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch let error as LuaError { return error.message } catch { return "\(error)" }
  }

  @Test func `Foundation's plain types convert`() throws {
    let echo = try state.evaluate("function(...) return ... end", as: LuaFunction.self)
    let date = Date(timeIntervalSince1970: 1234.5), id = UUID()
    #expect(try echo.call(date, as: Date.self) == date)
    #expect(try echo.call(date, as: Double.self) == 1234.5)
    #expect(try echo.call(id, as: UUID.self) == id)
    #expect(try echo.call(id, as: String.self) == id.uuidString)
    let url = try #require(URL(string: "https://example.org/a?b=c"))
    #expect(try echo.call(url, as: URL.self) == url)
    let data = Data([0, 255, 10])
    #expect(try echo.call(data, as: Data.self) == data)
    #expect(try echo.call(Data("fig".utf8), as: String.self) == "fig")
    for text in ["0.1", "12", "-7.25", "123456789012345"] {
      let decimal = try #require(Decimal(string: text))
      #expect(try echo.call(decimal, as: Decimal.self) == decimal)
    }
    let long = try #require(Decimal(string: "0.1234567890123456789"))
    #expect(message { _ = try echo.call(long, as: Decimal.self) }.contains("more digits"))
    #expect(
      message { _ = try state.evaluate("'x'", as: UUID.self) }.contains("cannot read 'x' as a UUID")
    )
    #expect(message { _ = try state.evaluate("0/0", as: Date.self) }.contains("as a date"))
  }

  @Test func `a type converts as it says itself`() throws {
    try state.register("warmer") { (t: Celsius) in Celsius(degrees: t.degrees + 1) }
    #expect(try state.evaluate("warmer(20)", as: Celsius.self) == Celsius(degrees: 21))
    #expect(
      message { try state.run("warmer(-300)", name: "=t") }
        == "bad argument #1 to 'warmer' (colder than cold can be)")
  }

  @Test func `fields are read and written as Swift values`() throws {
    let table = try state.evaluate(
      "{ width = 80, at = { x = 1, y = 2 }, 'one' }", as: LuaTable.self)
    #expect(try table["width", as: Int.self] == 80)
    #expect(try table["at", as: Point.self] == Point(x: 1, y: 2))
    #expect(try table[1, as: String.self] == "one")
    #expect(try table["title", as: String?.self] == nil)
    #expect(
      message { _ = try table["title", as: String.self] }
        == "bad field 'title' (string expected, got nil)")
    #expect(
      message { _ = try table[1, as: Int.self] } == "bad field #1 (number expected, got string)")
    try table.set("at", to: [Point(x: 3, y: 4)])
    #expect(try table["at", as: [Point].self] == [Point(x: 3, y: 4)])
    #expect(
      message { try table.set("n", to: UInt.max) }
        == "bad field 'n' (18446744073709551615 does not fit a Lua integer)")
    try table.set("width", to: Int?.none)
    #expect(try table["width"].isNil)
  }

  @Test func `an evaluation has the environment and the budget of its call`() throws {
    let globals = try state.table(["width": 80])
    #expect(try state.evaluate("width", as: Int.self, environment: globals) == 80)
    #expect(try state.evaluate("width", as: Int?.self) == nil)
    let quick = LuaBudget(time: .milliseconds(20))
    let late = #expect(throws: LuaError.self) {
      try state.evaluate("while true do end", as: Int.self, budget: quick)
    }
    #expect(late?.kind == .time)
    let fill = "local t = {} for i = 1, 200000 do t[i] = i .. '' end return #t"
    let large = #expect(throws: LuaError.self) {
      try state.evaluate(fill, as: Int.self, budget: LuaBudget(memory: 1 << 20))
    }
    #expect(large?.kind == .memory)
    // What was allowed before is allowed again.
    #expect(try state.evaluate(fill, as: Int.self) == 200000)
  }

  @Test func `an evaluation that waits is awaited`() async throws {
    try state.register("later") { (n: Int) async throws -> Int in
      await Task.yield()
      return n + 1
    }
    #expect(try await state.evaluate("later(1) + later(2)", as: Int.self) == 5)
    let late = await #expect(throws: LuaError.self) {
      let budget = LuaBudget(time: .milliseconds(20))
      try await state.evaluate("later(1) while true do end", as: Int.self, budget: budget)
    }
    #expect(late?.kind == .time)
  }

  @Test func `a call has a budget of its own`() async throws {
    try state.register("later") { (n: Int) async throws -> Int in
      await Task.yield()
      return n + 1
    }
    let source = "function(n) for _ = 1, n do end return n, 'done' end"
    let spin = try await state.evaluate(source, as: LuaFunction.self)
    let quick = LuaBudget(time: .milliseconds(20)), small = LuaBudget(memory: 1 << 20)
    #expect(try spin.call(7, as: Int.self, budget: quick) == 7)
    #expect(try spin.call(7, as: (Int, String).self, budget: quick) == (7, "done"))
    #expect(try spin.call([7], budget: quick) == [7, "done"])
    for call in [
      { _ = try spin.call(Int.max, as: Int.self, budget: quick) },
      { _ = try spin.call(Int.max, as: (Int, String).self, budget: quick) },
      { try spin.call([.integer(.max)], budget: quick) },
    ] as [() throws -> Void] {
      #expect(#expect(throws: LuaError.self) { try call() }?.kind == .time)
    }
    let fill = try await state.evaluate(
      "function(n) local t = {} for i = 1, n do t[i] = i .. '' end return #t end",
      as: LuaFunction.self)
    let large = #expect(throws: LuaError.self) {
      try fill.call(200_000, as: Int.self, budget: small)
    }
    #expect(large?.kind == .memory)
    #expect(try fill.call(100, as: Int.self, budget: small) == 100)
    #expect(try fill.call(200_000, as: Int.self, budget: nil) == 200_000)
    let wait = try await state.evaluate(
      "function(n) for _ = 1, later(n) do end return n end", as: LuaFunction.self)
    let seven = try await wait.run(7, as: Int.self, budget: quick)
    #expect(seven == 7)
    let late = await #expect(throws: LuaError.self) {
      try await wait.run(Int.max - 1, as: Int.self, budget: quick)
    }
    #expect(late?.kind == .time)
    let chunk = await #expect(throws: LuaError.self) {
      _ = try await state.run(async: "later(1) while true do end", name: "=chunk", budget: quick)
    }
    #expect(chunk?.kind == .time)
  }

  @Test func `a budget only takes away, and counts for the outermost call`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(30)
    let state = try LuaState(configuration)
    let spin = try state.evaluate("function(n) for _ = 1, n do end end", as: LuaFunction.self)
    let ample = LuaBudget(time: .seconds(3600), memory: .max)
    let late = #expect(throws: LuaError.self) {
      try spin.call(Int.max, as: Int?.self, budget: ample)
    }
    #expect(late?.kind == .time)
    // What a script has called goes on in its turn, whatever it is given.
    try state.register("host") { () -> Int in
      let values = try state.evaluate(
        "(function() local t = {} for i = 1, 1000 do t[i] = i .. '' end return #t end)",
        as: LuaFunction.self)
      return try values.call(as: Int.self, budget: LuaBudget(memory: 0))
    }
    #expect(try state.evaluate("host()", as: Int.self) == 1000)
  }
}

@available(*, deprecated, message: "tests what is deprecated")
private enum OldFruit: String, LuaConvertible { case fig }
@available(*, deprecated, message: "tests what is deprecated")
private struct OldPoint: Codable, Equatable, LuaConvertible { var x: Int }
@available(*, deprecated, message: "tests what is deprecated")
private struct OldPair: Equatable, LuaConvertible {
  var a, b: Int
  static func fromLua(_ value: LuaValue) throws -> OldPair {
    guard let table = value.table else { throw LuaMismatch.expected("table", got: value) }
    return OldPair(a: try table[1].integer ?? 0, b: try table[2].integer ?? 0)
  }
  func toLua(in state: LuaState) throws -> LuaValue {
    .table(try state.table([.integer(a), .integer(b)]))
  }
}

/// Uses what is deprecated where the compiler does not mind: behind a requirement that is not.
private protocol OldSpelling {
  static func run() throws
}

private enum OldConversions: OldSpelling {
  @available(*, deprecated, message: "tests what is deprecated")
  static func run() throws {
    let state = try LuaState()
    try state.define("flip") { (pair: OldPair) in OldPair(a: pair.b, b: pair.a) }
    try state.define("print") { (_: LuaValue) in }
    #expect(try state.evaluate("flip { 1, 2 }", as: OldPair.self) == OldPair(a: 2, b: 1))
    #expect(try state.evaluate("'fig'", as: OldFruit.self) == .fig)
    #expect(try state.evaluate("{ x = 2 }", as: OldPoint.self) == OldPoint(x: 2))
    let error = #expect(throws: LuaError.self) { try state.evaluate("1", as: OldPair.self) }
    #expect(error?.message == "bad result #1 (table expected, got number)")
  }
}

@Suite struct `Spellings of before` {
  @Test func `go on to work`() throws {
    let old: any OldSpelling.Type = OldConversions.self
    try old.run()
  }
}
