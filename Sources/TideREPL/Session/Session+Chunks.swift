import TideBindings
import TideGraph
import TideLua
import TideScript

// Runs chunks, which may wait.
extension Session {
  /// Runs a chunk to its end. The event loop keeps running while the chunk waits.
  ///
  /// Within a turn of the loop, which cannot be interrupted, a waiting chunk has no values yet;
  /// `onOutput` receives them when it ends.
  func call(_ chunk: LuaFunction) throws -> [LuaValue] {
    let outer = runtime.graph.enter()
    defer { Graph.leave(to: outer) }
    let mayTurn = !runtime.loop.isTurning && !runtime.lua.isRunning
    switch try beginTask(chunk) {
    case .finished(let results): return results
    case .waiting(let task):
      guard mayTurn else {
        tellLater(of: task)
        return []
      }
      return try wait(for: task)
    }
  }

  /// Uses the reserve of memory, so that the user can still inspect an app that has exhausted its
  /// limit.
  private func beginTask(_ chunk: LuaFunction) throws -> Runtime.Beginning {
    try runtime.lua.withReserve { try runtime.begin(chunk, [], in: context) }
  }

  private func wait(for task: ScriptTask) throws -> [LuaValue] {
    var wasInterrupted = false
    let ended = runtime.turn(untilEndOf: task) {
      wasInterrupted = isInterrupted()
      return wasInterrupted
    }
    guard let outcome = ended else {
      task.cancel()
      throw wasInterrupted
        ? TideError(.interrupted, "interrupted")
        : TideError(.async, "it waits for what never comes")
    }
    do { return try outcome.get() } catch { throw TideError(script: error) }
  }

  private func tellLater(of task: ScriptTask) {
    whenEnded(task) { [weak self] outcome in
      guard let self else { return }
      do {
        for line in try show(outcome.get()) { onOutput(line) }
      } catch {
        onOutput(Diagnostic(failure(TideError(script: error))).text())
      }
    }
  }

  private func whenEnded(_ task: ScriptTask, _ body: @escaping (ScriptTask.Outcome) -> Void) {
    if let result = task.result { body(result) } else { task.whenEnded(body) }
  }

  /// Starts a chunk; also works within a turn of the loop. Calls `ended` when the chunk ends,
  /// possibly before this returns.
  ///
  /// - Returns: a function that cancels a waiting chunk; nil if the chunk has already ended.
  func begin(
    _ chunk: LuaFunction, ended: @escaping (Result<[LuaValue], any Error>) -> Void
  ) -> (() -> Void)? {
    let outer = runtime.graph.enter()
    defer { Graph.leave(to: outer) }
    let ended: (ScriptTask.Outcome) -> Void = { ended($0.mapError { TideError(script: $0) }) }
    onRunning(true)
    let beginning = Result { try beginTask(chunk) }
    onRunning(false)
    switch beginning {
    case .failure(let error): ended(.failure(error))
    case .success(.finished(let results)): ended(.success(results))
    case .success(.waiting(let task)):
      if task.result == nil {
        task.onStretch = onRunning
        task.whenEnded(ended)
        return { task.cancel() }
      }
      whenEnded(task, ended)
    }
    return nil
  }

  /// Compiles the text of a script file as a chunk that sees the session's variables. The first
  /// line may be a `#!` line.
  func chunk(ofFile path: String, _ text: String) throws -> LuaFunction {
    ReadSources.note(path)
    noteSource(text, as: path)
    let source = text.hasPrefix("#") ? "--" + text : text
    do throws(LuaError) {
      return try runtime.lua.load(source, name: "@" + path, environment: environment)
    } catch {
      throw TideError(error)
    }
  }
}
