import Testing
import TideLua

@Suite struct `Values that take no memory on their way` {
  private let state: LuaState
  private let same: LuaFunction
  private let count: LuaFunction

  init() throws {
    state = try LuaState()
    same = try state.evaluate("function(...) return ... end", as: LuaFunction.self)
    count = try state.evaluate("function(...) return select('#', ...) end", as: LuaFunction.self)
  }

  @Test func `come back as they went`() throws {
    #expect(try same.call(7, as: Int.self) == 7)
    #expect(try same.call(Int.min, as: Int.self) == Int.min)
    #expect(try same.call(1.5, as: Double.self) == 1.5)
    #expect(try same.call(true, as: Bool.self))
    #expect(try same.call("größe", as: String.self) == "größe")
    #expect(try same.call("", as: String.self) == "")
    #expect(try same.call(Int?.none, as: Int?.self) == nil)
    #expect(try same.call(as: Int?.self) == nil)
    #expect(try same.call([1, 2], as: [Int].self) == [1, 2])
  }

  @Test func `convert between numbers as ever`() throws {
    #expect(try same.call(2, as: Double.self) == 2)
    #expect(try same.call(2.0, as: Int.self) == 2)
    #expect(try same.call(Int8(3), as: UInt64.self) == 3)
  }

  @Test(arguments: [0, 1, 10, 31, 32, 33, 63, 64, 65, 200])
  func `hold texts of any length`(length: Int) throws {
    let text = String(repeating: "x", count: length)
    let joined = try state.evaluate("function(a, b) return a .. '-' .. b end", as: LuaFunction.self)
    #expect(try joined.call(text, text, as: String.self) == "\(text)-\(text)")
  }

  @Test func `are any number`() throws {
    #expect(try count.call(1, 2, 3, 4, as: Int.self) == 4)
    #expect(try count.call(1, 2, 3, 4, 5, as: Int.self) == 5)
    #expect(try count.call("a", 1, [2], "b", 3, 4.5, as: Int.self) == 6)
    #expect(try count.call(1, Int?.none, as: Int.self) == 2)
  }

  @Test func `are told where they do not fit`() throws {
    func message(_ body: () throws -> Void) -> String? {
      #expect(throws: LuaError.self, performing: body)?.message
    }
    #expect(
      message { _ = try same.call("x", as: Int.self) }
        == "bad result #1 (number expected, got string)")
    #expect(
      message { _ = try same.call(as: Int.self) } == "bad result #1 (number expected, got no value)"
    )
    #expect(
      message { _ = try same.call([1], as: Int.self) }
        == "bad result #1 (number expected, got table)")
    #expect(
      message { _ = try count.call(1, UInt64.max, as: Int.self) }?.hasPrefix("bad argument #2 (")
        == true)
  }

  @Test func `are refused by a closed state`() throws {
    state.close()
    let error = #expect(throws: LuaError.self) { try same.call(1, as: Int.self) }
    #expect(error?.kind == .closed)
  }

  @Test func `are a call's inside of another`() throws {
    let same = same
    try state.register("again") { (text: String, n: Int) in
      try same.call(text, as: String.self) + "\(try same.call(n, as: Int.self))"
    }
    #expect(try state.evaluate("again('a', 1) .. again('b', 2)", as: String.self) == "a1b2")
  }
}
