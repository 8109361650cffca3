/// Runs timers, descriptor handlers and functions posted by other threads, one after another on the
/// thread that turns the loop.
///
/// ```swift
/// let loop = try EventLoop()
/// loop.after(1, repeating: true) { print("tick") }
/// while true { loop.turn() }
/// ```
///
/// It knows nothing of models and views: a function that needs a settle performs it itself.
/// Functions may add and cancel timers and watches, including their own.
public final class EventLoop {
  /// Receives functions from other threads.
  package let inbox: LoopInbox
  let timers = TimerQueue()
  /// Functions waiting for the next frame.
  package let frames = FrameQueue()
  let descriptors: DescriptorTable
  /// Asynchronous waits for the loop.
  var waits = LoopWaits()
  /// Whether the driver is suspended and has not yet been woken by the loop's owner.
  var isDriverAsleep = false
  /// The time at which the driver last yielded its actor, by the system's clock.
  var lastSuspension = 0.0
  /// Wakes the driver for descriptors and timers; created on first use.
  var alarm: LoopAlarm?
  /// The virtual clock; nil for the system's clock.
  public let clock: VirtualClock?
  /// The number of operations in progress elsewhere that will post their results; they keep an app
  /// running.
  package var operations = 0 {
    didSet { if operations < oldValue { wakeDriver() } }
  }
  /// Posted functions that have not run yet.
  var arrived: [LoopInbox.Body] = []
  var isTurnEnded = false
  /// Whether timers used up their slice, so that descriptors had to wait.
  var timersTookLong = false
  /// Whether a turn is in progress.
  package internal(set) var isTurning = false

  /// The shortest interval of a repeating timer, in seconds, so that other work gets its time.
  static let shortestInterval = 0.001

  /// Creates a loop for the thread that will turn it.
  ///
  /// It opens descriptors only when it first waits or watches a descriptor. If none are left,
  /// `watch` throws, and everything else still works.
  ///
  /// - Parameter clock: a virtual clock for tests; nil for the system's clock.
  /// - Throws: ``SystemError`` if the system refuses what a loop needs initially. On Linux it needs
  ///   nothing.
  public init(clock: VirtualClock? = nil) throws(SystemError) {
    self.clock = clock
    inbox = LoopInbox()
    descriptors = DescriptorTable(inbox)
    timers.onChange = { [unowned self] in wakeDriver() }
    descriptors.onChange = { [unowned self] in wakeDriver() }
  }

  deinit {
    // Functions released here may cancel timers.
    timers.onChange = {}
    descriptors.onChange = {}
    inbox.close()
  }

  /// The monotonic time in seconds, used for timers.
  public func now() -> Double { clock?.now ?? Self.monotonicTime() }

  /// Seconds since 1970, which may jump; with a virtual clock, its epoch plus its time.
  package func wallTime() -> Double {
    clock.map { $0.epoch + $0.now } ?? Self.seconds(CLOCK_REALTIME)
  }

  package static func monotonicTime() -> Double { seconds(CLOCK_MONOTONIC) }

  /// The CPU time of the calling thread, in seconds.
  package static func threadTime() -> Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Calls a function later, once or repeatedly.
  ///
  /// A repeating timer does not drift: a late run does not delay the next one, and missed runs are
  /// skipped.
  ///
  /// - Parameters:
  ///   - seconds: the delay, and the interval of a repeating timer. NaN and negative values count
  ///     as 0; an interval is at least a millisecond.
  ///   - repeating: whether the timer repeats.
  ///   - keepsRunning: whether it counts for `hasWork`.
  ///   - body: called on the loop's thread.
  @discardableResult
  public func after(
    _ seconds: Double, repeating: Bool = false, keepsRunning: Bool = true,
    _ body: @escaping () -> Void
  ) -> LoopTimer {
    let delay = seconds > 0 ? seconds : 0
    let interval = max(delay, Self.shortestInterval)
    return timers.add(
      deadline: now() + (repeating ? interval : delay), interval: repeating ? interval : nil,
      keepsRunning: keepsRunning, body: body)
  }

  /// Calls a function after the given seconds, before all other timers that are due at the same
  /// time.
  package func interrupt(after seconds: Double, _ body: @escaping () -> Void) {
    timers.add(
      deadline: now() + seconds, interval: nil, keepsRunning: false, goesFirst: true, body: body)
  }

  /// Calls a function in every turn in which a descriptor is readable, closed by its peer, or
  /// broken.
  ///
  /// The function should read all available data, and cancel the watch at the end of the file.
  ///
  /// - Parameters:
  ///   - descriptor: the caller closes it, after cancelling the watch.
  ///   - keepsRunning: whether it counts for `hasWork`.
  ///   - body: called on the loop's thread.
  /// - Throws: ``SystemError`` if the descriptor is closed, already watched, or a regular file.
  @discardableResult
  public func watch(
    descriptor: Int32, keepsRunning: Bool = false, _ body: @escaping () -> Void
  ) throws(SystemError) -> DescriptorWatch {
    try descriptors.add(descriptor, keepsRunning: keepsRunning, body: body)
  }

  /// Calls a function in every turn in which a descriptor is writable or broken.
  package func watch(
    writing descriptor: Int32, _ body: @escaping () -> Void
  ) throws(SystemError) -> DescriptorWatch {
    try descriptors.add(descriptor, keepsRunning: true, isWriting: true, body: body)
  }

  /// Closes the loop's own descriptors if nothing is watched; the next wait opens them again.
  package func closeIdlePoller() {
    guard descriptors.closeIdlePoller() else { return }
    // The alarm watches a duplicate of the closed poller. The driver creates a new alarm.
    alarm = nil
    wakeDriver()
  }

  /// Runs a function in a later turn; other threads use `inbox`.
  public func post(_ body: @escaping @Sendable () -> Void) { inbox.post(body) }

  /// The deadline of the next timer, in seconds of `now`; nil if there is none.
  package var nextDeadline: Double? { timers.nextDeadline }

  /// The number of waiting timers.
  package var timerCount: Int { timers.count }

  /// Whether only operations elsewhere can continue.
  package var isWaitingForHostAlone: Bool {
    operations > 0 && timers.keepingCount == 0 && descriptors.keepingCount == 0 && arrived.isEmpty
      && inbox.isEmpty
  }

  /// Whether there is a reason to keep running: a timer or watch that keeps running, a posted
  /// function, or an operation in progress.
  package var hasWork: Bool {
    timers.keepingCount > 0 || descriptors.keepingCount > 0 || operations > 0
      || !arrived.isEmpty || !inbox.isEmpty
  }
}

/// A virtual clock, which advances only on request, so that timers run without waiting.
///
/// ```swift
/// let loop = try EventLoop(clock: VirtualClock())
/// loop.after(3600) { print("an hour later") }
/// loop.advance(by: 3600)
/// ```
public final class VirtualClock {
  /// The current time in seconds; never decreases.
  public private(set) var now: Double
  /// The time in seconds since 1970 at which this clock showed 0.
  public let epoch: Double

  /// Creates a clock with a current time in seconds.
  public convenience init(now: Double = 0) { self.init(now: now, epoch: 0) }

  /// Creates a clock with a current time, and the time since 1970 at which it showed 0, in seconds.
  public init(now: Double = 0, epoch: Double) {
    self.now = now
    self.epoch = epoch
  }

  /// Advances to a time; does nothing if that time has passed.
  public func skip(to moment: Double) {
    if moment > now { now = moment }
  }
}
