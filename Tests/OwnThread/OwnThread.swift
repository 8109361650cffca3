import Glibc

/// Runs a test's body on a thread of its own, so that a loop which waits keeps no thread of the
/// concurrency pool.
package func onOwnThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    spawnThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// Runs a function on a new thread.
package func spawnThread(_ body: @escaping @Sendable () -> Void) {
  pthread_detach(makeThread(body))
}

/// A thread that can be waited for.
package struct JoinedThread {
  private let thread: pthread_t

  package init(_ body: @escaping @Sendable () -> Void) { thread = makeThread(body) }

  package func join() { pthread_join(thread, nil) }
}

private func makeThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { argument in
      if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Work(body)).toOpaque())
  return thread
}

private final class Work {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}
