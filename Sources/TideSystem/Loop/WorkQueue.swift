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
    let step = LoopJob { self.runNext() }
    if !step.start(takesLong: true) { runNext() }
  }

  private func runNext() {
    let job = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    job?.body()
    let goesOn = state.withLock { state in
      state.isBusy = !state.waiting.isEmpty
      return state.isBusy
    }
    if goesOn { startNext() }
  }
}
