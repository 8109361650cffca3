import TideBindings
public import TideGraph
public import TideLua

extension Runtime {
  /// Evaluates a Lua expression or chunk and returns its first result. See `evaluate(_:as:)`.
  ///
  /// - Throws: the errors of `evaluate(_:as:)`, except `wrongType`.
  @available(*, deprecated, message: "use evaluate(_:as:), which takes any value as Value.self")
  @discardableResult
  public func evaluate(_ source: String) throws -> Value {
    let result = try results(of: source).first ?? .nil
    return try perform { try value(from: result) }
  }

  /// Evaluates a Lua expression or chunk and converts its first result.
  ///
  /// ```swift
  /// let name = try runtime.evaluate("person.name", as: String.self)
  /// let page = try runtime.evaluate("sleep(1) return fetch(address)", as: String.self)
  /// ```
  ///
  /// While the text waits, the runtime's loop turns and the calling thread is blocked, as by `run`.
  /// A call from a function of the loop or of a script cannot wait: it throws `async`, and the text
  /// stops there. What the text makes belongs to the app's main context.
  ///
  /// - Throws: `TideError`, including `wrongType` for a result that does not fit.
  /// - Parameters:
  ///   - source: an expression, or a chunk that returns something.
  ///   - type: what the result becomes.
  ///   - environment: the table of the text's globals; nil for the app's globals.
  ///   - budget: the text's budget; nil for the runtime's limits.
  @discardableResult
  public func evaluate<Result: TideConvertible>(
    _ source: String, as type: Result.Type, environment: LuaTable? = nil,
    budget: LuaBudget? = nil
  ) throws -> Result {
    try convert(try results(of: source, environment, budget))
  }

  /// Evaluates a Lua expression or chunk where it may wait, and converts its first result.
  ///
  /// ```swift
  /// let page = try await runtime.evaluate("fetch(address)", as: String.self)
  /// ```
  ///
  /// At the top level of `main.swift` use `evaluate(async:as:)`, because Swift resolves this name
  /// to the blocking function there.
  ///
  /// - Throws: the errors of `evaluate(async:as:)`.
  @discardableResult
  nonisolated(nonsending) public func evaluate<Result: TideConvertible>(
    _ source: String, as type: Result.Type, environment: LuaTable? = nil,
    budget: LuaBudget? = nil
  ) async throws -> Result {
    try await evaluate(async: source, as: type, environment: environment, budget: budget)
  }

  /// Evaluates a Lua expression or chunk that may wait, and converts its first result.
  ///
  /// ```swift
  /// let page = try await runtime.evaluate(async: "fetch(address)", as: String.self)
  /// ```
  ///
  /// While the script waits, this suspends and its actor is free; the rest of the runtime
  /// continues. Call it on the runtime's actor; it stays there. When the calling task is cancelled,
  /// the script is interrupted, or its wait is cancelled. Pass values from outside as arguments of
  /// `call`, where they cannot become code.
  ///
  /// - Throws: `TideError`, including `wrongType` for a result that does not fit, `async` when
  ///   nothing can resume the script, and `graph` on another actor or thread; `CancellationError`.
  @discardableResult
  nonisolated(nonsending) public func evaluate<Result: TideConvertible>(
    async source: String, as type: Result.Type, environment: LuaTable? = nil,
    budget: LuaBudget? = nil
  ) async throws -> Result {
    do {
      let results = try await waited(within: budget, isText: true) {
        (.function(try compile(evaluated: source, environment)), [])
      }
      return try convert(results)
    } catch let error as LuaError {
      throw TideError(error)
    }
  }

  /// Runs a Lua chunk and ignores its results.
  ///
  /// ```swift
  /// try runtime.evaluate("models.person.name = 'Eve'", as: Void.self)
  /// ```
  ///
  /// - Throws: the errors of `evaluate(_:as:)` for a result, except `wrongType`.
  public func evaluate(
    _ source: String, as type: Void.Type, environment: LuaTable? = nil, budget: LuaBudget? = nil
  ) throws {
    _ = try results(of: source, environment, budget)
  }

  /// Runs a Lua chunk that may wait, and ignores its results.
  ///
  /// - Throws: the errors of `evaluate(async:as:)` for a result, except `wrongType`.
  nonisolated(nonsending) public func evaluate(
    _ source: String, as type: Void.Type, environment: LuaTable? = nil, budget: LuaBudget? = nil
  ) async throws {
    try await evaluate(async: source, as: type, environment: environment, budget: budget)
  }

  /// Runs a Lua chunk that may wait, and ignores its results.
  ///
  /// - Throws: the errors of `evaluate(async:as:)` for a result, except `wrongType`.
  nonisolated(nonsending) public func evaluate(
    async source: String, as type: Void.Type, environment: LuaTable? = nil,
    budget: LuaBudget? = nil
  ) async throws {
    do {
      _ = try await waited(within: budget, isText: true) {
        (.function(try compile(evaluated: source, environment)), [])
      }
    } catch let error as LuaError {
      throw TideError(error)
    }
  }

  private func convert<Result: TideConvertible>(_ results: [LuaValue]) throws -> Result {
    let result = results.first ?? .nil
    do {
      return try Result.fromLua(result)
    } catch {
      throw TideError(
        .wrongType, "(evaluate) gives \(result.preview), where \(Result.self) is expected",
        cause: error)
    }
  }

  /// The name of the text in messages.
  static let evaluated = "(evaluate)"

  /// Compiles an expression or a chunk of the host.
  private func compile(evaluated source: String, _ environment: LuaTable?) throws -> LuaFunction {
    try perform {
      do {
        return try lua.load(
          "return " + source, name: "=" + Self.evaluated, environment: environment)
      } catch let error as LuaError where error.kind == .syntax {
        // Not an expression, so a chunk.
        return try lua.load(source, name: "=" + Self.evaluated, environment: environment)
      }
    }
  }

  private func begin(
    _ source: String, _ environment: LuaTable?, _ budget: LuaBudget?
  ) throws -> Beginning {
    let beginning = try lua.withReserve {
      let chunk = try compile(evaluated: source, environment)
      return try lua.within(budget) { try begin(chunk, [], in: mainContext) }
    }
    if case .waiting(let task) = beginning { task.budget = budget }
    return beginning
  }

  private func results(
    of source: String, _ environment: LuaTable? = nil, _ budget: LuaBudget? = nil
  ) throws -> [LuaValue] {
    try requireHere()
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    let mayTurn = !loop.isTurning && !lua.isRunning
    defer { if mayTurn { finishTurn() } }
    settleObserved()
    switch try begin(source, environment, budget) {
    case .finished(let results): return results
    case .waiting(let task):
      let wait = ActorWait(for: self)
      guard let outcome = turn(untilEndOf: task, isStopped: { !mayTurn || wait.isOver }) else {
        let isDeadlock = mayTurn && wait.isOver
        task.cancel()
        if isDeadlock { throw wait.error }
        throw TideError(
          .async,
          mayTurn
            ? "(evaluate) waits for what never comes"
            : "(evaluate) has to wait, which it cannot within a function of the loop or of a script"
        )
      }
      do { return try outcome.get() } catch { throw TideError(script: error) }
    }
  }

  /// Turns the loop until a task has ended. Returns nil if the app ends first, if nothing is left
  /// that could resume the task, or if the loop is to stop. Questions that nobody can answer are
  /// dismissed.
  package func turn(untilEndOf task: ScriptTask, isStopped: () -> Bool) -> ScriptTask.Outcome? {
    var outcome = task.result
    if outcome == nil { task.whenEnded { outcome = $0 } }
    while outcome == nil, exitCode == nil, loop.hasWork || dismissQuestions(), !isStopped() {
      turn()
    }
    return outcome
  }
}

/// A wait that blocks an actor. If only functions of the host are awaited for longer than a turn
/// may take, the wait is given up, since they may need the blocked actor.
private struct ActorWait {
  private let loop: EventLoop
  private let seconds: Double?
  private let waker: LoopTimer?
  private let start = EventLoop.monotonicTime()

  init(for runtime: Runtime) {
    let loop = runtime.loop
    self.loop = loop
    let turn = runtime.configuration.lua.turn.map { $0 / .seconds(1) }
    seconds = runtime.graph.isActors ? turn : nil
    // Wakes the loop for the check; otherwise it would sleep without a limit.
    waker = loop.clock == nil ? seconds.map { loop.after($0, keepsRunning: false) {} } : nil
  }

  var isOver: Bool {
    guard let seconds, loop.isWaitingForHostAlone else { return false }
    return EventLoop.monotonicTime() - start >= seconds
  }

  var error: TideError {
    waker?.cancel()
    return TideError(
      .deadlock,
      "(evaluate) keeps its actor while it waits for a function of the host, which does not come; if "
        + "that needs the actor, it never can: call it from a script that `run` runs")
  }
}
