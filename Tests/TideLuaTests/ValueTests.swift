import Fuzzing
import Testing
import TideLua

@Suite struct `Values` {
  @Test func `every kind of scalar and text goes in and comes out`() throws {
    let state = try LuaState()
    let echo = try #require(
      try state.run("return function(...) return ... end", name: "=e")[0].function)
    let values: [LuaValue] = [
      .nil, .boolean(true), .boolean(false), .integer(.max), .integer(.min), .integer(0),
      .number(0.5), .number(-0.0), .number(.infinity), .number(.greatestFiniteMagnitude),
      .string(""), .string("a"), .string("zwölf Boxkämpfer, 日本語 🍐"),
      .string("an\0embedded zero"), .bytes([0xff, 0, 0xfe]),
      .string(String(repeating: "long ", count: 5000)),
    ]
    #expect(try echo.call(values) == values)
    for value in values { #expect(try echo(value) == value) }
  }

  @Test func `a NaN stays one and an integer stays an integer`() throws {
    let state = try LuaState()
    let results = try state.run("return 0/0, 3, 3.0, math.type(3), math.type(3.0)", name: "=t")
    #expect(results[0].number?.isNaN == true)
    guard case .integer(3) = results[1] else { return #expect(Bool(false)) }
    guard case .number(3) = results[2] else { return #expect(Bool(false)) }
    #expect(results[3...] == ["integer", "float"])
  }

  @Test func `bytes that are UTF-8 come back as a string`() throws {
    let state = try LuaState()
    let echo = try #require(
      try state.run("return function(x) return x end", name: "=e")[0].function)
    #expect(try echo(.bytes(Array("pear".utf8))) == .string("pear"))
  }

  @Test func `random values survive a round trip through tables and functions`() throws {
    let state = try LuaState()
    let echo = try #require(
      try state.run("return function(...) return ... end", name: "=e")[0].function)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      var values = (0..<Int.random(in: 0...30, using: &random)).map { _ in scalar(&random) }
      #expect(try echo.call(values) == values)
      values.removeAll { $0.isNil }
      let table = try state.table(values)
      #expect(try table.sequence() == values)
    }
  }

  private func scalar(_ random: inout SeededGenerator) -> LuaValue {
    switch Int.random(in: 0...5, using: &random) {
    case 0: return .boolean(.random(using: &random))
    case 1: return .integer(.random(in: .min ... .max, using: &random))
    case 2: return .number(.random(in: -1e9...1e9, using: &random))
    case 3: return .nil
    case 4: return .bytes([0xff] + (0..<Int.random(in: 0...60, using: &random)).map { UInt8($0) })
    default: return .string(String(repeating: "é", count: .random(in: 0...60, using: &random)))
    }
  }

  @Test func `a description runs __tostring`() throws {
    let state = try LuaState()
    let value = try state.run(
      "return setmetatable({}, { __tostring = function() return 'me' end })", name: "=t")[0]
    #expect(try state.describe(value) == "me")
    #expect(try state.describe(.number(1)) == "1.0")
  }
}
