import Synchronization
import Testing
import TideLua

private struct Refusal: Error, Equatable {
  var number = 0
}

@Suite struct `Asynchronous functions` {
  /// A state with `nap`, which really suspends, and `refuse`, which throws after that.
  private func makeState() throws -> LuaState {
    let state = try LuaState()
    try state.register("nap") { (arguments: LuaArguments) in
      await Task.yield()
      return arguments.values
    }
    try state.register("refuse") { (arguments: LuaArguments) in
      await Task.yield()
      throw Refusal(number: try arguments.argument(0))
    }
    return state
  }

  @Test func `a script awaits as it calls`() async throws {
    let state = try makeState()
    let results = try await state.run(
      async: "local a, b = nap(1, 'two') return a + 1, b, nap(), select('#', nap(nil, nil))",
      name: "=t")
    #expect(results == [2, "two", nil, 2])
    #expect(try await state.run(async: "return 1", name: "=t") == [1])
  }

  @Test func `a wait passes through the script's own coroutines, pcall, metamethods and iterators`()
    async throws
  {
    let state = try makeState()
    let results = try await state.run(
      async: """
        local out = {}
        local inner = coroutine.wrap(function()
          local ok, got = pcall(nap, 'a')
          coroutine.yield(got)
          return (nap('b'))
        end)
        out[1], out[2] = inner(), inner()
        local t = setmetatable({}, {
          __index = function(_, key) return nap(key .. '!') end,
          __add = function() return (nap('sum')) end,
        })
        out[3], out[4] = t.key, t + 1
        for value in function(_, i) if not i then return nap('step') end end do out[5] = value end
        do local c <close> = setmetatable({}, { __close = function() out[6] = nap('closed') end }) end
        return table.unpack(out)
        """, name: "=t")
    #expect(results == ["a", "b", "key!", "sum", "step", "closed"])
  }

  @Test func `a thrown Swift error is raised at the waiting line and can be caught`() async throws {
    let state = try makeState()
    let error = try #require(
      await #expect(throws: LuaError.self) {
        _ = try await state.run(async: "nap()\n\nrefuse(3)", name: "@wait.lua")
      })
    #expect(error.cause as? Refusal == Refusal(number: 3))
    #expect(error.location == LuaLocation(chunk: "wait.lua", line: 3))
    let caught = try await state.run(
      async: "local ok, e = pcall(refuse, 4) return ok, tostring(e), nap('on')", name: "=t")
    #expect(caught == [false, "Refusal(number: 4)", "on"])
    let again = await #expect(throws: LuaError.self) {
      _ = try await state.run(async: "local _, e = pcall(refuse, 5) nap() error(e)", name: "=t")
    }
    #expect(again?.cause as? Refusal == Refusal(number: 5))
  }

  @Test func `bad arguments and results are told in Lua's words`() async throws {
    let state = try LuaState()
    try state.register("double") { (n: Int) in n * 2 }
    try state.register("sleep") { (seconds: Double) in await Task.yield() }
    try state.register("join") { (a: String, b: String?, c: Bool, d: [Int]) in
      "\(a)\(b ?? "-")\(c)\(d)"
    }
    try state.register("huge") { () in UInt.max }
    let results = try await state.run(
      async: """
        local function why(f, ...) return (select(2, pcall(f, ...))) end
        return double(4), select('#', sleep(1)), join('a', nil, true, { 1 }),
          tostring(why(double)), tostring(why(double, {})), tostring(why(double, 1.5)),
          tostring(why(huge))
        """, name: "=t")
    #expect(results[0...2] == [8, 0, "a-true[1]"])
    #expect(results[3] == "bad argument #1 to 'double' (number expected, got no value)")
    #expect(results[4] == "bad argument #1 to 'double' (number expected, got table)")
    #expect(
      results[5] == "bad argument #1 to 'double' (number has no integer representation)")
    #expect(results[6].string?.contains("does not fit a Lua integer") == true)
  }

  @Test func `where nobody waits the error says so`() async throws {
    let state = try makeState()
    let plain = #expect(throws: LuaError.self) { try state.run("nap()", name: "@p.lua") }
    #expect(plain?.description.contains("p.lua:1: 'nap' has to wait, but nobody here can") == true)
    let thread = try state.thread(running: try state.load("nap()", name: "=t"))
    let driven = #expect(throws: LuaError.self) { try thread.resume() }
    #expect(driven?.message.contains("nobody here can") == true)
    for script in [
      "table.sort({ 2, 1 }, function() nap() end)",
      "string.gsub('a', 'a', function() nap() end)", "back(function() nap() end)",
    ] {
      try state.register("back") { call in try call.function(0).call([]) }
      let error = await #expect(throws: LuaError.self) {
        _ = try await state.run(async: script, name: "=t")
      }
      #expect(error?.message.contains("below a library or host function") == true)
    }
    // A coroutine that a Swift function resumes by hand has nobody either.
    try state.register("resume") { call in
      _ = try call.state.thread(running: try call.function(0)).resume()
    }
    let nested = await #expect(throws: LuaError.self) {
      _ = try await state.run(async: "resume(function() nap() end)", name: "=t")
    }
    #expect(nested?.message.contains("nobody here can") == true)
  }

  @Test func `a yield that nobody asked for is an error at its line`() async throws {
    let state = try makeState()
    let results = try await state.run(
      async: "local ok, e = pcall(coroutine.yield, 1) return ok, tostring(e), nap(2)", name: "=t")
    #expect(results == [false, "attempt to yield from outside a coroutine", 2])
    try state.register("wait") { call in try call.suspend() }
    let error = await #expect(throws: LuaError.self) {
      _ = try await state.run(async: "wait()", name: "=t")
    }
    #expect(error?.message.contains("nobody resumes") == true)
  }

  @Test func `many coroutines of one state wait at once`() async throws {
    let host = try Host()
    let results = try await host.runAll(30)
    #expect(results == (0..<30).map { $0 + 20 })
    #expect(await host.most > 1)
    await host.close()
  }

  @Test func `bodies run on the caller's actor`() async throws {
    let host = try Host()
    #expect(try await host.count() == 10)
    await host.close()
  }

  /// An actor that owns a state: Lua runs on it alone.
  private actor Host {
    private let state: LuaState
    private var waiting = 0
    private(set) var most = 0

    init() throws { state = try LuaState() }

    /// The bodies below keep this, which keeps the state, which keeps them.
    func close() { state.close() }

    private func nap(_ number: Int) async -> Int {
      waiting += 1
      most = max(most, waiting)
      for _ in 0..<3 { await Task.yield() }
      waiting -= 1
      return number
    }

    private func run(_ main: LuaFunction, _ number: Int) async throws -> Int {
      try await main.run(number, as: Int.self)
    }

    private func runOne(_ number: Int) async throws -> Int {
      try await run(state.globals["main"].function ?? state.load("", name: "="), number)
    }

    func runAll(_ count: Int) async throws -> [Int] {
      try state.register("nap") { (number: Int) in await self.nap(number) }
      try state.run(
        "function main(n) for i = 1, 20 do n = nap(n + 1) end return n end", name: "=m")
      return try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for number in 0..<count { group.addTask { (number, try await self.runOne(number)) } }
        var results = Array(repeating: 0, count: count)
        for try await (number, result) in group { results[number] = result }
        return results
      }
    }

    func count() async throws -> Int {
      try state.register("step") { (_: LuaArguments) in
        self.preconditionIsolated()
        self.most += 1
        await Task.yield()
        self.preconditionIsolated()
        return []
      }
      try await state.run(async: "for i = 1, 10 do step() end", name: "=t")
      return most
    }
  }

  @Test @MainActor func `a main actor's script stays there`() async throws {
    let state = try LuaState()
    var steps = 0
    try state.register("step") { (n: Int) in
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      steps += n
      return steps
    }
    #expect(try await state.run(async: "step(1) return step(2)", name: "=t") == [3])
  }
}
