/// Holders that wait for memory, on the thread of their event loop.
///
///     file, program, server ─▶ reservation ─▶ bytes ─▶ the script's copy
///                                  │ no room
///                                  └─▶ waits until another holder is done, or fails
package final class MemoryQueue {
  package let account: MemoryAccount
  private let loop: EventLoop
  private let meter: any MemoryUse
  /// Holders that reserve once, and holders that ask repeatedly; each in order of arrival.
  private var whole: [Waiter] = []
  private var growing: [Waiter] = []
  private var isRetrying = false

  private struct Waiter {
    let ask: () -> MemoryAccount.Answer
    let body: (Bool) -> Void
  }

  /// - Parameter onRelease: makes the loop's thread call `retry`.
  package init(
    _ loop: EventLoop, _ meter: any MemoryUse, onRelease: @escaping @Sendable () -> Void
  ) {
    self.loop = loop
    self.meter = meter
    account = MemoryAccount(limit: meter.memoryLimit, onRelease: onRelease)
  }

  /// Reserves everything that a holder needs. Calls a function with the outcome, now or after other
  /// holders have released memory.
  package func reserve(
    _ bytes: Int, in reservation: MemoryReservation, _ body: @escaping (Bool) -> Void
  ) {
    let waiter = Waiter(ask: { reservation.reserveAll(bytes) }, body: body)
    if !whole.isEmpty || !settle(waiter) { enqueue(waiter, \.whole) }
  }

  package enum Growth { case now, later, never }

  /// Asks on behalf of a growing holder. After `later`, a function is called with the outcome; if
  /// true, the memory is reserved.
  package func grow(
    _ ask: @escaping () -> MemoryAccount.Answer, _ body: @escaping (Bool) -> Void
  ) -> Growth {
    switch judge(ask) {
    case .granted: return .now
    case .refused: return .never
    case .waits:
      enqueue(Waiter(ask: ask, body: body), \.growing)
      return .later
    }
  }

  private func enqueue(
    _ waiter: Waiter, _ queue: ReferenceWritableKeyPath<MemoryQueue, [Waiter]>
  ) {
    self[keyPath: queue].append(waiter)
    // A pending request for memory keeps the app running.
    loop.operations += 1
  }

  /// Changes a reservation to a number of bytes held until an external receiver takes them. Never
  /// waits; returns false if there is no memory.
  package func hold(_ bytes: Int, in reservation: MemoryReservation) -> Bool {
    judge { reservation.hold(bytes) ? .granted : .refused } == .granted
  }

  /// Retries the waiting requests in order.
  package func retry() {
    // A callback may release memory, or wait again.
    if isRetrying { return }
    isRetrying = true
    defer { isRetrying = false }
    for queue in [\MemoryQueue.growing, \MemoryQueue.whole] {
      var waiters = self[keyPath: queue]
      self[keyPath: queue] = []
      var settled = 0
      while settled < waiters.count, settle(waiters[settled]) { settled += 1 }
      waiters.removeFirst(settled)
      loop.operations -= settled
      self[keyPath: queue] = waiters + self[keyPath: queue]
    }
  }

  private func settle(_ waiter: Waiter) -> Bool {
    switch judge(waiter.ask) {
    case .granted: waiter.body(true)
    case .refused: waiter.body(false)
    case .waits: return false
    }
    return true
  }

  private func judge(_ ask: () -> MemoryAccount.Answer) -> MemoryAccount.Answer {
    note()
    let answer = ask()
    guard answer == .refused else { return answer }
    meter.makeRoom()
    note()
    return ask()
  }

  private func note() {
    account.note(used: meter.memoryUse, limit: meter.memoryLimit)
    account.trim()
  }
}

/// Reports a runtime's memory use apart from reservations.
package protocol MemoryUse {
  var memoryUse: Int { get }
  /// 0 for no limit.
  var memoryLimit: Int { get }
  /// Frees memory that is not needed, and measures the rest.
  func makeRoom()
}
