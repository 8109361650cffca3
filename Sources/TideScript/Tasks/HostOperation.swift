import TideLua

/// An asynchronous function of the host's that a script's task waits for.
///
/// Its result goes straight into the runtime's inbox; the app runs on until it has come, and what
/// comes after a cancellation is dropped.
final class HostOperation<Result: Sendable>: @unchecked Sendable {
  // Everything here is touched on the runtime's thread alone.
  private var task: ScriptTask?
  private let loop: EventLoop
  private let lower: (Result) throws -> [LuaValue]

  private init(
    _ task: ScriptTask, _ loop: EventLoop, _ lower: @escaping (Result) throws -> [LuaValue]
  ) {
    self.task = task
    self.loop = loop
    self.lower = lower
  }

  static func start(
    in runtime: Runtime, for task: ScriptTask,
    _ body: @escaping @Sendable () async throws -> Result,
    lowering lower: @escaping (Result) throws -> [LuaValue]
  ) -> Wait.Handle {
    let operation = HostOperation(task, runtime.loop, lower)
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
    guard let task = end() else { return }
    task.arrive(Swift.Result { try lower(outcome.get()) })
  }

  @discardableResult
  private func end() -> ScriptTask? {
    guard let waiting = task else { return nil }
    task = nil
    loop.operations -= 1
    return waiting
  }
}
