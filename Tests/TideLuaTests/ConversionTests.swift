import FoundationEssentials
import Testing
import TideLua

private enum Fruit: String, TideConvertible { case fig, pear }
private enum Coded: Int, Codable, TideConvertible { case one = 1 }
private struct Point: Codable, Equatable, TideConvertible { var x, y: Double }

@Suite struct `Typed calls` {
  private let state: LuaState

  init() throws { state = try LuaState() }

  private func function(_ source: String) throws -> LuaFunction {
    try state.evaluate(source, as: LuaFunction.self)
  }

  private func message<Value>(_ body: () throws -> Value) -> String {
    switch Result(catching: body) {
    case .success(let value): "no error but \(value)"
    case .failure(let error as LuaError): error.message
    case .failure(let error): "\(error)"
    }
  }

  @Test func `a call converts arguments and results`() throws {
    let join = try function("function(...) return table.concat({ ... }, '-') end")
    #expect(try join.call(1, "a", 0.5, as: String.self) == "1-a-0.5")
    #expect(try join.call(as: String.self) == "")
    let divide = try function("function(a, b) return a // b, a % b, 'rest' end")
    let (quotient, rest) = try divide.call(17, 5, as: (Int, Int).self)
    #expect(quotient == 3 && rest == 2)
    let three = try divide.call(17, 5, as: (Int8, Double, String).self)
    #expect(three == (3, 2, "rest"))
    try divide.call(1, 1, as: Void.self)
    let echo = try function("function(...) return ... end")
    #expect(try echo.call([1, 2, 3], as: [Int].self) == [1, 2, 3])
    #expect(try echo.call(["a": [true]], as: [String: [Bool]].self) == ["a": [true]])
    #expect(try echo.call([UInt8]([255, 0]), as: [UInt8].self) == [255, 0])
    #expect(try echo.call(Int?.none, as: Int?.self) == nil)
    #expect(try echo.call(Fruit.pear, as: Fruit.self) == .pear)
    #expect(try echo.call(Coded.one, as: Coded.self) == .one)
    #expect(try echo.call(Point(x: 1, y: 2), as: Point.self) == Point(x: 1, y: 2))
    #expect(try echo.call(echo, as: LuaFunction.self) == echo)
    #expect(try echo.call(UInt64(7), as: UInt64.self) == 7)
    #expect(try echo.call(-0.0, as: Float.self).sign == .minus)
    #expect(try echo.call(state.globals, as: LuaTable.self) == state.globals)
    let thread = try state.evaluate("coroutine.create(print)", as: LuaThread.self)
    #expect(try echo.call(thread, as: LuaValue.self) == .thread(thread))
  }

  @Test func `evaluating takes expressions and chunks`() throws {
    #expect(try state.evaluate("6 * 7", as: Int.self) == 42)
    #expect(try state.evaluate("local n = 6 return n * 7", as: Int.self) == 42)
    #expect(try state.evaluate("1 -- a comment", as: Int.self) == 1)
    let (name, age) = try state.evaluate("'Jimmy', 12", as: (String, Int).self)
    #expect(name == "Jimmy" && age == 12)
    let error = #expect(throws: LuaError.self) {
      try state.evaluate("1 +\n", as: Int.self, name: "@e.lua")
    }
    #expect(error?.kind == .syntax)
  }

  @Test func `results that do not fit are errors that say which`() throws {
    #expect(
      message { try state.evaluate("{}", as: Int.self) }
        == "bad result #1 (number expected, got table)")
    #expect(
      message { try state.evaluate("return", as: Int.self) }
        == "bad result #1 (number expected, got no value)")
    #expect(
      message { try state.evaluate("1, nil", as: (Int, String).self) }
        == "bad result #2 (string expected, got nil)")
    #expect(
      message { try state.evaluate("300", as: UInt8.self) }
        == "bad result #1 (300 does not fit UInt8)")
    #expect(
      message { try state.evaluate("1.5", as: Int.self) }
        == "bad result #1 (number has no integer representation)")
    #expect(
      message { try state.evaluate("2.0^70", as: Int.self) }.contains("no integer representation"))
    #expect(
      message { try state.evaluate("'8'", as: Int.self) }
        == "bad result #1 (number expected, got string)")
    #expect(
      message { try state.evaluate("8", as: String.self) }
        == "bad result #1 (string expected, got number)")
    #expect(
      message { try state.evaluate("'\\xff'", as: String.self) }
        == "bad result #1 (the text is not UTF-8)")
    #expect(
      message { try state.evaluate("{ 1, 'x' }", as: [Int].self) }
        == "bad result #1 ([2]: number expected, got string)")
    #expect(
      message { try state.evaluate("{ a = false }", as: [String: Int].self) }
        == "bad result #1 ([\"a\"]: number expected, got boolean)")
    #expect(
      message { try state.evaluate("'kiwi'", as: Fruit.self) }
        == "bad result #1 (cannot read 'kiwi' as Fruit)")
    #expect(
      message { try state.evaluate("{ x = 1 }", as: Point.self) }
        == "bad result #1 (y: the field is missing)")
    let echo = try function("function(...) return ... end")
    #expect(
      message { try echo.call(1, UInt.max, as: Void.self) }
        == "bad argument #2 (18446744073709551615 does not fit a Lua integer)")
  }

  @Test func `typed functions are called as any other`() throws {
    try state.register("half") { (n: Int) in n / 2 }
    try state.register("divide") { (a: Int, b: Int) in (a / b, a % b) }
    try state.register("greet") { (name: String, title: String?) in
      title.map { "\($0) \(name)" } ?? name
    }
    try state.register("total") { (numbers: [Double]) -> Double in numbers.reduce(0, +) }
    var said: [String] = []
    try state.register("say") { (text: String) in said.append(text) }
    try state.register("mirror") { (point: Point) in Point(x: point.y, y: point.x) }
    try state.register("seven") { () -> Int in 7 }
    try state.register("apply") { (function: LuaFunction, n: Int) in
      try function.call(n, as: Int.self)
    }
    let results = try state.run(
      """
      local q, r = divide(17, 5)
      return half(9), q, r, greet('Ann'), greet('Ann', 'Dr'), total({ 1, 2.5 }),
        select('#', say('hi')), mirror({ x = 1, y = 2 }).x, seven(), apply(half, 8), half(4, 'more')
      """, name: "=t")
    #expect(results == [4, 3, 2, "Ann", "Dr Ann", 3.5, 0, 2, 7, 4, 2])
    #expect(said == ["hi"])
    let made = try state.function(named: "made") { (a: Bool, b: Int8) in a ? b : -b }
    #expect(try made.call(false, 3, as: Int.self) == -3)
  }

  @Test func `bad arguments are told in Lua's words, with the calling line`() throws {
    try state.register("half") { (n: Int8, name: String?) in n / 2 }
    func error(_ call: String) -> LuaError? {
      #expect(throws: LuaError.self) { try state.run("\n\(call)", name: "@a.lua") }
    }
    #expect(
      error("half()")?.description
        == "a.lua:2: bad argument #1 to 'half' (number expected, got no value)")
    #expect(error("half(nil)")?.message == "bad argument #1 to 'half' (number expected, got nil)")
    #expect(error("half(500)")?.message == "bad argument #1 to 'half' (500 does not fit Int8)")
    #expect(
      error("half('5')")?.message == "bad argument #1 to 'half' (number expected, got string)")
    #expect(
      error("half(1, {})")?.message == "bad argument #2 to 'half' (string expected, got table)")
    try state.register("huge") { () in UInt.max }
    #expect(
      error("huge()")?.message
        == "bad result #1 of 'huge' (18446744073709551615 does not fit a Lua integer)")
    try state.register("hole") { () -> [Int?] in [1, nil] }
    #expect(error("hole()")?.message == "bad result #1 of 'hole' ([2]: a sequence holds no nil)")
    #expect(error("half(1, {})")?.traceback.contains("a.lua:2") == true)
  }

  @Test(arguments: ["{1, 2, nil, 4}", "{a = 1}", "{1, 2, x = 3}", "{[2] = 1}", "{[1.5] = 1}"])
  func `of a table to an array refuses what would be lost`(text: String) throws {
    let state = try LuaState()
    let error = #expect(throws: LuaError.self) { try state.evaluate(text, as: [Int].self) }
    #expect(error?.message.contains("sequence expected") == true, "\(error as Any)")
    let call = try state.function(named: "sum") { (n: [Int]) in n.reduce(0, +) }
    #expect(throws: LuaError.self) { try call.call([state.evaluate(text, as: LuaValue.self)]) }
    #expect(throws: LuaError.self) {
      try state.table(["x": state.evaluate(text, as: LuaValue.self)])["x", as: [Int]?.self]
    }
  }

  @Test func `of a sequence to an array takes scalars, tables and text`() throws {
    let state = try LuaState()
    #expect(try state.evaluate("{}", as: [Int].self) == [])
    #expect(try state.evaluate("{1, 2.5}", as: [Double].self) == [1, 2.5])
    #expect(try state.evaluate("{{1}, {2, 3}}", as: [[Int]].self) == [[1], [2, 3]])
    #expect(try state.evaluate("{'a', 'b'}", as: [String].self) == ["a", "b"])
    #expect(try state.evaluate("{print, print}", as: [LuaFunction].self).count == 2)
    #expect(try state.evaluate("'ab'", as: [UInt8].self) == [97, 98])
  }

  @Test func `of numbers gives what its elements give one by one`() throws {
    #expect(try state.evaluate("{ 1, 2.0, -3 }", as: [Int].self) == [1, 2, -3])
    #expect(try state.evaluate("{ 1, 2.5 }", as: [Double].self) == [1, 2.5])
    #expect(try state.evaluate("{}", as: [Int].self) == [])
    let refused = [
      "{ 1, 'x' }", "{ 1, 2, nil, 4 }", "{ nil, 2 }", "{ 1, a = 2 }", "{ { 1 } }", "{ true }", "1",
    ]
    for text in refused {
      #expect(throws: LuaError.self) { try state.evaluate(text, as: [Int].self) }
      #expect(throws: LuaError.self) { try state.evaluate(text, as: [Double].self) }
    }
    #expect(throws: LuaError.self) { try state.evaluate("{ 1, 2.5 }", as: [Int].self) }
    #expect(throws: LuaError.self) {
      try state.evaluate("{ math.maxinteger }", as: [Double].self)
    }
    let echo = try function("function(n) return math.type(n[1]), #n, n[2] end")
    let (kind, count, second) = try echo.call([1, 2, 3], as: (String, Int, Int).self)
    #expect((kind, count, second) == ("integer", 3, 2))
    let (other, _, half) = try echo.call([1, 0.5], as: (String, Int, Double).self)
    #expect((other, half) == ("float", 0.5))
    #expect(try function("function(n) return #n end").call([Int](), as: Int.self) == 0)
  }

  @Test func `keeps a decimal within a codable type a number`() throws {
    struct Item: Codable, Equatable, TideConvertible {
      var price: Decimal
      var others: [Decimal]
      var named: [String: Decimal]
    }
    let state = try LuaState()
    let tenth = Decimal(string: "0.1") ?? 0
    let item = Item(price: tenth, others: [1, tenth], named: ["a": 2])
    try state.globals.set("item", item.toLua(in: state))
    #expect(
      try state.evaluate(
        "item.price == 0.1 and item.others[1] == 1 and item.named.a == 2", as: Bool.self))
    #expect(try state.evaluate("item", as: Item.self) == item)
    let error = #expect(throws: (any Error).self) {
      try state.evaluate("{price = 'x', others = {}, named = {}}", as: Item.self)
    }
    #expect("\(error as Any)".contains("number expected"))
  }
}
