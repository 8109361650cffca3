import Testing
import TideLua

private struct Refusal: Error, Equatable {}

@Suite struct `Coroutines` {
  /// A coroutine in a state that has `wait`, kept alive together.
  private final class Waiting {
    let state = try? LuaState()
    let thread: LuaThread

    init(_ source: String) throws {
      let state = try #require(state)
      try state.register("wait") { call in try call.suspend(yielding: try call.values()) }
      thread = try state.thread(running: try state.load(source, name: "@co.lua"))
    }
  }

  @Test func `a function waits and goes on with what the host gives`() throws {
    let co = try Waiting("local a, b = wait('first', ...) return a + b, wait('second')")
    #expect(try co.thread.resume(["x"]) == .suspended(["first", "x"]))
    #expect(co.thread.isAlive)
    #expect(try co.thread.resume([2, 3]) == .suspended(["second"]))
    #expect(try co.thread.resume(["end"]) == .finished([5, "end"]))
    #expect(!co.thread.isAlive)
    #expect(throws: LuaError.self) { try co.thread.resume() }
  }

  @Test func `a wait inside the script's own coroutines reaches the host`() throws {
    let co = try Waiting(
      """
      local inner = coroutine.wrap(function()
        local co = coroutine.create(function() local got = wait('deep') coroutine.yield(got) return 'last' end)
        local ok, got = coroutine.resume(co)
        coroutine.yield(got)
        local _, last = coroutine.resume(co)
        return last, pcall(wait, 'in pcall')
      end)
      local a = inner()
      return a, inner()
      """)
    #expect(try co.thread.resume() == .suspended(["deep"]))
    #expect(try co.thread.resume(["got"]) == .suspended(["in pcall"]))
    #expect(try co.thread.resume([9]) == .finished(["got", "last", true, 9]))
  }

  @Test func `the host can make the waiting call throw`() throws {
    let co = try Waiting("local ok, e = pcall(wait) return ok, type(e), wait('again')")
    #expect(try co.thread.resume() == .suspended([]))
    #expect(try co.thread.resume(throwing: Refusal()) == .suspended(["again"]))
    let error = #expect(throws: LuaError.self) { try co.thread.resume(throwing: Refusal()) }
    #expect(error?.cause as? Refusal == Refusal())
    #expect(error?.location?.line == 1)
    #expect(!co.thread.isAlive)
  }

  @Test func `a script's own yield is told apart`() throws {
    let co = try Waiting("local a = coroutine.yield(1, 2) return a")
    #expect(try co.thread.resume() == .yielded([1, 2]))
    #expect(try co.thread.resume([3]) == .finished([3]))
  }

  @Test func `outside of a host's coroutine waiting is an error`() throws {
    let state = try LuaState()
    try state.register("wait") { call in
      call.return(call.canSuspend)
      try call.suspend()
    }
    let error = #expect(throws: LuaError.self) { try state.run("wait()", name: "@m.lua") }
    #expect(error?.message.contains("cannot wait here") == true)
    let inCoroutine = try state.run(
      "local ok, e = coroutine.resume(coroutine.create(function() wait() end)) return ok",
      name: "=t")
    #expect(inCoroutine == [false])
    let thread = try state.thread(
      running: try state.load("table.sort({ 2, 1 }, function() wait() end)", name: "=s"))
    #expect(throws: LuaError.self) { try thread.resume() }
  }

  @Test func `closing runs what was left open`() throws {
    let co = try Waiting(
      "local c <close> = setmetatable({}, { __close = function() closed = true end }) wait()")
    #expect(try co.thread.resume() == .suspended([]))
    try co.thread.close()
    #expect(try #require(co.state).globals["closed"] == true)
    #expect(!co.thread.isAlive)
  }

  @Test func `an error in a coroutine has its traceback`() throws {
    let co = try Waiting("local function f() error('inside') end\nf()")
    let error = #expect(throws: LuaError.self) { try co.thread.resume() }
    #expect(error?.description == "co.lua:1: inside")
    #expect(
      error?.traceback.contains("co.lua:2: in main chunk") == true
        || error?.traceback.contains("co.lua:2: in function") == true)
  }

  @Test func `the coroutine library behaves as stock`() throws {
    let state = try LuaState()
    let results = try state.run(
      """
      local out = {}
      local function note(...)
        for i = 1, select('#', ...) do out[#out + 1] = tostring((select(i, ...))) end
      end
      local co co = coroutine.create(function(a, b)
        note(a, b, coroutine.status(co), coroutine.isyieldable())
        local c = coroutine.yield(a + b)
        note(c)
        error('oops')
      end)
      note(coroutine.status(co), coroutine.resume(co, 1, 2))
      note(coroutine.status(co), coroutine.resume(co, 'c'))
      note(coroutine.status(co), coroutine.resume(co))
      note(coroutine.resume(coroutine.running()))
      note(select(2, coroutine.running()), coroutine.isyieldable())
      local w = coroutine.wrap(function() return 1, 2, 3 end)
      note(w()) note(pcall(w))
      note(pcall(coroutine.wrap(function() error('in wrap') end)))
      note(pcall(coroutine.wrap(function() error({}) end)) == false)
      local c2 = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() error('closing', 0) end }) coroutine.yield() end)
      coroutine.resume(c2)
      note(coroutine.close(c2)) note(coroutine.status(c2))
      note(coroutine.close(coroutine.create(print)))
      note(pcall(coroutine.close, coroutine.running()))
      note(pcall(coroutine.create, 1)) note(pcall(coroutine.resume, 1))
      for i, v in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i, i * i) end end) do note(i, v) end
      return table.concat(out, '|')
      """, name: "=c")
    let text = try #require(results.first?.string)
    for piece in [
      "1|2|running|true", "suspended|true|3", "false|c:9: oops",
      "false|cannot resume dead coroutine",
      "false|cannot resume non-suspended coroutine", "true|false", "1|2|3",
      "false|closing", "dead", "cannot close a running coroutine",
      "bad argument #1 to 'coroutine.create' (function expected, got number)", "3|9",
    ] { #expect(text.contains(piece), "\(piece) in \(text)") }
  }

  @Test func `nested closing is bounded instead of crashing`() throws {
    let state = try LuaState()
    _ = try? state.run(
      """
      local function nest(n)
        local co = coroutine.create(function()
          local x <close> = setmetatable({}, { __close = function() if n > 0 then nest(n - 1) end end })
          coroutine.yield()
        end)
        coroutine.resume(co)
        coroutine.close(co)
      end
      nest(30000)
      """, name: "=c")
    #expect(try state.run("return 1", name: "=t") == [1])
  }

  @Test func `thousands of coroutines come and go`() throws {
    let co = try Waiting("")
    let state = try #require(co.state)
    let main = try state.load("local a = wait(...) return a", name: "=m")
    for index in 0..<2000 {
      let thread = try state.thread(running: main)
      #expect(try thread.resume([.integer(index)]) == .suspended([.integer(index)]))
      if index % 2 == 0 { #expect(try thread.resume([1]) == .finished([1])) }
    }
  }
}
