import TideValues

/// A serial queue of jobs for other threads; jobs may block.
///
/// ```swift
/// let queue = WorkQueue()
/// loop.work(on: queue, { readTable() }) { rows in print(rows.count) }
/// ```
///
/// Only a running job occupies a thread; waiting jobs do not. After each job the queue yields its
/// thread to other queues.
package final class WorkQueue: Sendable {
  private struct State {
    var waiting: [LoopJob] = []
    /// Whether a thread runs a job, or is about to.
    var isBusy = false
  }

  private let state = Guarded(State())

  package init() {}

  func add(_ job: LoopJob) {
    let isFirst = state.withLock { state in
      state.waiting.append(job)
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if isFirst { startNext() }
  }

  /// Removes a job that has not started.
  func remove(_ job: LoopJob) {
    state.withLock { state in state.waiting.removeAll { $0 === job } }
  }

  private func startNext() {
    let step = LoopJob { if self.runNext() { self.startNext() } }
    // On the calling thread if no thread can be created.
    while !step.start(takesLong: true), runNext() {}
  }

  /// Runs the oldest job. Returns true if more are waiting.
  private func runNext() -> Bool {
    let job = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    job?.body()
    return state.withLock { state in
      state.isBusy = !state.waiting.isEmpty
      return state.isBusy
    }
  }
}
