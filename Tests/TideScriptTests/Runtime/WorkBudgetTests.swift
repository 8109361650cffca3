import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews
import Testing

/// Long work that the engine does on a script's behalf, and extreme values of each type.
@Suite(.serialized) struct `Work in the engine` {
  private func runtime(turn: Duration = .milliseconds(50)) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.lua.turn = turn
    configuration.lua.memory = 512 << 20
    return try Runtime(file: "test.lua", configuration: configuration)
  }

  @Test func `that runs out of time leaves a list as it was`() throws {
    let runtime = try runtime(turn: .seconds(60))
    try runtime.evaluate(
      """
      (function()
        local a = {}
        b = {}
        for i = 1, 200000 do a[i], b[i] = i, 200001 - i end
        l = list(a)
        changes = 0
        l:observe(function() changes = changes + 1 end)
      end)()
      """, as: Value.self)
    runtime.lua.setTurnLimit(.milliseconds(20))
    let error = #expect(throws: TideError.self) { try runtime.evaluate("l:set(b)", as: Value.self) }
    #expect(error?.code == .scriptTime)
    runtime.lua.setTurnLimit(.seconds(60))
    #expect(try runtime.evaluate("#l + l[1] + l[200000] + changes", as: Value.self) == 400_001)
    try runtime.evaluate("l:set(b)", as: Value.self)
    #expect(try runtime.evaluate("l[1]", as: Value.self) == 200_000)
  }

  @Test func `that runs out of time is done by a later turn`() throws {
    let runtime = try runtime(turn: .seconds(60))
    try runtime.evaluate(
      """
      (function()
        local a, b = {}, {}
        for i = 1, 100000 do a[i], b[i] = i, i + 0.5 end
        l = list(a)
        s = l:sorted(function(x, y) return x > y end)
        assert(s[1] == 100000)
        l:set(b)
      end)()
      """, as: Value.self)
    runtime.lua.setTurnLimit(.milliseconds(20))
    let error = #expect(throws: TideError.self) { try runtime.evaluate("#s", as: Value.self) }
    #expect(error?.code == .scriptTime)
    runtime.lua.setTurnLimit(.seconds(60))
    #expect(try runtime.evaluate("#s + s[1] + s[100000]", as: Value.self) == 200_002)
  }

  /// Tries every property of every view class, new ones included.
  @Test(arguments: ViewClasses().names)
  func `survives every extreme value of every property`(name: String) throws {
    let runtime = try runtime(turn: .seconds(60))
    try runtime.evaluate("class = view[\"\(name)\"]", as: Value.self)
    try runtime.evaluate(Self.attack, as: Value.self)
    #expect(try runtime.evaluate("object { n = 42 }.n", as: Value.self) == 42)
  }

  private static let attack = """
    (function()
      local itself = list {}
      itself:append(itself)
      local ends = {
        math.mininteger, math.maxinteger, -1, 0, 0/0, 1/0, -1/0, 1e308, 9.3e18, -0.0, 5e-324, 2^53,
        "", "\\0", "\\xff", ("x"):rep(5000), ("\\n"):rep(500), true, null, NoSelection, itself, object {},
        function() return 1/0 end, { math.mininteger }, { 1/0, -1/0, 0/0, math.maxinteger },
        { top = math.maxinteger, left = math.mininteger, right = 1/0, bottom = 0/0 },
        { { width = math.maxinteger, title = "a" }, { width = 1/0 }, { width = 0/0 } },
        list { math.mininteger, 1/0, 0/0, 1e308, -1e308 },
      }
      local function make()
        local ok, made = pcall(class, { items = list { "a", "b" } })
        if ok then return made end
        ok, made = pcall(class, { values = list { 1, 2, 0/0, 1/0 } })
        return ok and made or class {}
      end
      local names = {}
      for name in properties(make()) do names[#names + 1] = name end
      for _, name in ipairs(names) do
        for _, value in ipairs(ends) do
          local v = make()
          pcall(v.snapshot, v, 12, 4)
          pcall(function() v[name] = value end)
          pcall(v.snapshot, v, 12, 4)
          pcall(function() return v[name] end)
        end
      end
      for _, name in ipairs { "add", "move", "find", "send", "scrollTo", "expand", "collapse" } do
        for _, value in ipairs(ends) do
          local v = make()
          pcall(v[name], v, value)
          pcall(v[name], v, view.label {}, value)
          pcall(v[name], v, "valueChanged", value)
        end
      end
    end)()
    """
}
