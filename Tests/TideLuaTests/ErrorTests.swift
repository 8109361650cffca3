import Testing
import TideLua

private struct Refusal: Error, Equatable, CustomStringConvertible {
  var number: Int
  var description: String { "refused \(number)" }
}

@Suite struct `Errors` {
  @Test func `a script's error tells message, location and traceback`() throws {
    let state = try LuaState()
    let error = try #require(
      #expect(throws: LuaError.self) {
        try state.run("local function inner()\n  error('no fruit')\nend\ninner()", name: "@a/b.lua")
      })
    #expect(error.kind == .runtime)
    #expect(error.message == "no fruit")
    #expect(error.location == LuaLocation(chunk: "a/b.lua", line: 2))
    #expect(error.description == "a/b.lua:2: no fruit")
    #expect(
      error.traceback.contains("a/b.lua:2: in upvalue 'inner'")
        || error.traceback.contains("a/b.lua:2: in local 'inner'"))
    #expect(error.traceback.contains("a/b.lua:4: in main chunk"))
  }

  @Test func `an error for the caller names the caller's line`() throws {
    let state = try LuaState()
    let error = #expect(throws: LuaError.self) {
      try state.run("local function f() error('bad', 2) end\n\nf()", name: "@x.lua")
    }
    #expect(error?.location?.line == 3)
    #expect(error?.message == "bad")
  }

  @Test func `a syntax error has a line and, when the token is unique there, a column`() throws {
    let state = try LuaState()
    let error = #expect(throws: LuaError.self) { try state.load("x = 1\ny = = 2", name: "@s.lua") }
    #expect(error?.kind == .syntax)
    #expect(error?.location == LuaLocation(chunk: "s.lua", line: 2))
    let other = #expect(throws: LuaError.self) {
      try state.load("local x =\n  then", name: "@s.lua")
    }
    #expect(other?.location == LuaLocation(chunk: "s.lua", line: 2, column: 3))
    #expect(other?.message == "unexpected symbol near 'then'")
    let end = #expect(throws: LuaError.self) { try state.load("if x then", name: "@s.lua") }
    #expect(end?.location?.line == 1)
  }

  @Test func `a part of a longer text has the lines of that`() throws {
    let state = try LuaState()
    for line in [1, 2, 64, 65, 5000] {
      let chunk = try state.load("local x = 1\nerror('here')", name: "=in", firstLine: line)
      let error = #expect(throws: LuaError.self) { try chunk.call([]) }
      #expect(error?.location == LuaLocation(chunk: "in", line: line + 1))
      let wrong = #expect(throws: LuaError.self) {
        try state.load("local x =\n  then", name: "=in", firstLine: line)
      }
      #expect(wrong?.location == LuaLocation(chunk: "in", line: line + 1, column: 3))
    }
  }

  @Test func `compiled code is refused`() throws {
    let state = try LuaState()
    let error = #expect(throws: LuaError.self) { try state.load("\u{1b}Lua", name: "=b") }
    #expect(error?.kind == .syntax)
    #expect(try state.run("return load('\\27Lua')", name: "=b")[0] == nil)
    #expect(try state.run("return string.dump", name: "=b") == [nil])
  }

  @Test func `errors that are no text are described`() throws {
    let state = try LuaState()
    func message(_ source: String) -> String? {
      #expect(throws: LuaError.self) { try state.run(source, name: "=e") }?.message
    }
    #expect(message("error({})") == "an error without a message ({})")
    #expect(message("error(print)") == "an error without a message (a function)")
    #expect(
      message("error({ code = 42, msg = 'n\\no', ['a b'] = 0.1 + 0.2, 2^53, { nil } })")
        == #"{ 9007199254740992.0, {}, ["a b"] = 0.30000000000000004, code = 42, msg = "n\no" }"#)
    #expect(message("error(setmetatable({ 1 }, { __name = 'point' }))") == "point { 1 }")
    // Very many entries are not looked at one by one.
    #expect(
      message("local t = { a = 1 } for i = 1, 2000 do t[i] = i end error(t)")
        == "{ 1, 2, 3, 4, 5, 6, 7, 8, … }")
    // Whatever is in it, it is short and ends.
    #expect(message("local t = {} t.t = t error(t)") == "{ t = { t = { t = {…} } } }")
    let long = message(
      "local t, s = {}, ('é'):rep(1000) for i = 1, 20000 do t[i] = s t['k' .. i] = t end error(t)")
    #expect(long?.hasSuffix(" … }") == true && (long?.utf8.count ?? 0) < 600)
    // Nothing of the script runs for that.
    #expect(
      message(
        "error(setmetatable({ 1 }, { __index = error, __pairs = error, __len = error }))")
        == "{ 1 }")
    #expect(message("error()") == "an error without a message (nil)")
    #expect(message("error(setmetatable({}, { __tostring = function() return 'me' end }))") == "me")
    #expect(
      message("error(setmetatable({}, { __tostring = function() error('x') end }))")
        == "an error without a message ({})")
    #expect(message("error(12)") == "12")
    let error = #expect(throws: LuaError.self) { try state.run("error({ code = 7 })", name: "=e") }
    #expect(try error?.value?.table?["code"] == 7)
  }

  @Test func `a thrown Swift error comes out as itself, with the calling line`() throws {
    let state = try LuaState()
    try state.register("refuse") { call in throw Refusal(number: try call.integer(0)) }
    let error = try #require(
      #expect(throws: LuaError.self) { try state.run("\nrefuse(7)", name: "@r.lua") })
    #expect(error.kind == .host)
    #expect(error.cause as? Refusal == Refusal(number: 7))
    #expect(error.description == "r.lua:2: refused 7")
  }

  @Test func `a thrown Swift error survives a script's pcall and error`() throws {
    let state = try LuaState()
    try state.register("refuse") { _ in throw Refusal(number: 3) }
    let results = try state.run(
      "local ok, e = pcall(refuse) return ok, tostring(e), type(e), e.message, 'x ' .. e",
      name: "@r.lua")
    #expect(results[0] == false)
    #expect(results[1] == "refused 3")
    #expect(results[3] == "refused 3")
    #expect(results[4] == "x refused 3")
    let error = #expect(throws: LuaError.self) {
      try state.run(
        """
        local ok, e = pcall(function() refuse() end)
        local co = coroutine.wrap(function() error(e) end)
        co()
        """, name: "@r.lua")
    }
    #expect(error?.cause as? Refusal == Refusal(number: 3))
    #expect(error?.location?.line == 1)
  }

  @Test func `an inner call's error passes an outer call unchanged`() throws {
    let state = try LuaState()
    let inner = try state.load("error('deep')", name: "@inner.lua")
    try state.register("outer") { _ in try inner.call([]) }
    let error = #expect(throws: LuaError.self) { try state.run("outer()", name: "@outer.lua") }
    #expect(error?.description == "inner.lua:1: deep")
    let seen = try state.run("return tostring(select(2, pcall(outer)))", name: "@outer.lua")
    #expect(seen == ["inner.lua:1: deep"])
  }

  @Test func `no error ever unwinds a Swift frame`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = nil
    let state = try LuaState(configuration)
    let fail = try state.load("error('x')", name: "=f")
    Live.count = 0
    var deferred = 0
    let frame = try state.function(named: "frame") { call in
      let live = Live()
      defer {
        deferred += 1
        withExtendedLifetime(live) {}
      }
      switch deferred % 3 {
      case 0: throw Refusal(number: 1)
      case 1: try fail.call([])
      default: call.return(1)
      }
    }
    try state.globals.rawSet("frame", .function(frame))
    try state.run("for i = 1, 30000 do pcall(frame) end", name: "=loop")
    for _ in 0..<3000 { _ = try? frame() }
    #expect(deferred == 33000)
    #expect(Live.count == 0)
    #expect(try state.run("return 1", name: "=t") == [1])
  }

  private final class Live {
    nonisolated(unsafe) static var count = 0
    init() { Live.count += 1 }
    deinit { Live.count -= 1 }
  }

  @Test func `deep recursion is an error of kind depth and leaves the state usable`() throws {
    let state = try LuaState()
    for source in [
      "local function f() return 1 + f() end f()",
      "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return t.x",
      "local function f() return pcall(f) end return error(select('#', f())) ",
      "local s = ('('):rep(500) .. '1' .. (')'):rep(500) assert(load('return ' .. s))",
      "string.gsub('x', 'x', function() local function g() ('x'):gsub('x', g) end g() end)",
    ] {
      _ = #expect(throws: LuaError.self) { try state.run(source, name: "=deep") }
      #expect(try state.run("return 1", name: "=t") == [1])
    }
    let error = #expect(throws: LuaError.self) {
      try state.run("local function f() return 1 + f() end f()", name: "=deep")
    }
    #expect(error?.kind == .depth)
  }

  @Test func `after closing, everything throws closed`() throws {
    let state = try LuaState()
    let table = try state.table([1])
    let function = try state.load("return 1", name: "=f")
    try state.register("shut") { _ in state.close() }
    try state.run("shut()", name: "=s")
    #expect(!state.isOpen)
    #expect(throws: LuaError.self) { try state.run("return 1", name: "=t") }
    #expect(throws: LuaError.self) { try function.call([]) }
    #expect(throws: LuaError.self) { try table[1] }
    #expect(#expect(throws: LuaError.self) { try state.globals }?.kind == .closed)
  }
}
