import Testing
import TideLua

/// What the library functions do beyond agreeing with stock (`Agreement`): they end with the turn,
/// and build nothing too large.
@Suite struct `Library functions` {
  private static let endless: [String] = [
    // Each takes minutes, and none runs a hook on the way.
    "while true do string.find(('ab'):rep(1000000), ('a?'):rep(20) .. 'c') end",
    "string.find(('a'):rep(200000), 'a*a*a*b')",
    "string.find(('a'):rep(200000), '[a-z]-[a-z]-b')",
    "string.find(('a'):rep(300000), '(a+)+c')",
    "string.gsub(('a'):rep(200000), '.-.-b', '')",
    "string.gsub(('ab'):rep(200000), '(a?b?).-.-%1c', '%1')",
    "for w in string.gmatch(('('):rep(300000), '%b()') do end",
    "while true do string.find(('x'):rep(4000000), ('x'):rep(2000000) .. 'y', 1, true) end",
    "while true do string.find(('ab'):rep(4000000), ('ba'):rep(100) .. 'c', 1, true) end",
    "local s = ('é'):rep(4000000) while true do utf8.len(s) end",
    "local s = ('é'):rep(4000000) while true do utf8.offset(s, -1 << 40) utf8.offset(s, 1 << 40) end",
    "local s, f = ('\\x80'):rep(4000000), utf8.codes('') while true do f(s, 0) end",
    "local t = {} for i = 1, 300000 do t[i] = 300000 - i end while true do table.sort(t) t[1] = 5 end",
    "local t = {} for i = 1, 100000 do t[i] = ('x'):rep(200) .. i % 99 end while true do table.sort(t) end",
    "local t = {} for i = 1, 100000 do t[i] = i % 7 + 0.5 end while true do table.sort(t) end",
    "local m = { __lt = function() return true end } local t = {} for i = 1, 99999 do t[i] = setmetatable({}, m) end while true do pcall(table.sort, t) end",
    "local n = 0 local t = {} for i = 1, 50000 do t[i] = i end table.sort(t, function() while n >= 0 do n = n + 1 end end)",
    "local t = {} for i = 1, 200000 do t[i] = i end while true do table.insert(t, 1, 0) table.remove(t, 1) end",
    "local t = {} for i = 1, 200000 do t[i] = i end while true do table.concat(t, ',') end",
    "while true do string.format('%s %d %q %5.2f', 'a', 1, 'b', 2) end",
    "while true do string.pack('c60000', 'x') end",
  ]

  @Test(.timeLimit(.minutes(10)), arguments: endless, [false, true])
  func `end with the turn, also where steps are counted`(source: String, countsSteps: Bool) throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(50)
    configuration.countsSteps = countsSteps
    let state = try LuaState(configuration)
    let error = #expect(throws: LuaError.self) { try state.run(source, name: "=t") }
    #expect(error?.kind == .time)
    #expect(try state.run("return ('x'):find('x')", name: "=t") == [1, 1])
  }

  @Test(arguments: [
    "return ('x'):rep(2000)", "return ('x'):rep(20, ('-'):rep(100))",
    "return ('x'):rep(100):gsub('x', ('y'):rep(100))",
    "return ('x'):rep(100):gsub('x', function() return ('y'):rep(100) end)",
    "local t = {} for i = 1, 600 do t[i] = 'ab' end return table.concat(t)",
    "local t = {} for i = 1, 600 do t[i] = '' end return table.concat(t, 'ab')",
    "return string.pack('c600c600', '', '')",
  ])
  func `build no text larger than allowed`(source: String) throws {
    var configuration = LuaConfiguration()
    configuration.textBytes = 1000
    let state = try LuaState(configuration)
    let error = #expect(throws: LuaError.self) { try state.run(source, name: "=t") }
    #expect(error?.message.hasSuffix("resulting string too large") == true)
    #expect(try state.run("return #('x'):rep(1000)", name: "=t") == [1000])
  }

  @Test func `are not stopped by what an earlier turn left behind`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(50)
    let state = try LuaState(configuration)
    try state.run("words = string.gmatch(('word '):rep(100), '%a+') words()", name: "=t")
    #expect(throws: LuaError.self) { try state.run("while true do words('') end", name: "=t") }
    try state.run("words = string.gmatch(('word '):rep(100), '%a+')", name: "=t")
    #expect(throws: LuaError.self) { try state.run("while true do end", name: "=t") }
    #expect(
      try state.run(
        "local n = 0 for w in coroutine.wrap(function() for w in words do coroutine.yield(w) end end) do n = n + 1 end return n",
        name: "=t") == [100])
  }

  @Test func `sort leaves a list of the engine alone when the order fails`() throws {
    let engine = try Engine(), thing = engine.make()
    defer { withExtendedLifetime(thing) {} }
    try engine.give(thing, as: "list")
    engine.lists = [1: 5, 2: 3, 3: 4, 4: 1, 5: 2]
    #expect(try engine.run("table.sort(list) return list[1], list[5]") == [1, 5])
    #expect(try engine.run("table.sort(list, function(a, b) return a > b end)") == [])
    #expect(engine.lists == [1: 5, 2: 4, 3: 3, 4: 2, 5: 1])
    #expect(
      try engine.run(
        """
        local calls = 0
        return pcall(table.sort, list, function(a, b)
          calls = calls + 1
          return calls > 3 and error("enough", 0) or a < b
        end)
        """) == [false, "enough"])
    #expect(engine.lists == [1: 5, 2: 4, 3: 3, 4: 2, 5: 1])
  }
}
