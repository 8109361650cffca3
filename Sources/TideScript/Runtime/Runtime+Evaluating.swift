import TideBindings
public import TideGraph
public import TideLua

extension Runtime {
  /// Evaluates a Lua expression or chunk and gives its first result. See `evaluate(_:as:)`.
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
  /// Where the text waits, the runtime's loop turns until it goes on, and the calling thread is kept
  /// as by `run`. Called by a function of the loop or of a script, which would have to be left for
  /// that, it throws `async` instead, and the text runs no further. What the text makes belongs to
  /// the app's main context.
  ///
  /// - Throws: `TideError`, also `wrongType` for a result that does not fit.
  public func evaluate<Result: LuaConvertible>(
    _ source: String, as type: Result.Type
  ) throws -> Result {
    let result = try results(of: source).first ?? .nil
    do {
      return try Result.fromLua(result)
    } catch {
      throw TideError(
        .wrongType, "(evaluate) gives \(result.preview), where \(Result.self) is expected",
        cause: error)
    }
  }

  /// What the text is called in messages.
  static let evaluated = "(evaluate)"

  private func results(of source: String) throws -> [LuaValue] {
    try requireHere()
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    let chunk = try perform {
      do {
        return try lua.load("return " + source, name: "=" + Self.evaluated)
      } catch let error as LuaError where error.kind == .syntax {
        // It is no expression, then.
        return try lua.load(source, name: "=" + Self.evaluated)
      }
    }
    let mayTurn = !loop.isTurning && !lua.isRunning
    switch try begin(chunk, [], in: mainContext) {
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

  /// Lets the loop turn until a task has ended; nil when the app ends before, when nothing is left
  /// that could go on, or when it is to stop.
  func turn(untilEndOf task: ScriptTask, isStopped: () -> Bool) -> ScriptTask.Outcome? {
    var outcome = task.result
    if outcome == nil { task.whenEnded { outcome = $0 } }
    while outcome == nil, exitCode == nil, loop.hasWork, !isStopped() { turn() }
    return outcome
  }
}

/// A wait that keeps an actor. What waits for nothing but the host's functions for longer than a turn may
/// take is given up: they may need the very actor, and would then never come.
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
    // So that the loop looks; by itself it waits for as long as it takes.
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
