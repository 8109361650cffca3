import Fuzzing
import OwnThread
import Synchronization
import Testing
import TideBindings
import TideLua
import TideRun
import TideScript
import TideViews

/// Lets functions of a host through when a test says so.
actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var watchers: [(count: Int, CheckedContinuation<Void, Never>)] = []

  func pass() async {
    if isOpen { return }
    await withCheckedContinuation { continuation in
      waiting.append(continuation)
      tellWatchers()
    }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  /// Returns when so many wait.
  func waits(for count: Int) async {
    await withCheckedContinuation { continuation in
      watchers.append((count, continuation))
      tellWatchers()
    }
  }

  private func tellWatchers() {
    watchers.removeAll { watcher in
      guard waiting.count >= watcher.count else { return false }
      watcher.1.resume()
      return true
    }
  }
}

extension Runtime {
  /// Evaluates as synchronous code does, which Swift prefers to await where that can be.
  fileprivate func evaluateAtOnce(_ text: String) throws {
    try evaluate(text, as: Value.self)
  }
}

@MainActor @Suite(.timeLimit(.minutes(10))) struct `Calls that wait` {
  /// A runtime whose scripts have `slow(n)`, which comes back when the gate is open.
  private func makeRuntime(_ gate: Gate = Gate()) throws -> Runtime {
    let runtime = try Runtime(source: "-- nothing")
    try runtime.register("slow") { (n: Int) async -> Int in
      await gate.pass()
      return n
    }
    return runtime
  }

  @Test func `go on where the host settles meanwhile`() async throws {
    let gate = Gate()
    let runtime = try makeRuntime(gate)
    let call = Task { try await runtime.evaluate(async: "slow(7)", as: Int.self) }
    await gate.waits(for: 1)
    runtime.settle()
    await gate.open()
    while runtime.loop.hasWork {
      runtime.settle()
      await Task.yield()
    }
    #expect(try await call.value == 7)
  }

  @Test func `end when the app is stopped after a settle`() async throws {
    let runtime = try makeRuntime()
    runtime.loop.after(3600) {}
    let run = Task { try await runtime.run() }
    while !runtime.loop.isLed { await Task.yield() }
    runtime.settle()
    let sender = runtime.sender
    Task.detached { sender.send { $0.stop() } }
    #expect(try await run.value == 0)
  }

  @Test func `end when the owner itself stops the app`() async throws {
    let runtime = try makeRuntime()
    runtime.loop.after(3600) {}
    let run = Task { try await runtime.run() }
    while !runtime.loop.isLed { await Task.yield() }
    runtime.stop()
    #expect(try await run.value == 0)
  }

  @Test func `hear of a timer that the owner makes while the app is run`() async throws {
    let runtime = try makeRuntime()
    runtime.loop.after(3600) {}
    let run = Task { try await runtime.run() }
    while !runtime.loop.isLed { await Task.yield() }
    try runtime.evaluateAtOnce("spawn(function() sleep(0.001) exit(3) end)")
    #expect(try await run.value == 3)
  }

  @Test func `show at once what the owner changes while the app is run`() async throws {
    let runtime = try makeRuntime()
    let person = Person()
    try runtime.register("person", person)
    try runtime.evaluateAtOnce(
      "local l = view.label {} bind('name -> text', models.person, l) show(l)")
    let renderer = CountingRenderer()
    let run = Task { try await runtime.run(renderer) }
    while renderer.frames == 0 { await Task.yield() }
    for _ in 0..<10 { await Task.yield() }
    let before = renderer.frames
    person.name = "Eve"
    while renderer.frames == before { await Task.yield() }
    runtime.stop()
    _ = try await run.value
  }

  final class Person: DataObject {
    @Property var name = "Ada"
  }

  /// Counts the frames that it is given.
  final class CountingRenderer: Renderer {
    private(set) var frames = 0
    func mount(_ scene: Scene) throws { scene.resize(Size(width: 20, height: 2)) }
    func render(_ changes: Changes) throws { frames += 1 }
    func unmount() {}
  }

  @Test func `come back in pairs while the app is run`() async throws {
    let runtime = try Runtime(source: "-- nothing")
    try runtime.register("slow") { (n: Int) async -> Int in
      await Task.yield()
      return n
    }
    runtime.loop.after(3600) {}
    let run = Task { try await runtime.run() }
    for number in 0..<300 {
      let one = Task { try await runtime.evaluate(async: "slow(\(number))", as: Int.self) }
      let two = Task { try await runtime.evaluate(async: "slow(\(-number))", as: Int.self) }
      #expect(try await one.value == number)
      #expect(try await two.value == -number)
    }
    runtime.stop()
    _ = try await run.value
  }

  /// Cancels a task from whatever thread.
  final class Canceller: Sendable {
    let body = Mutex<(@Sendable () -> Void)?>(nil)
  }

  /// Carries a runtime into functions of the main actor.
  @MainActor final class Holder {
    let runtime: Runtime
    init(_ runtime: Runtime) { self.runtime = runtime }
    func nested(_ depth: Int) async throws -> Int {
      depth == 0 ? 0 : try await runtime.evaluate(async: "1 + nest(\(depth - 1))", as: Int.self)
    }
  }

  @Test func `may nest by way of functions of the host`() async throws {
    let runtime = try Runtime(source: "-- nothing")
    let holder = Holder(runtime)
    try runtime.register("nest") { @MainActor (depth: Int) async throws -> Int in
      try await holder.nested(depth)
    }
    for _ in 0..<20 {
      #expect(try await runtime.evaluate(async: "nest(24)", as: Int.self) == 24)
    }
    for _ in 0..<500 {
      #expect(try await runtime.evaluate(async: "nest(2)", as: Int.self) == 2)
    }
  }

  @Test func `are many at once, and cancelled ones hold up nobody`() async throws {
    let gate = Gate()
    let runtime = try makeRuntime(gate)
    let calls = (0..<100).map { n in
      Task { try await runtime.evaluate(async: "slow(\(n))", as: Int.self) }
    }
    await gate.waits(for: 100)
    for call in calls.prefix(50) { call.cancel() }
    for call in calls.prefix(50) {
      await #expect(throws: CancellationError.self) { try await call.value }
    }
    await gate.open()
    for (n, call) in calls.enumerated().dropFirst(50) { #expect(try await call.value == n) }
  }

  @Test func `are refused when nothing can go on with them any more`() async throws {
    let runtime = try makeRuntime()
    try runtime.evaluateAtOnce(
      "context('c', function() task = spawn(function() sleep(3600) end) end) return 1")
    let calls = (0..<3).map { _ in
      Task { try await runtime.evaluate(async: "await(task) return true", as: Bool.self) }
    }
    for _ in 0..<10 { await Task.yield() }
    try runtime.evaluateAtOnce("context.disable('c') return 1")
    for call in calls {
      let error = await #expect(throws: TideError.self) { try await call.value }
      #expect(error?.code == .async, "\(error as Any)")
    }
  }

  /// Posts itself again and again.
  final class Echo: Sendable {
    let sender: RuntimeSender
    init(_ sender: RuntimeSender) { self.sender = sender }
    func post() { sender.send { _ in self.post() } }
  }

  @Test func `leave their actor to others, however much there is to do`() async throws {
    let runtime = try makeRuntime()
    Echo(runtime.sender).post()
    let run = Task { try await runtime.run() }
    let stop = Task { runtime.stop() }
    await stop.value
    #expect(try await run.value == 0)
  }

  @Test func `interrupt a script that is running when their task is cancelled`() async throws {
    var configuration = Runtime.Configuration()
    configuration.lua.turn = .seconds(60)
    let runtime = try Runtime(
      source: "function spin() begun() while true do end end", configuration: configuration)
    try runtime.load()
    let cancel = Canceller()
    try runtime.register("begun") {
      // Another thread, because this one is kept by the script.
      spawnThread { cancel.body.withLock { $0 }?() }
    }
    let call = Task { try await runtime.call("spin") }
    cancel.body.withLock { $0 = { call.cancel() } }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(try await runtime.evaluate("1 + 1", as: Int.self) == 2)
  }
}

@MainActor @Suite(.timeLimit(.minutes(10))) struct `Calls by name` {
  private static let script = """
    local M = {}
    function M.total(basket, price) sleep(0.001) return #basket * price end
    function M.pay(sum) return sum - 1, true, "paid" end
    function M.fail() error("no money") end
    M.limits = { most = function() return 12 end }
    function greet(name) return "hello " .. name end
    counted = 0
    function count() counted = counted + 1 end
    return M
    """

  private func makeRuntime() throws -> Runtime {
    let runtime = try Runtime(source: Self.script)
    runtime.register(searcher: { name in
      name == "shop.rates"
        ? .text("return { vat = function(x) sleep(0.001) return x * 0.2 end }") : nil
    })
    try runtime.load()
    return runtime
  }

  @Test func `find functions of the main script, of globals and of modules`() async throws {
    let runtime = try makeRuntime()
    #expect(try await runtime.call("total", ["a", "b"], 4, as: Int.self) == 8)
    #expect(try await runtime.call("greet", "Eve", as: String.self) == "hello Eve")
    #expect(try await runtime.call("limits.most", as: Int.self) == 12)
    #expect(try await runtime.call("shop.rates.vat", 10.0, as: Double.self) == 2)
    #expect(try await runtime.call("string.upper", "fig", as: String.self) == "FIG")
    try await runtime.call("count")
    #expect(try await runtime.evaluate("counted", as: Int.self) == 1)
  }

  @Test func `take values, never code, and give any number of results`() async throws {
    let runtime = try makeRuntime()
    let hostile = "\" .. exit(1) .. \""
    #expect(try await runtime.call("greet", hostile, as: String.self) == "hello " + hostile)
    let (rest, isPaid, word) = try await runtime.call("pay", 20, as: (Int, Bool, String).self)
    #expect(rest == 19 && isPaid && word == "paid")
  }

  @Test func `say what is wrong`() async throws {
    let runtime = try makeRuntime()
    func failure(_ body: () async throws -> Void) async -> TideError? {
      do {
        try await body()
        return nil
      } catch { return error as? TideError }
    }
    let unknown = await failure { try await runtime.call("gret", "Eve") }
    #expect(unknown?.code == .unresolvedName)
    #expect(unknown?.message.contains("did you mean") == true, "\(unknown as Any)")
    let inner = await failure { try await runtime.call("shop.rates.vta", 1) }
    #expect(inner?.code == .unresolvedName && inner?.message.contains("vat") == true)
    let noFunction = await failure { try await runtime.call("counted") }
    #expect(noFunction?.code == .wrongType)
    let result = await failure { _ = try await runtime.call("greet", "x", as: Int.self) }
    #expect(result?.code == .wrongType && result?.message.contains("greet") == true)
    let raised = await failure { try await runtime.call("fail") }
    #expect(raised?.code == .scriptError && raised?.location?.line == 4, "\(raised as Any)")
    for name in ["", ".", "a..b", "shop."] {
      #expect(await failure { try await runtime.call(name) }?.code == .unresolvedName)
    }
  }

  @Test func `run functions of a runtime that wait`() async throws {
    let runtime = try makeRuntime()
    let source = "function(n) sleep(0.001) return n, n + 1 end"
    let total = try await runtime.evaluate(source, as: LuaFunction.self)
    #expect(try await total.run(3, as: Int.self) == 3)
    let (one, two) = try await total.run(3, as: (Int, Int).self)
    #expect(one == 3 && two == 4)
    #expect(try await total.run([5]) == [5, 6])
    let budget = LuaBudget(time: .milliseconds(20))
    #expect(try await total.run(7, as: Int.self, budget: budget) == 7)
    let endless = try await runtime.evaluate(
      "function() while true do end end", as: LuaFunction.self)
    let error = await #expect(throws: LuaError.self) {
      try await endless.run(as: Value.self, budget: budget)
    }
    #expect(error?.kind == .time)
    #expect(try await runtime.lua.thread(running: total).run([1]) == [1, 2])
  }
}

@MainActor @Suite(.timeLimit(.minutes(10))) struct `Asynchronous methods` {
  actor Store: TideConvertible {
    private var values: [String: Int] = [:]
    func write(_ key: String, _ value: Int) async -> Int {
      await Task.yield()
      values[key] = value
      return values.count
    }
    func bounds() async -> (Int, Int) { (values.values.min() ?? 0, values.values.max() ?? 0) }
  }

  private static func describe() -> LuaUserType<Store> {
    let stores = LuaUserType<Store>("Store")
    stores.function("open") { () async -> Store in Store() }
    stores.method("write") { (store: Store, key: String, value: Int) async -> Int in
      await store.write(key, value)
    }
    stores.method("bounds") { (store: Store) async -> (Int, Int) in await store.bounds() }
    return stores
  }

  private static let script = """
    local s = Store.open()
    s:write("a", 3)
    local n = s:write("b", 5)
    local low, high = s:bounds()
    return n * 100 + low * 10 + high
    """

  @Test func `are waited for by scripts of a runtime`() async throws {
    let runtime = try Runtime(source: "-- nothing")
    try runtime.register(Self.describe())
    #expect(try await runtime.evaluate(async: Self.script, as: Int.self) == 235)
  }

  @Test func `are waited for by scripts of a state`() async throws {
    let state = try LuaState()
    try state.register(Self.describe())
    #expect(try await state.evaluate(async: Self.script, as: Int.self) == 235)
  }
}
