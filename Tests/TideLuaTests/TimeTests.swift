import Fuzzing
import Dispatch
import Testing
import TideLua

@Suite struct `The time of a turn` {
  private static let attacks: [String] = [
    "while true do end",
    "repeat local ok = pcall(function() while true do end end) until false",
    "local function f() return pcall(f) end while true do f() end",
    "local function f() local ok, e = pcall(function() while true do end end) return f() end f()",
    "for i = 1, math.huge do local t <close> = setmetatable({}, { __close = function() while true do end end }) end",
    "local function n(i) local t <close> = setmetatable({}, { __close = function() while true do end end }) if i > 0 then n(i - 1) else while true do end end end n(100)",
    "string.find(('a'):rep(30), ('a?'):rep(30) .. ('a'):rep(30))",
    "string.find(('a'):rep(1000000), '.-.-.-b')",
    "for w in string.gmatch(('a'):rep(30000), '.-.-.-b') do end",
    "string.gsub(('x'):rep(30000), '.-.-.-y', 'z')",
    "while true do string.match(('a'):rep(10000), '(.-)(.-)b') end",
    "string.find(('a '):rep(100000), ('%f[%w].-'):rep(5) .. 'x')",
    "string.find(('('):rep(200000), '%b()')",
    "while true do ('x'):rep(1e6) end",
    "return (''):rep(math.maxinteger)",
    "local s = ('x'):rep(1 << 20) while true do s:upper() s:reverse() end",
    "table.concat(setmetatable({}, { __len = function() return 1 << 40 end, __index = function() return 'x' end }))",
    "table.concat(setmetatable({}, { __len = function() return 1 << 40 end, __index = function() return '' end }))",
    "table.insert(setmetatable({}, { __len = function() return 1 << 40 end }), 1, 2)",
    "table.remove(setmetatable({}, { __len = function() return 1 << 40 end }), 1)",
    "table.move({}, 1, 1 << 60, 2)",
    "table.sort(setmetatable({}, { __len = function() return 1 << 30 end, __index = function(t, i) return i end }))",
    "local t = {} for i = 1, 1000 do t[i] = i end table.sort(t, function() while true do end end)",
    "while true do table.sort({ 3, 2, 1 }, function() return true end) end",
    "table.unpack(setmetatable({}, { __index = function() while true do end end }), 1, 100)",
    "xpcall(function() error('x') end, function() while true do end end)",
    "xpcall(function() while true do end end, function() while true do end end)",
    "local co = coroutine.create(function() while true do end end) coroutine.resume(co)",
    "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
    "while true do local co = coroutine.create(function() while true do end end) coroutine.resume(co) end",
    "local function deep(n) return coroutine.wrap(function() if n > 0 then deep(n - 1) else while true do end end end)() end deep(50)",
    "local co = coroutine.create(function() local t <close> = setmetatable({}, { __close = function() while true do end end }) coroutine.yield() end) coroutine.resume(co) coroutine.close(co) while true do end",
    "local co = coroutine.wrap(function() local t <close> = setmetatable({}, { __close = function() while true do end end }) error('x') end) pcall(co) while true do end",
    "while true do collectgarbage() end",
    "while true do collectgarbage('step', 1000000) end",
    "local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) while true do pcall(function() return t[1] end) end",
    "local s = ('x = 1 '):rep(100000) while true do load(s) end",
    "load(function() return ' ' end) while true do load(function() while true do end end) end",
    "return load(function() while true do end end)",
    "return pcall(function() while true do end end)",
    "return xpcall(error, function() while true do end end, 'x')",
    "return coroutine.resume(coroutine.create(function() while true do end end))",
    "local co = coroutine.create(function() local t <close> = setmetatable({}, { __close = function() while true do end end }) coroutine.yield() end) coroutine.resume(co) return coroutine.close(co)",
    "while true do string.format(('%d'):rep(100), table.unpack(setmetatable({}, { __index = function() return 1 end }), 1, 100)) end",
    "error(setmetatable({}, { __tostring = function() while true do end end }))",
    "local t = setmetatable({}, { __tostring = function() while true do end end }) print(t)",
    "local s = 'a' for i = 1, 18 do s = s .. s end while true do local u = s .. 'x' .. s end",
    "while true do ('x'):rep(100):gsub('.', function(c) return c:rep(100) end) end",
    "local t = {} while true do t[#t + 1] = #t if #t > 1000 then t = {} end end",
    "goto a ::a:: goto a",
    "while true do tostring(setmetatable({}, { __name = ('x'):rep(10000) })) end",
    "while true do os.date(('%c'):rep(100)) end",
    "while true do utf8.len(('é'):rep(100000)) end",
    "while true do select('#', table.unpack({}, 1, 200000)) end",
    "while true do math.random() end",
    "local function f(...) return f(1, ...) end f()",
    "while true do error_in = pcall(error, setmetatable({}, { __tostring = error })) end",
  ]

  @Test(.timeLimit(.minutes(60)), arguments: attacks)
  func `an attack is stopped and the state stays usable`(source: String) throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(50)
    configuration.memory = 64 << 20
    let state = try LuaState(configuration)
    state.onPrint = { _ in }
    // One of them, an empty repetition, is bounded instead of stopped.
    let error = #expect(throws: LuaError.self) {
      if try state.run(source, name: "=attack") == [""] { throw LuaError(.time, "bounded") }
    }
    #expect(error != nil)
    #expect(
      try state.run("local t = {} for i = 1, 1000 do t[i] = i end return #t", name: "=t") == [1000])
    let again = #expect(throws: LuaError.self) { try state.run("while true do end", name: "=t") }
    #expect(again?.kind == .time)
  }

  @Test func `the error says time, with the location and traceback`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(20)
    let state = try LuaState(configuration)
    let error = #expect(throws: LuaError.self) {
      try state.run("local function spin()\n  while true do end\nend\nspin()", name: "@spin.lua")
    }
    #expect(error?.kind == .time)
    #expect(error?.location == LuaLocation(chunk: "spin.lua", line: 2))
    #expect(error?.traceback.contains("spin.lua:4") == true)
  }

  @Test func `counting steps stops a turn as well`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(20)
    configuration.countsSteps = true
    let state = try LuaState(configuration)
    for source in Self.attacks.prefix(32) {
      #expect(throws: LuaError.self) {
        if try state.run(source, name: "=attack") == [""] { throw LuaError(.runtime, "bounded") }
      }
    }
    #expect(try state.run("return 1", name: "=t") == [1])
  }

  @Test func `Swift cannot go on calling in a turn that is over`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(20)
    let state = try LuaState(configuration)
    let spin = try state.load("while true do end", name: "=spin")
    let quick = try state.load("return 1", name: "=quick")
    try state.register("swallow") { call in
      _ = try? spin.call([])
      _ = try? spin.call([])
      call.return("swallowed")
    }
    let error = #expect(throws: LuaError.self) { try state.run("return swallow()", name: "=t") }
    #expect(error?.kind == .time)
    state.turn {
      #expect(throws: LuaError.self) { try spin.call([]) }
      #expect(state.isTurnOver)
      #expect(throws: LuaError.self) { try quick.call([]) }
      #expect(throws: LuaError.self) { try quick(number: 1) }
    }
    #expect(try quick.call([]) == [1])
  }

  @Test func `work that the host does for itself takes nothing of it`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(100)
    let state = try LuaState(configuration)
    let count = try state.load("for i = 1, 1000 do end return 1", name: "=count")
    func spin(_ time: Duration) {
      let end = ContinuousClock.now + time
      while ContinuousClock.now < end {}
    }
    try state.turn {
      _ = try count.call([])
      LuaState.outsideOfTurns { spin(.milliseconds(300)) }
      #expect(!state.isTurnOver)
      #expect(try count.call([]) == [.number(1)])
      spin(.milliseconds(300))
      #expect(state.isTurnOver)
    }
  }

  @Test func `many turns near their end are stopped or finish, nothing between`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(2)
    let state = try LuaState(configuration)
    let work = try state.load(
      """
      local n, t = ..., {}
      for i = 1, n do
        t[i] = { i }
        local co = coroutine.create(function(...) coroutine.yield(...) end)
        coroutine.resume(co, i)
        pcall(error, 'x')
      end
      return #t
      """, name: "=work")
    var random = SeededGenerator(seed: 3)
    var stopped = 0
    let clock = ContinuousClock()
    let start = clock.now
    while clock.now - start < .milliseconds(800) {
      let count = Int.random(in: 1...20000, using: &random)
      do {
        #expect(try work.call([.integer(count)]) == [.integer(count)])
      } catch {
        #expect(error.kind == .time)
        stopped += 1
      }
    }
    #expect(stopped > 0)
  }

  @Test func `another thread can interrupt`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = nil
    let state = try LuaState(configuration)
    let interrupter = state.interrupter
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
      interrupter.interrupt()
    }
    let error = #expect(throws: LuaError.self) { try state.run("while true do end", name: "=t") }
    #expect(error?.kind == .interrupted)
    #expect(try state.run("return 1", name: "=t") == [1])
  }

  @Test func `states on several threads are stopped each by its own limit`() async throws {
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<4 {
        group.addTask {
          do {
            var configuration = LuaConfiguration()
            configuration.turn = .milliseconds(20 * (index + 1))
            let state = try LuaState(configuration)
            for _ in 0..<5 {
              do { try state.run("while true do end", name: "=t") } catch {
                if (error as? LuaError)?.kind != .time { return false }
              }
            }
            return try state.run("return 5", name: "=t") == [5]
          } catch { return false }
        }
      }
      for await passed in group { #expect(passed) }
    }
  }

  @Test func `a state inside another's callback has its own turn`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(400)
    let outer = try LuaState(configuration)
    configuration.turn = .milliseconds(20)
    let inner = try LuaState(configuration)
    try outer.register("inner") { call in
      let error = #expect(throws: LuaError.self) { try inner.run("while true do end", name: "=i") }
      #expect(error?.kind == .time)
      call.return(1)
    }
    #expect(try outer.run("return inner() + inner()", name: "=o") == [2])
  }
}
