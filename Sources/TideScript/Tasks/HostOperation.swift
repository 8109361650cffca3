import TideLua

/// An asynchronous function of the host that a script's task waits for.
///
/// The result is posted to the runtime's inbox. A result after a cancellation is dropped.
// Unchecked, because only the runtime's thread reads and clears the properties. Another thread may
// release the operation, which by then references nothing of the runtime.
final class HostOperation<Result: Sendable>: @unchecked Sendable {
  private var task: ScriptTask?
  private var lower: Lower?

  typealias Lower = (Runtime, Result) throws -> [LuaValue]

  private init(_ task: ScriptTask, _ lower: @escaping Lower) {
    self.task = task
    self.lower = lower
  }

  static func start(
    in runtime: Runtime, for task: ScriptTask,
    _ body: @escaping @Sendable () async throws -> Result,
    lowering lower: @escaping Lower
  ) -> Wait.Handle {
    let operation = HostOperation(task, lower)
    let inbox = runtime.loop.inbox
    runtime.loop.operations += 1
    let work = Task {
      let outcome: Swift.Result<Result, any Error>
      do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
      inbox.post { operation.arrive(outcome) }
    }
    return Wait.Handle(cancel: {
      operation.end()
      work.cancel()
    })
  }

  private func arrive(_ outcome: Swift.Result<Result, any Error>) {
    guard let task, let lower, let runtime = task.owner.runtime else { return }
    end()
    task.arrive(Swift.Result { try lower(runtime, outcome.get()) })
  }

  private func end() {
    guard let task else { return }
    task.owner.runtime?.loop.operations -= 1
    self.task = nil
    lower = nil
  }
}

extension Runtime {
  /// Suspends a script's call until an asynchronous function of the host has returned.
  func wait<Result: Sendable>(
    _ call: borrowing LuaCall, in name: String,
    for body: @escaping @Sendable () async throws -> Result,
    lowering lower: @escaping (Runtime, Result) throws -> [LuaValue]
  ) throws {
    try wait(call, in: name) { [home] task in
      HostOperation.start(in: try home.requireRuntime(), for: task, body, lowering: lower)
    }
  }
}
