import Testing
import TideLua

@Suite struct `Tables` {
  @Test func `getting and setting go through metamethods, raw access does not`() throws {
    let state = try LuaState()
    let table = try #require(
      try state.run(
        """
        return setmetatable({}, { __index = function(_, k) return k .. '!' end,
          __newindex = function(t, k, v) rawset(t, k, v * 2) end, __len = function() return 42 end })
        """, name: "=t")[0].table)
    #expect(try table["x"] == "x!")
    #expect(try table.rawGet("x") == nil)
    try table.set("y", 4)
    #expect(try table.rawGet("y") == 8)
    try table.rawSet("y", 5)
    #expect(try table["y"] == 5)
    #expect(try table.count == 42)
    #expect(try table.rawCount == 0)
  }

  @Test func `iteration sees every entry and may stop early`() throws {
    let state = try LuaState()
    let table = try state.table(["a": 1, "b": 2])
    try table.rawSet(1, "one")
    #expect(try table.entries().count == 3)
    var seen = 0
    try table.forEach { _, _ in
      seen += 1
      return seen < 2
    }
    #expect(seen == 2)
    #expect(try state.globals["print"].function != nil)
  }

  @Test func `a body that throws ends the iteration and leaves the stack alone`() throws {
    struct Stop: Error {}
    let state = try LuaState()
    let table = try state.table([1, 2, 3])
    for _ in 0..<1000 {
      #expect(throws: Stop.self) { try table.forEach { _, _ in throw Stop() } }
    }
    #expect(try table.sequence() == [1, 2, 3])
  }

  @Test func `the same table is equal to itself by any reference`() throws {
    let state = try LuaState()
    try state.run("t = {}", name: "=t")
    let (a, b) = (try state.globals["t"], try state.globals["t"])
    #expect(a == b)
    #expect(Set([a.table, b.table]).count == 1)
    #expect(try state.table() != a.table)
  }

  @Test func `nil and NaN keys are refused with a message`() throws {
    let state = try LuaState()
    let table = try state.table()
    #expect(throws: LuaError.self) { try table.rawSet(nil, 1) }
    #expect(throws: LuaError.self) { try table.rawSet(.number(.nan), 1) }
    #expect(throws: LuaError.self) { try table.set(nil, 1) }
  }

  @Test func `a sealed table reads through and refuses scripts`() throws {
    let state = try LuaState()
    let inner = try state.table(["a": 1])
    try state.globals.rawSet("api", .table(inner.sealed(as: "api")))
    let results = try state.run(
      """
      local keys = {}
      for k, v in pairs(api) do keys[#keys + 1] = k .. v end
      return api.a, table.concat(keys), select(2, pcall(function() api.a = 2 end)),
        (pcall(rawset, api, 'a', 2)), getmetatable(api), (pcall(setmetatable, api, {}))
      """, name: "=s")
    #expect(
      results == [1, "a1", "s:3: the table 'api' is read-only", false, false, false])
    try inner.rawSet("b", 7)
    #expect(try state.run("return api.b", name: "=s") == [7])
  }
}
