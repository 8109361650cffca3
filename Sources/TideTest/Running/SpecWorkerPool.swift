import TideGraph
import TideSystem
import TideValues

/// Threads that run groups of spec files side by side, while the caller receives the events
/// file by file.
///
/// One thread runs each group, because a runtime belongs to one thread. The pool has its own
/// threads: a long spec must not block a thread of Swift's cooperative pool.
final class SpecWorkerPool: Sendable {
  private let groups: [SpecGroup]
  private let fileCount: Int
  private let options: TestOptions
  private let wantsTraces: Bool
  private let seed: Int
  private let progress: Guarded<Progress>
  private let condition = Condition()

  private struct Progress {
    /// The index of the next group to start.
    var next = 0
    /// Events not yet delivered, by file.
    var events: [[SpecEvent]]
    var isFinished: [Bool]
  }

  init(
    _ groups: [SpecGroup], _ fileCount: Int, _ options: TestOptions, wantsTraces: Bool, seed: Int
  ) {
    self.groups = groups
    self.fileCount = fileCount
    self.options = options
    self.wantsTraces = wantsTraces
    self.seed = seed
    progress = Guarded(
      Progress(
        events: Array(repeating: [], count: fileCount),
        isFinished: Array(repeating: false, count: fileCount)))
  }

  /// Runs all groups. Calls `take` on the calling thread.
  func run(_ take: (SpecEvent) -> Void) {
    let count = min(options.jobs, groups.count)
    let threads = (0..<count).compactMap { _ in SystemThread { self.work() } }
    // If no thread can be created, the calling thread runs the groups.
    if threads.isEmpty { work() }
    for index in 0..<fileCount { tell(of: index, take) }
    for thread in threads { thread.join() }
  }

  private func tell(of index: Int, _ take: (SpecEvent) -> Void) {
    while true {
      let signals = condition.count
      let (events, isFinished) = progress.withLock { progress in
        let events = progress.events[index]
        progress.events[index] = []
        return (events, progress.isFinished[index])
      }
      for event in events { take(event) }
      if isFinished { return }
      if events.isEmpty { condition.wait(beyond: signals) }
    }
  }

  private func work() {
    while true {
      let index = progress.withLock { progress in
        defer { progress.next += 1 }
        return progress.next
      }
      guard index < groups.count else { return }
      let group = groups[index]
      var waiting: [SpecEvent] = []
      let run = SpecGroupRun(group, options, wantsTraces: wantsTraces, seed: seed) {
        [self] index, event in
        waiting.append(event)
        // Others are posted once per test, to reduce locking.
        switch event {
        case .output, .testEnd: post(&waiting, index)
        default: break
        }
      }
      for (index, _) in group.files {
        run.runNext()
        post(&waiting, index, isFinished: true)
      }
    }
  }

  private func post(_ events: inout [SpecEvent], _ index: Int, isFinished: Bool = false) {
    progress.withLock { [events] progress in
      progress.events[index] += events
      if isFinished { progress.isFinished[index] = true }
    }
    events = []
    condition.signal()
  }
}
