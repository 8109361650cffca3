import Fuzzing
import CTideLua
import Dispatch
import Synchronization
import Testing
@testable import TideLua

@Suite(.serialized) struct `Cancelling a run` {
  /// Cancels when the script has come to a place, on a thread of its own: those of the pool may all
  /// be busy for longer than a turn may take.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func cancels(_ task: Task<Outcome, any Error>) {
      DispatchQueue(label: "gate").async { [self] in
        semaphore.wait()
        task.cancel()
      }
    }
  }

  private enum Outcome: Equatable {
    case finished, cancelled
    case failed(String)
  }

  /// Runs a script in a task of its own, cancels it at the gate, and looks at what is left.
  private func cancel(
    _ source: String, _ inspect: @escaping @Sendable (LuaState) throws -> Void = { _ in }
  ) async throws -> Outcome {
    let gate = Gate()
    let task = Task { () async throws -> Outcome in
      var configuration = LuaConfiguration()
      configuration.turn = .seconds(60)
      let state = try LuaState(configuration)
      let before = tide_reference_count(state.raw)
      try state.register("open") { _ in gate.open() }
      try state.register("sleep") { () in
        gate.open()
        try await Task.sleep(for: .seconds(60))
      }
      try state.register("stubborn") { () in
        gate.open()
        while !Task.isCancelled { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
      }
      var outcome = Outcome.finished
      do { try await state.run(async: source, name: "=t") } catch is CancellationError {
        outcome = .cancelled
      } catch {
        outcome = .failed("\(error)")
      }
      try inspect(state)
      #expect(try state.run("return 1", name: "=t") == [1])
      #expect(tide_reference_count(state.raw) == before)
      return outcome
    }
    gate.cancels(task)
    return try await task.value
  }

  private static let guarded = """
    local c <close> = setmetatable({}, { __close = function() closed = (closed or 0) + 1 end })
    """

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "sleep()", "stubborn()", "pcall(sleep) after = true", "pcall(stubborn) after = true",
      "coroutine.wrap(function() sleep() end)()",
      "open() while true do end", "pcall(function() open() while true do end end) after = true",
      "open() while true do pcall(function() while true do end end) end",
      "coroutine.wrap(function() open() while true do end end)() after = true",
    ])
  func `a cancelled run is closed, wherever it was`(rest: String) async throws {
    let outcome = try await cancel("\(Self.guarded) \(rest)") { state in
      let globals = try state.globals
      let (closed, after) = (try globals["closed"], try globals["after"])
      #expect(closed == 1 && after == nil)
    }
    #expect(outcome == .cancelled)
  }

  @Test func `a run that was cancelled before does not begin`() async throws {
    let outcome = try await Task { () -> [Bool] in
      withUnsafeCurrentTask { $0?.cancel() }
      let state = try LuaState()
      let thread = try state.thread(running: try state.load("ran = true", name: "=t"))
      var isCancelled = false
      do { try await thread.run() } catch is CancellationError { isCancelled = true }
      return [isCancelled, !thread.isAlive, try state.globals["ran"].isNil]
    }.value
    #expect(outcome == [true, true, true])
  }

  @Test func `a body's own CancellationError is an error like any other`() async throws {
    let state = try LuaState()
    try state.register("giveUp") { () in throw CancellationError() }
    let results = try await state.run(
      async: "local ok = pcall(giveUp) return ok", name: "=t")
    #expect(results == [false])
  }

  /// Cancels at random moments of scripts that run and wait by turns, next to one that must not be
  /// hit: every run ends, its handlers have run, and nothing is kept.
  @Test(.timeLimit(.minutes(10))) func `cancellations at any moment hit their own run alone`()
    async throws
  {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of the cancellations: \(seed)")
    let host = try Host()
    async let bystander = host.runBystander()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let task = Task { await host.runOnce() }
      let delay = Int.random(in: 0...1500, using: &random)
      if delay > 100 { try await Task.sleep(for: .microseconds(delay)) }
      task.cancel()
      #expect(await task.value)
    }
    await host.stop()
    #expect(try await bystander)
    #expect(try await host.isBalanced())
    await host.close()
  }

  private actor Host {
    private let state: LuaState
    private let body: LuaFunction
    private let before: UInt32
    private var isStopped = false

    init() throws {
      var configuration = LuaConfiguration()
      configuration.turn = nil
      let state = try LuaState(configuration)
      self.state = state
      try state.register("nap") { () in await Task.yield() }
      try state.run("opened, closed = 0, 0", name: "=t")
      body = try state.load(
        """
        opened = opened + 1
        local c <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
        while true do
          for i = 1, 2000 do pcall(function() local x = i * i end) end
          nap()
        end
        """, name: "=body")
      before = tide_reference_count(state.raw)
    }

    func runOnce() async -> Bool {
      do { try await body.run() } catch { return error is CancellationError }
      return false
    }

    func runBystander() async throws -> Bool {
      try state.register("isStopped") { call in call.return(self.assumeIsolated { $0.isStopped }) }
      let results = try await state.run(
        async: "local n = 0 while not isStopped() do n = n + 1 nap() end return n > 0", name: "=b")
      return results == [true]
    }

    func stop() { isStopped = true }
    func close() { state.close() }

    func isBalanced() async throws -> Bool {
      try state.run("isStopped = nil", name: "=t")
      guard try state.globals["opened"] == state.globals["closed"] else { return false }
      // A function of the host's that was cancelled lets go of its run on its own thread, a little
      // later.
      for _ in 0..<1000 {
        _ = try state.run("return 1", name: "=t")
        if tide_reference_count(state.raw) == before { return true }
        try await Task.sleep(for: .milliseconds(10))
      }
      return false
    }
  }
}
