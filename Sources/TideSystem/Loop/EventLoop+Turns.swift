extension EventLoop {
  /// Waits until there is work, and does it: due timers in the order of their deadlines, then ready
  /// descriptors, then posted functions.
  ///
  /// Work added meanwhile waits for the next turn. With a virtual clock there is no waiting for
  /// timers: the clock skips to the next deadline.
  ///
  /// Timers have a time slice. When it is used up, the other due timers wait for the next turn, and
  /// posted functions have a slice as well. Descriptors are therefore served regularly under any
  /// load.
  ///
  /// - Parameter timeout: the longest wait, in seconds; nil for no limit.
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
      // The turn may have taken posts that would have woken the driver, or added timers.
      wakeDriver()
      if !isTurning, waits.hasParked, !hasWork { waits.wakeParked() }
    }
    let ready = wait(until: moment)
    arrived += inbox.takeAll()
    timers.collect(now: now())
    var isAnythingDone = false
    // Descriptors that waited because of slow timers come first in the next turn.
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

  /// Returns whether any function was called.
  private func run(_ ready: [DescriptorWatch]) -> Bool {
    var isAnythingDone = false
    for watch in ready where !isTurnEnded {
      // An earlier function may have cancelled it.
      guard let body = watch.body else { continue }
      isAnythingDone = true
      body()
    }
    return isAnythingDone
  }

  /// Ends the current turn after the running function; the remaining work waits for the next turn.
  package func endTurn() {
    isTurnEnded = true
    wakeDriver()
  }

  /// Does all due work, and the work that this makes due, without waiting.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of turns, so that work that keeps adding work ends here.
  ///   - time: the time after which no further turn begins, by the system's clock; nil for no
  ///     limit.
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

  /// Advances a virtual clock from deadline to deadline, so that each timer runs at its time.
  ///
  /// Has no effect on a loop with the system's clock.
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

  /// The time slice that functions of one kind have in a turn.
  private struct Slice {
    private let end: Double
    private static let length = 0.002

    /// With a virtual clock there is no slice, so that runs are deterministic.
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
    // Virtual time stands still while there is input to read.
    let ready = poll(0)
    if ready.isEmpty, inbox.isEmpty { clock.skip(to: end) }
    return ready
  }

  /// The watches that are ready now, without a system call if there are no watches.
  private func pollNow() -> [DescriptorWatch] { descriptors.count == 0 ? [] : poll(0) }

  private func poll(_ seconds: Double?) -> [DescriptorWatch] {
    descriptors.wait(seconds)
  }
}
