/// The waiting timers: a binary heap whose elements store their positions, so that cancelling needs
/// no search.
///
/// ```
///          heap                     due
///     ┌──── t4 ────┐          t1  t2  t3
///    t7            t5              ▲ nextDue
/// ```
///
/// Invariant: `heap[i].position == i`, and no timer is earlier than the one at `(i - 1) / 2`. Due
/// timers have left the heap, except those that were disabled and enabled again since.
final class TimerQueue {
  private var heap: [LoopTimer] = []
  /// Due timers in their order of execution; cancelled ones stay until their turn.
  private var due: [LoopTimer] = []
  private var nextDue = 0
  private var made = 0
  /// The number of timers that keep an app running.
  private(set) var keepingCount = 0
  /// Called when the next deadline or the number of timers may have changed.
  var onChange: () -> Void = {}

  /// The tolerance for rounding errors in deadlines, in seconds.
  private static let tolerance = 1e-9

  /// The number of waiting timers, including due ones.
  var count: Int { heap.count + due.count - nextDue }
  var nextDeadline: Double? { hasDue ? due[nextDue].deadline : heap.first?.deadline }
  var hasDue: Bool { nextDue < due.count }

  /// - Parameter goesFirst: whether it runs before other timers that are due at the same time.
  @discardableResult
  func add(
    deadline: Double, interval: Double?, keepsRunning: Bool, goesFirst: Bool = false,
    body: @escaping () -> Void
  ) -> LoopTimer {
    made += 1
    let timer = LoopTimer(
      deadline: deadline, interval: interval, keepsRunning: keepsRunning, goesFirst: goesFirst,
      number: made, queue: self, body: body)
    resume(timer)
    return timer
  }

  func resume(_ timer: LoopTimer) {
    if timer.keepsRunning { keepingCount += 1 }
    insert(timer)
    onChange()
  }

  /// Called once by a timer when it is disabled or cancelled.
  func forget(_ timer: LoopTimer) {
    if timer.keepsRunning { keepingCount -= 1 }
    if let position = timer.position { remove(at: position) }
    onChange()
  }

  /// Collects the timers that are due now, behind those left from an earlier collection.
  ///
  /// Timers created while they run wait for the next collection, so that a timer that keeps
  /// creating timers cannot starve the rest of the program.
  func collect(now: Double) {
    if !hasDue {
      due.removeAll(keepingCapacity: true)
      nextDue = 0
    }
    while let first = heap.first, first.deadline <= now + Self.tolerance {
      remove(at: 0)
      if first.goesFirst { due.insert(first, at: nextDue) } else { due.append(first) }
    }
  }

  /// Runs the next collected timer. Returns false if there was none.
  func runNext(now: Double) -> Bool {
    while hasDue {
      let timer = due[nextDue]
      nextDue += 1
      guard timer.isEnabled, timer.position == nil, let body = timer.body else { continue }
      if let interval = timer.interval {
        timer.moveDeadline(past: now, by: interval)
        insert(timer)
      } else {
        timer.cancel()
      }
      body()
      return true
    }
    return false
  }

  private func insert(_ timer: LoopTimer) {
    heap.append(timer)
    moveUp(from: heap.count - 1)
  }

  private func remove(at position: Int) {
    heap[position].position = nil
    let last = heap.removeLast()
    guard position < heap.count else { return }
    place(last, at: position)
    moveDown(from: position)
    moveUp(from: position)
  }

  private func place(_ timer: LoopTimer, at position: Int) {
    heap[position] = timer
    timer.position = position
  }

  private func moveUp(from start: Int) {
    var position = start
    let timer = heap[position]
    while position > 0, timer.comes(before: heap[(position - 1) / 2]) {
      place(heap[(position - 1) / 2], at: position)
      position = (position - 1) / 2
    }
    place(timer, at: position)
  }

  private func moveDown(from start: Int) {
    var position = start
    let timer = heap[position]
    while true {
      var child = 2 * position + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].comes(before: heap[child]) { child += 1 }
      guard heap[child].comes(before: timer) else { break }
      place(heap[child], at: position)
      position = child
    }
    place(timer, at: position)
  }
}

extension TimerQueue {
  /// The first violated invariant, for tests.
  var brokenInvariant: String? {
    for (position, timer) in heap.enumerated() {
      if timer.position != position { return "timer \(timer.number) does not know its position" }
      if timer.hasEnded || !timer.isEnabled { return "timer \(timer.number) should not wait" }
      if position > 0, timer.comes(before: heap[(position - 1) / 2]) {
        return "timer \(timer.number) comes before the one above it"
      }
    }
    let waiting = heap + due[nextDue...].filter { $0.position == nil && $0.isEnabled }
    let keeping = waiting.count { $0.keepsRunning && !$0.hasEnded }
    return keeping == keepingCount ? nil : "\(keepingCount) are counted, \(keeping) keep running"
  }
}
