import Synchronization

/// Whether the client has cancelled a request. Long-running work checks it regularly.
package final class Cancellation: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  package func cancel() { flag.store(true, ordering: .relaxed) }

  /// Throws if the request was cancelled.
  package func check() throws(ResponseError) {
    if isCancelled { throw .cancelled }
  }
}
