import Testing
import TideLua

@Suite struct `The sandbox` {
  @Test func `only what is harmless is there`() throws {
    let state = try LuaState()
    let names = try state.globals.entries().compactMap(\.key.string).sorted()
    #expect(
      names == [
        "_G", "_VERSION", "assert", "collectgarbage", "coroutine", "error", "getmetatable",
        "io", "ipairs", "load", "math", "next", "os", "pairs", "pcall", "print", "rawequal",
        "rawget", "rawlen", "rawset", "select", "setmetatable", "string", "table", "tonumber",
        "tostring",
        "type", "utf8", "warn", "xpcall",
      ])
    let os = try state.run(
      "local t = {} for k in pairs(os) do t[#t + 1] = k end table.sort(t) return table.concat(t, ' ')",
      name: "=t")
    #expect(os == ["clock date difftime execute getenv remove rename time tmpname"])
  }

  @Test(arguments: ["string", "table", "math", "utf8", "coroutine", "os", "io"])
  func `a library cannot be changed`(name: String) throws {
    let state = try LuaState()
    let results = try state.run(
      """
      local lib = \(name)
      local before = {}
      for k, v in pairs(lib) do before[k] = v end
      local tries = {
        pcall(function() lib.evil = 1 end), pcall(rawset, lib, 'evil', 1), pcall(setmetatable, lib, {}),
        pcall(table.insert, lib, 1), pcall(function() lib[next(before)] = nil end),
      }
      for k, v in pairs(lib) do if before[k] ~= v then return 'changed' end end
      return lib.evil == nil and getmetatable(lib) == false and next(lib) == nil
      """, name: "=t")
    #expect(results == [true])
  }

  @Test func `strings' metatable is out of reach`() throws {
    let state = try LuaState()
    #expect(try state.run("return getmetatable('')", name: "=t") == [false])
    #expect(
      try state.run("return ('x'):rep(3), '10' + 5, ('abc'):find('b', 1, true)", name: "=t") == [
        "xxx", 15, 2, 2,
      ])
    #expect(try state.run("return string.rep == ('').rep, ('').dump", name: "=t") == [true, nil])
  }

  @Test func `finalizers are refused, other metamethods work`() throws {
    let state = try LuaState()
    #expect(throws: LuaError.self) {
      try state.run("setmetatable({}, { __gc = function() end })", name: "=t")
    }
    let late = try state.run(
      """
      local m = {}
      local t = setmetatable({}, m)
      m.__gc = function() bad = true end
      t = nil
      for i = 1, 100 do collectgarbage() end
      return bad
      """, name: "=t")
    #expect(late == [nil])
    state.collectGarbage()
    #expect(try state.globals["bad"] == nil)
  }

  @Test func `sizes are capped`() throws {
    let state = try LuaState()
    for (source, message) in [
      ("return ('x'):rep(1 << 40)", "resulting string too large"),
      ("return ('x'):rep(1 << 30, ',')", "resulting string too large"),
      ("return string.format(('x'):rep(2 << 20))", "format too long"),
      (
        "return string.format('%s%s', ('x'):rep(5 << 20), ('x'):rep(5 << 20))",
        "resulting string too large"
      ),
      ("return string.pack(('b'):rep(1 << 20))", "format too long"),
      ("return os.date(('%c'):rep(9000))", "format too long"),
    ] {
      let error = #expect(throws: LuaError.self) { try state.run(source, name: "=t") }
      #expect(error?.message == message)
    }
    #expect(
      try state.run("return load((' '):rep(2 << 20))", name: "=t") == [
        nil, "the chunk is too long",
      ])
    #expect(try state.run("return tonumber(('1'):rep(10000))", name: "=t") == [nil])
    #expect(try state.run("return (''):rep(math.maxinteger)", name: "=t") == [""])
  }

  @Test func `load takes text, an environment and a reader`() throws {
    let state = try LuaState()
    let results = try state.run(
      """
      local pieces, i = { 'return ', 'x', ' + 1' }, 0
      local f = load(function() i = i + 1 return pieces[i] end, '=r', 't', { x = 41 })
      local g, message = load('x x', '=bad')
      return f(), g, message, load('return ...', 'n')(7), (load('x = 1', 'n', 'b')),
        pcall(load, function() error('inside') end)
      """, name: "=t")
    #expect(
      results == [42, nil, "bad:1: syntax error near 'x'", 7, nil, true, nil, "t:5: inside"])
  }

  @Test func `print goes to the host`() throws {
    let state = try LuaState()
    var lines: [String] = []
    state.onPrint = { lines.append($0) }
    try state.run(
      "print(1, 'two', nil, setmetatable({}, { __tostring = function() return 'four' end }))",
      name: "=t")
    #expect(lines == ["1\ttwo\tnil\tfour"])
    state.onWarning = { lines.append("! " + $0) }
    try state.run("warn('careful')", name: "=t")
    #expect(lines.last == "! careful")
  }

  @Test func `pcall, xpcall and error work as ever`() throws {
    let state = try LuaState()
    let results = try state.run(
      """
      local ok, a, b = pcall(function(x, y) return y, x end, 1, 2)
      local no, message = pcall(error, 'text', 0)
      local x, handled = xpcall(function(v) error(v) end, function(e) return 'handled ' .. e end, 'v')
      local y, plain, more = xpcall(function(...) return ... end, print, 5, 6)
      local co = coroutine.wrap(function() return pcall(function() return coroutine.yield(1) + 1 end) end)
      local first = co()
      local inside, sum = co(41)
      return ok, a, b, no, message, x, handled, y, plain, more, first, inside, sum, select('#', pcall(error))
      """, name: "=t")
    #expect(
      results == [
        true, 2, 1, false, "text", false, "handled t:3: v", true, 5, 6, 1, true, 42, 2,
      ])
  }

  @Test func `capabilities open what they name`() throws {
    var configuration = LuaConfiguration()
    configuration.capabilities = .all
    let state = try LuaState(configuration)
    let results = try state.run(
      """
      string.extra = function() return 'patched' end
      return type(io.open), type(debug.traceback), type(require), type(dofile), ('').extra(), type(os.getenv)
      """, name: "=t")
    #expect(results == ["function", "function", "function", "function", "patched", "function"])
  }
}
