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
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { argument in
      if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Work(body)).toOpaque())
  pthread_detach(thread)
}

private final class Work {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}
