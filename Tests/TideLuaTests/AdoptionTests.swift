import Testing

@testable import TideLua

@Suite struct `A table that takes over another's contents` {
  /// Loads a chunk twice, as two versions of a module, and lets the first table adopt the second.
  private func adopt(_ old: String, _ new: String) throws -> LuaState {
    let state = try LuaState()
    let first = try #require(state.load(old, name: "@m.lua").call([]).first?.table)
    try state.globals.set("old", .table(first))
    let second = try #require(state.load(new, name: "@m.lua").call([]).first?.table)
    try state.globals.set("new", .table(second))
    try first.adopt(second, from: "@m.lua")
    return state
  }

  private func value(_ state: LuaState, _ expression: String) throws -> LuaValue? {
    try state.load("return " + expression, name: "=test").call([]).first
  }

  @Test func `has them and no others, and its metatable`() throws {
    let state = try adopt(
      "return { gone = 1, stays = 2 }",
      "return setmetatable({ stays = 3, new = 4 }, { __len = function() return 9 end })")
    #expect(try value(state, "old.gone") == .nil)
    #expect(try value(state, "old.stays + old.new + #old") == 16)
  }

  @Test func `is what the new functions mean by their module`() throws {
    let text = """
      local M = { n = VALUE }
      local function hidden() return M end
      M.deep = { { inner = function() return hidden() end } }
      M.me = M
      M.__index = M
      function M.up() M.n = M.n + 1 return M.n end
      return M
      """
    let state = try adopt(text.replacing("VALUE", with: "1"), text.replacing("VALUE", with: "10"))
    #expect(try value(state, "old.up()") == 11)
    #expect(try value(state, "old.n") == 11)
    #expect(try value(state, "old.me == old and old.__index == old") == true)
    #expect(try value(state, "old.deep[1].inner() == old") == true)
  }

  @Test func `leaves what comes from elsewhere alone`() throws {
    let state = try LuaState()
    let first = try state.table()
    let second = try #require(
      state.load("M = {} M.n = 1 return M", name: "@m.lua").call([]).first?.table)
    let foreign = try state.load("local m = M return function() return m end", name: "@other.lua")
      .call([])
    try second.rawSet("f", foreign[0])
    try first.adopt(second, from: "@m.lua")
    try state.globals.set("old", .table(first))
    #expect(try value(state, "old.f() == M") == true)
  }

  @Test func `copes with cycles, long chains and many functions`() throws {
    let text = """
      local M = {}
      local t = M
      for i = 1, 30000 do t.next = { up = function() return M end } t = t.next end
      t.next = M
      return M
      """
    let state = try adopt("return {}", text)
    #expect(try value(state, "old.next.up() == old") == true)
  }
}
