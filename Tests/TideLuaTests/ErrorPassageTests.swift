import Testing
import TideLua

private struct Refusal: Error, Equatable {
  var number: Int
}

/// A thrown Swift error on its way through scripts: it comes out as itself.
@Suite struct `The passage of errors` {
  private let state: LuaState

  init() throws {
    state = try LuaState()
    try state.register("refuse") { (number: Int) in throw Refusal(number: number) }
    try state.register("call") { call in
      for result in try call.function(0).call(try call.values(from: 1)) { call.return(result) }
    }
  }

  @Test(arguments: [
    "refuse(7)",
    "local ok, e = pcall(refuse, 7) error(e)",
    "local ok, e = pcall(refuse, 7) error(e, 2)",
    "local ok, e = pcall(pcall, refuse, 7) local _, _, inner = pcall(pcall, refuse, 7) error(inner)",
    "local _, e = pcall(function() local _, e = pcall(refuse, 7) error(e) end) error(e)",
    "local _, e = xpcall(refuse, function(e) return e end, 7) error(e)",
    "xpcall(refuse, function(e) error(e) end, 7) refuse(7)",
    "coroutine.wrap(function() refuse(7) end)()",
    "local co = coroutine.create(refuse) local _, e = coroutine.resume(co, 7) error(e)",
    "local co = coroutine.create(function() local c <close> = setmetatable({}, { __close = function(_, e) kept = e end }) refuse(7) end) coroutine.resume(co) coroutine.close(co) error(kept)",
    "call(refuse, 7)",
    "call(call, call, refuse, 7)",
    "local _, e = pcall(call, function() local _, e = pcall(call, refuse, 7) error(e) end) error(e)",
    "call(function() coroutine.wrap(function() call(refuse, 7) end)() end)",
    "table.sort({ 1, 2, 3 }, function() refuse(7) end)",
    "string.gsub('x', 'x', function() refuse(7) end)",
    "local t = setmetatable({}, { __index = function() refuse(7) end }) return t.x",
    "for _ in function() refuse(7) end do end",
    "local c <close> = setmetatable({}, { __close = function() refuse(7) end })",
    "assert(pcall(refuse, 7))",
    "error(select(2, pcall(error, select(2, pcall(refuse, 7)))))",
    "kept = kept or select(2, pcall(refuse, 7)) collectgarbage() error(kept)",
  ])
  func `an error comes out as itself`(source: String) throws {
    let error = try #require(
      #expect(throws: LuaError.self) { try state.run(source, name: "@p.lua") })
    let cause = error.cause as? Refusal
    // assert raises its message, which here is the error itself.
    #expect(cause == Refusal(number: 7), "\(error)")
    #expect(error.kind == .host)
  }

  @Test func `an error that a function makes for scripts has the calling line and its kind`() throws
  {
    try state.register("deny") { (_: Int?) in
      throw LuaError(.runtime, "denied", cause: Refusal(number: 1))
    }
    let error = #expect(throws: LuaError.self) { try state.run("\ndeny()", name: "@d.lua") }
    #expect(error?.description == "d.lua:2: denied")
    #expect(error?.traceback.contains("d.lua:2") == true)
    #expect(error?.cause as? Refusal == Refusal(number: 1))
  }

  @Test func `an error thrown into a coroutine that has not begun ends it`() throws {
    let thread = try state.thread(running: try state.load("ran = true", name: "=t"))
    let error = #expect(throws: LuaError.self) { try thread.resume(throwing: Refusal(number: 2)) }
    #expect(error?.cause as? Refusal == Refusal(number: 2))
    #expect(!thread.isAlive)
    #expect(try state.globals["ran"] == nil)
    #expect(try state.run("return coroutine.wrap(function() return 1 end)()", name: "=t") == [1])
  }

  @Test func `an error thrown at a wait that is gone hits no other`() throws {
    try state.register("wait") { call in try call.suspend() }
    let thread = try state.thread(
      running: try state.load(
        """
        inner = coroutine.create(function() wait() end)
        other = coroutine.create(function() coroutine.yield() return 'untouched' end)
        coroutine.resume(other)
        local ok, message = coroutine.resume(inner)
        return ok, message, coroutine.resume(other)
        """, name: "=t"))
    #expect(try thread.resume() == .suspended([]))
    try state.run("coroutine.close(inner)", name: "=t")
    #expect(
      try thread.resume(throwing: Refusal(number: 3))
        == .finished([false, "cannot resume dead coroutine", true, "untouched"]))
  }

  @Test func `an error of an interrupted coroutine leaves its closing to the host`() throws {
    let interrupter = state.interrupter
    try state.register("interrupt") { (_: Int?) in interrupter.interrupt() }
    let thread = try state.thread(
      running: try state.load(
        """
        local c <close> = setmetatable({}, { __close = function() for i = 1, 100 do closed = i end end })
        interrupt() while true do end
        """, name: "=t"))
    let error = #expect(throws: LuaError.self) { try thread.resume() }
    #expect(error?.kind == .interrupted)
    #expect(!thread.isAlive)
    try thread.close()
    #expect(try state.globals["closed"] == 100)
  }
}
