import TideBindings
import TideGraph
import TideLua
import TideScript

// How a session runs its chunks, each of which may wait.
extension Session {
  /// Runs a chunk until it ends, also where it waits: the loop turns meanwhile.
  ///
  /// Within a turn of the loop, which cannot be left, a chunk that waits has no values yet; they
  /// are told by `onOutput` when it has ended.
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

  /// A person at the prompt can still look around in memory that scripts have filled.
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

  /// Begins a chunk, also in a turn of the loop; `ended` is told of its end, which may come before
  /// this returns.
  ///
  /// - Returns: what ends a chunk that waits; nil for one that has ended.
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

  /// The text of a script file as a chunk that sees the session's variables. A first line may name
  /// the script's interpreter.
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
