import Dispatch
import Foundation
import Glibc
import Testing
import TideLua

@testable import TideLua

/// What a turn leaves behind when its time is over, and what its host notices of the clock.
@Suite(.serialized) struct `The stop of a turn` {
  private func makeState(_ milliseconds: Int = 50) throws -> LuaState {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(milliseconds)
    configuration.memory = 256 << 20
    return try LuaState(configuration)
  }

  /// Closers that never end, held in every way.
  private static let closers: [String] = [
    "local x <close> = endless while true do end",
    "local x <close> = endless local t = {} while true do t = { t } end",
    "local function deep(n) local x <close> = endless "
      + "if n > 0 then deep(n - 1) else while true do end end end deep(10000)",
    "for _ in next, { 1 }, nil, endless do while true do end end",
    "local co = coroutine.create(function() local x <close> = endless while true do end end) "
      + "kept = co coroutine.resume(co)",
    "table.sort({ 1, 2, 3 }, function() local x <close> = endless while true do end end)",
    "local co = coroutine.wrap(function() local x <close> = endless "
      + "table.sort({ 1, 2, 3 }, function() while true do end end) end) co()",
  ]

  @Test(.timeLimit(.minutes(10)), arguments: closers, [true, false])
  func `runs no closer`(script: String, onCoroutine: Bool) throws {
    let state = try makeState()
    let prelude = """
      closed = 0
      local endless = setmetatable({}, { __close = function()
        closed = closed + 1
        while true do end
      end })

      """
    let function = try state.load(prelude + script, name: "=t")
    let error = #expect(throws: LuaError.self) {
      if onCoroutine { _ = try function.start([]) } else { _ = try function.call([]) }
    }
    #expect(error?.kind == .time)
    #expect(state.isOpen)
    #expect(try state.globals["closed"] == 0)
    #expect(try state.run("return 1", name: "=t") == [1])
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "local function f() while true do pcall(f) end end f()",
      "local function f() while true do xpcall(f, function(e) return e end) end end f()",
      "local function f() while true do pcall(coroutine.wrap(f)) end end f()",
      "local t = setmetatable({}, { __index = function(t, k) return pcall(function() return t[k + 1] end) end }) while true do local _ = t[1] end",
      "local function deep(n) if n > 0 then return 1 + deep(n - 1) end "
        + "local function f() while true do pcall(table.sort, { 1, 2 }, f) end end f() end deep(150000)",
    ])
  func `takes no longer when every level catches the error`(script: String) throws {
    for onCoroutine in [true, false] {
      let state = try makeState(100)
      let function = try state.load(script, name: "=t")
      let started = processorTime()
      let error = #expect(throws: LuaError.self) {
        if onCoroutine { _ = try function.start([]) } else { _ = try function.call([]) }
      }
      #expect(error?.kind == .time)
      #expect(state.isOpen)
      // It takes about ten milliseconds; quadratic unwinding took minutes.
      #expect(processorTime() - started < 3)
    }
  }

  @Test func `leaves coroutines dead, and a later turn may close them in its own time`() throws {
    let state = try makeState()
    #expect(throws: LuaError.self) {
      try state.run(
        """
        co = coroutine.create(function()
          local x <close> = setmetatable({}, { __close = function() closed = true end })
          while true do end
        end)
        coroutine.resume(co)
        """, name: "=t")
    }
    #expect(
      try state.run(
        "return coroutine.status(co), closed, coroutine.resume(co)", name: "=t")
        == ["dead", nil, false, "cannot resume dead coroutine"])
    #expect(try state.run("return coroutine.close(co), closed", name: "=t") == [true, true])
    #expect(throws: LuaError.self) {
      try state.run(
        """
        co = coroutine.create(function()
          local x <close> = setmetatable({}, { __close = function() while true do end end })
          while true do end
        end)
        coroutine.resume(co)
        """, name: "=t")
    }
    let error = #expect(throws: LuaError.self) { try state.run("coroutine.close(co)", name: "=t") }
    #expect(error?.kind == .time)
  }

  @Test func `never hands out the coroutine on which Swift's calls run`() throws {
    let state = try makeState()
    #expect(
      try state.run(
        """
        main, isMain = coroutine.running()
        local again = coroutine.running()
        return type(main), isMain, main == again, coroutine.status(main), coroutine.isyieldable(main),
          coroutine.resume(main)
        """, name: "=t")
        == ["thread", true, true, "running", false, false, "cannot resume non-suspended coroutine"])
    #expect(
      try state.run(
        """
        return coroutine.wrap(function()
          return coroutine.status(main), pcall(coroutine.close, main)
        end)()
        """, name: "=t") == ["normal", false, "cannot close a normal coroutine"])
    #expect(
      try state.run("return pcall(coroutine.close, main)", name: "=t")
        == [false, "cannot close a running coroutine"])
  }

  @Test func `does not interrupt the host's sleep, and takes effect after it`() throws {
    let state = try makeState(30)
    try state.register("wait") { (milliseconds: Int) in
      var pause = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
      return Int(nanosleep(&pause, nil))
    }
    // Within its time and beyond it, where the system call is the host's own.
    #expect(try state.run("return wait(20)", name: "=t") == [0])
    try state.register("waits") { (milliseconds: Int) in
      var pause = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
      slept = nanosleep(&pause, nil)
    }
    let error = #expect(throws: LuaError.self) {
      try state.run("waits(100) while true do end", name: "=t")
    }
    #expect(error?.kind == .time)
    #expect(slept == 0)
    // A script that hardly runs between the host's calls is stopped as well.
    #expect(throws: LuaError.self) { try state.run("while true do wait(2) end", name: "=t") }
  }

  @Test func `works in the child of a fork`() throws {
    let state = try makeState()
    #expect(throws: LuaError.self) { try state.run("while true do end", name: "=t") }
    let status = inChild {
      let isStopped = (try? state.run("while true do end", name: "=t")) == nil
      return isStopped && (try? state.run("return 1", name: "=t")) == [1]
    }
    #expect(status == 0)
    #expect(throws: LuaError.self) { try state.run("while true do end", name: "=t") }
  }

  /// Runs something in a child of this process; gives its status, or a signal's number below zero.
  private func inChild(_ body: () -> Bool) -> Int32 {
    let fork = unsafeBitCast(
      dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"), to: (@convention(c) () -> pid_t).self)
    let child = fork()
    guard child != 0 else { _exit(body() ? 0 : 1) }
    var status: Int32 = 0
    // One that hangs is ended, so that the test fails.
    for _ in 0..<1000 {
      guard waitpid(child, &status, WNOHANG) == 0 else { break }
      usleep(10_000)
    }
    kill(child, SIGKILL)
    return status & 0x7f == 0 ? status >> 8 : -(status & 0x7f)
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      // The table of all short texts grows; an array shrinks; weak keys lead to each other.
      "local t = {} for i = 1, 1e8 do t[i] = 'x' .. i end",
      "while true do local t = {} for i = 1, 1 << 22 do t[i] = i end for i = 1, 1 << 22 do t[i] = nil end t.x = 1 end",
      "local t = {} setmetatable(t, { __call = t }) local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 1 + t() end while true do pcall(deep, 150000) end",
    ])
  func `releases an interpreter that it abandoned in the middle of an operation`(script: String)
    throws
  {
    for milliseconds in [40, 90] {
      var live = 0
      do {
        var configuration = LuaConfiguration()
        configuration.turn = .milliseconds(milliseconds)
        configuration.memory = 1 << 30
        let state = try LuaState(configuration)
        try state.globals.set("held", .userdata(state.userdata(for: Witness { live -= 1 })))
        live += 1
        let error = #expect(throws: LuaError.self) { try state.run(script, name: "=t") }
        #expect(error?.kind == .time)
        // Abandoned or only stopped: either way it releases what it held.
        state.close()
      }
      #expect(live == 0)
    }
  }
}

private nonisolated(unsafe) var slept: Int32 = -1

private final class Witness {
  private let onEnd: () -> Void
  init(_ onEnd: @escaping () -> Void) { self.onEnd = onEnd }
  deinit { onEnd() }
}
