import TideValues

/// Work that other threads do one after the other, and that may take long.
///
/// ```swift
/// let queue = WorkQueue()
/// loop.work(on: queue, { readTable() }) { rows in print(rows.count) }
/// ```
///
/// Only what runs has a thread. What waits in a queue holds none, and a queue takes its turn among
/// the others after each job.
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

  /// Removes a job that has not begun.
  func remove(_ job: LoopJob) {
    state.withLock { state in state.waiting.removeAll { $0 === job } }
  }

  private func startNext() {
    let step = LoopJob { if self.runNext() { self.startNext() } }
    // On this thread where the system has none left.
    while !step.start(takesLong: true), runNext() {}
  }

  /// Runs the job that has waited longest; true where another one waits.
  private func runNext() -> Bool {
    let job = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    job?.body()
    return state.withLock { state in
      state.isBusy = !state.waiting.isEmpty
      return state.isBusy
    }
  }
}
