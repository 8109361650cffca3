import Testing
import TideLua

@Suite struct `Iterators that Swift returns` {
  private let state: LuaState

  init() throws {
    state = try LuaState()
    try state.register("words") { LuaIterator(["fig", "pear"]) }
    try state.register("counts") { LuaIterator(pairs: ["fig": 2]) }
    try state.register("numbered") { LuaIterator(pairs: zip(1..., ["fig", "pear"])) }
    try state.register("naturals") { LuaIterator(1...) }
  }

  @Test func `are looped over`() throws {
    let results = try state.run(
      """
      local all, sum = {}, 0
      for word in words() do all[#all + 1] = word end
      for word, count in counts() do all[#all + 1] = word .. count end
      for number, word in numbered() do all[#all + 1] = number .. word end
      for n in naturals() do
        if n > 4 then break end
        sum = sum + n
      end
      return table.concat(all, " "), sum
      """, name: "=t")
    #expect(results == ["fig pear fig2 1fig 2pear", 10])
  }

  @Test func `stay at their end`() throws {
    let results = try state.run(
      "local next = words() next() next() return next(), next()", name: "=t")
    #expect(results == [.nil, .nil])
  }

  @Test func `raise an element that Lua has no value for at the loop's line`() throws {
    try state.register("huge") { LuaIterator([UInt64.max]) }
    let error = #expect(throws: LuaError.self) {
      try state.run("\nfor n in huge() do end", name: "@a.lua")
    }
    #expect(error?.location?.line == 2)
  }

  @Test func `refuse to advance while they advance`() throws {
    let again = try state.evaluate(
      "function(n) ok, why = pcall(step) return n end", as: LuaFunction.self)
    try state.register("nested") { () in
      LuaIterator(
        sequence(state: 0) { (last: inout Int) -> Int? in
          last += 1
          return try? again.call(last, as: Int.self)
        })
    }
    let results = try state.run("step = nested() return step(), step(), ok, why", name: "=t")
    #expect(results.prefix(3) == [1, 2, false])
    #expect("\(results[3])".contains("asked for an element while it makes one"))
  }

  @Test func `are no arguments`() throws {
    try state.register("take") { (_: LuaIterator) in 1 }
    let error = #expect(throws: LuaError.self) { try state.run("take(words())", name: "=t") }
    #expect(error?.message.contains("take a function") == true)
  }
}
