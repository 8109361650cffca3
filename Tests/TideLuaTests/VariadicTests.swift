import Testing
import TideLua

@Suite struct `Any number of arguments` {
  private let state: LuaState

  init() throws {
    state = try LuaState()
    try state.register("sum") { (numbers: LuaVariadic<Int>) in numbers.reduce(0, +) }
    try state.register("join") { (separator: String, parts: LuaVariadic<String>) in
      parts.joined(separator: separator)
    }
    try state.register("reversed") { (values: LuaVariadic<LuaValue>) in
      LuaVariadic(Array(values.reversed()))
    }
  }

  private func message(_ script: String) -> String {
    do {
      try state.run(script, name: "@a.lua")
      return "no error"
    } catch { return error.description }
  }

  @Test func `are of one type`() throws {
    let results = try state.run(
      "return sum(), sum(1), sum(1, 2, 3), join('-'), join('-', 'a', 'b')", name: "=t")
    #expect(results == [0, 1, 6, "", "a-b"])
  }

  @Test func `are as many results`() throws {
    #expect(try state.run("return reversed(1, nil, 'x')", name: "=t") == ["x", .nil, 1])
    #expect(try state.run("return select('#', reversed())", name: "=t") == [0])
  }

  @Test func `are told by their number where they do not fit`() {
    #expect(
      message("sum(1, 2, 'x')").contains(
        "bad argument #3 to 'sum' (number expected, got string)"))
    #expect(
      message("sum(1, nil, 2)").contains("bad argument #2 to 'sum' (number expected, got nil)"))
    #expect(message("join()").contains("bad argument #1 to 'join'"))
  }

  @Test func `are a method's`() throws {
    final class Bag: TideConvertible { var items: [String] = [] }
    let type = LuaUserType<Bag>("Bag")
    type.function("of") { (items: LuaVariadic<String>) in
      let bag = Bag()
      bag.items = Array(items)
      return bag
    }
    type.method("add") { (bag: Bag, items: LuaVariadic<String>) in
      bag.items += items
      return bag.items.count
    }
    type.method("all") { (bag: Bag) in LuaVariadic(bag.items) }
    try state.register(type)
    let results = try state.run(
      "local b = Bag.of('a', 'b') return b:add('c', 'd'), b:all()", name: "=t")
    #expect(results == [4, "a", "b", "c", "d"])
    #expect(
      message("Bag.of():add('a', 1)").contains(
        "bad argument #2 to 'add' (string expected, got number)"))
  }
}
