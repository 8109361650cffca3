extension EventLoop {
  /// Waits until something is to be done, and does it: due timers in the order of their deadlines,
  /// then ready descriptors, then what was posted.
  ///
  /// What these bring about in turn waits for the next turn. With a virtual clock nothing waits for
  /// a timer: the clock moves to its deadline.
  ///
  /// Timers that have taken long leave the others that are due to the next turn, and so does what
  /// was posted: however much there is to do, descriptors are heard in between.
  ///
  /// - Parameter timeout: the longest wait, in seconds; nil for as long as it takes.
  /// - Returns: whether anything was done.
  @discardableResult
  public func turn(timeout: Double? = nil) -> Bool {
    turn(until: timeout.map { now() + max(0, $0) })
  }

  private func turn(until moment: Double?) -> Bool {
    isTurnEnded = false
    let wasTurning = isTurning
    isTurning = true
    defer {
      isTurning = wasTurning
      // The turn may have taken posts that would have woken the driver, or made timers.
      wakeDriver()
      if !isTurning, waits.hasParked, !hasWork { waits.wakeParked() }
    }
    let ready = wait(until: moment)
    arrived += inbox.takeAll()
    timers.collect(now: now())
    var isAnythingDone = false
    // Whoever had no turn because of timers that took long has it before they take long again.
    if timersTookLong { isAnythingDone = run(ready) }
    let slice = Slice(of: self)
    while !isTurnEnded, !slice.isOver, timers.runNext(now: now()) { isAnythingDone = true }
    if !timersTookLong, run(ready) { isAnythingDone = true }
    timersTookLong = slice.isOver
    if !isTurnEnded, !arrived.isEmpty {
      isAnythingDone = true
      runArrived()
    }
    return isAnythingDone
  }

  /// Gives whether anything was done.
  private func run(_ ready: [DescriptorWatch]) -> Bool {
    var isAnythingDone = false
    for watch in ready where !isTurnEnded {
      // One of those before may have cancelled it.
      guard let body = watch.body else { continue }
      isAnythingDone = true
      body()
    }
    return isAnythingDone
  }

  /// Leaves the rest of what this turn has to do for the next one; for functions that it calls.
  package func endTurn() {
    isTurnEnded = true
    wakeDriver()
  }

  /// Does all that is due now, and what that makes due, without waiting.
  ///
  /// - Parameters:
  ///   - limit: the most turns, so that what keeps itself busy comes to an end here.
  ///   - time: after how long no further turn begins, by the system's clock; nil for no limit.
  /// - Returns: whether anything was done.
  @discardableResult
  package func drain(limit: Int = 1000, atMost time: Duration? = nil) -> Bool {
    let end = time.map { ContinuousClock.now + $0 }
    var turns = 0
    while turns < limit, turn(timeout: 0), !isTurnEnded {
      turns += 1
      if let end, ContinuousClock.now >= end { break }
    }
    return turns > 0
  }

  /// Moves a virtual clock on, from deadline to deadline, so that each timer runs at its time.
  ///
  /// Does nothing to a loop on the system's clock.
  public func advance(by seconds: Double) {
    guard let clock else { return }
    let end = clock.now + seconds
    repeat { _ = turn(until: end) } while clock.now < end && !isTurnEnded
    if !isTurnEnded { drain() }
  }

  private func runArrived() {
    let bodies = arrived
    arrived = []
    let slice = Slice(of: self)
    for (index, body) in bodies.enumerated() {
      body()
      if isTurnEnded || slice.isOver {
        arrived = bodies[(index + 1)...] + arrived
        return
      }
    }
  }

  /// The time that functions of one kind have in a turn before the others get theirs.
  private struct Slice {
    private let end: Double
    private static let length = 0.002

    /// Where time is virtual it stands still meanwhile, and every run does the same.
    init(of loop: EventLoop) {
      end = loop.clock == nil ? EventLoop.monotonicTime() + Self.length : .infinity
    }

    var isOver: Bool { end < .infinity && EventLoop.monotonicTime() >= end }
  }

  private func wait(until moment: Double?) -> [DescriptorWatch] {
    guard arrived.isEmpty, !timers.hasDue, inbox.beginPolling() else { return pollNow() }
    let end = [moment, nextDeadline].compactMap { $0 }.min() ?? .infinity
    guard end < .infinity else { return poll(nil) }
    guard let clock else {
      let seconds = end - now()
      return seconds > 0 ? poll(seconds) : pollNow()
    }
    // Time stands still while there is something to read.
    let ready = poll(0)
    if ready.isEmpty, inbox.isEmpty { clock.skip(to: end) }
    return ready
  }

  /// The watches that are ready now. The kernel is asked only if there are any.
  private func pollNow() -> [DescriptorWatch] { descriptors.count == 0 ? [] : poll(0) }

  private func poll(_ seconds: Double?) -> [DescriptorWatch] {
    descriptors.wait(seconds)
  }
}
