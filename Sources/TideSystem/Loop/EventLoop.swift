/// Runs timers, what descriptors bring, and what other threads post, one after another on the
/// thread that turns it.
///
/// ```swift
/// let loop = try EventLoop()
/// loop.after(1, repeating: true) { print("tick") }
/// while true { loop.turn() }
/// ```
///
/// It knows nothing of models and views: who needs a settle after a function does it in there.
/// Functions may add and cancel timers and watches as they like, their own included.
public final class EventLoop {
  /// The way in from other threads.
  package let inbox: LoopInbox
  let timers = TimerQueue()
  /// What waits for the next frame.
  package let frames = FrameQueue()
  let descriptors: DescriptorTable
  /// Callers that wait for the loop without keeping its thread.
  var waits = LoopWaits()
  /// Whether the driver among them sleeps, and the loop's owner has not woken it.
  var isDriverAsleep = false
  /// When the driver last let others run on its actor, by the system's clock.
  var lastSuspension = 0.0
  /// Wakes the driver for descriptors and timers; made on first use.
  var alarm: LoopAlarm?
  /// Nil where time passes by itself.
  public let clock: VirtualClock?
  /// How many things are under way elsewhere that will post their results: an app waits for them.
  package var operations = 0 {
    didSet { if operations < oldValue { wakeDriver() } }
  }
  /// Posted, and not run yet.
  var arrived: [LoopInbox.Body] = []
  var isTurnEnded = false
  /// Whether timers have left descriptors waiting for longer than their share of a turn.
  var timersTookLong = false
  /// Whether one of its functions runs.
  package internal(set) var isTurning = false

  /// The shortest time between two runs of a repeating timer, in seconds: less would leave no time
  /// for anything else.
  static let shortestInterval = 0.001

  /// Makes a loop for the thread that will turn it.
  ///
  /// It opens descriptors when it first waits or watches one. Where the system has none left,
  /// `watch` throws, and everything else goes on.
  ///
  /// - Parameter clock: one that moves only when told to, for tests; else the system's.
  /// - Throws: ``SystemError`` if the system refuses what a loop needs at first. On Linux that is
  ///   nothing.
  public init(clock: VirtualClock? = nil) throws(SystemError) {
    self.clock = clock
    inbox = LoopInbox()
    descriptors = DescriptorTable(inbox)
    timers.onChange = { [unowned self] in wakeDriver() }
    descriptors.onChange = { [unowned self] in wakeDriver() }
  }

  deinit {
    // Bodies that are released here may cancel timers.
    timers.onChange = {}
    descriptors.onChange = {}
    inbox.close()
  }

  /// Seconds that never go back, from some moment on: what timers go by.
  public func now() -> Double { clock?.now ?? Self.monotonicTime() }

  /// Seconds since the beginning of 1970, which may jump; a virtual clock's own.
  package func wallTime() -> Double {
    clock.map { $0.epoch + $0.now } ?? Self.seconds(CLOCK_REALTIME)
  }

  package static func monotonicTime() -> Double { seconds(CLOCK_MONOTONIC) }

  /// Seconds that the processor has worked for the calling thread.
  package static func threadTime() -> Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Calls a function later, or again and again.
  ///
  /// A repeating timer keeps its beat: a late run does not delay the next one, and runs that were
  /// missed are skipped.
  ///
  /// - Parameters:
  ///   - seconds: from now, and from run to run; what is no number or negative counts as 0, and a
  ///     repeating timer takes at least a millisecond.
  ///   - repeating: whether it is called again and again.
  ///   - keepsRunning: whether `hasWork` counts it.
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

  /// Calls a function after so many seconds, before all others that are due then.
  package func interrupt(after seconds: Double, _ body: @escaping () -> Void) {
    timers.add(
      deadline: now() + seconds, interval: nil, keepsRunning: false, goesFirst: true, body: body)
  }

  /// Calls a function in every turn in which a descriptor can be read, has been closed at its other
  /// end, or is broken.
  ///
  /// The function should read what there is, and cancel the watch at the end of the file.
  ///
  /// - Parameters:
  ///   - descriptor: stays the caller's to close, after the watch.
  ///   - keepsRunning: whether `hasWork` counts it.
  ///   - body: called on the loop's thread.
  /// - Throws: ``SystemError``: the descriptor is closed, watched already, or a
  ///   plain file.
  @discardableResult
  public func watch(
    descriptor: Int32, keepsRunning: Bool = false, _ body: @escaping () -> Void
  ) throws(SystemError) -> DescriptorWatch {
    try descriptors.add(descriptor, keepsRunning: keepsRunning, body: body)
  }

  /// Calls a function in every turn in which a descriptor can be written, or is broken.
  package func watch(
    writing descriptor: Int32, _ body: @escaping () -> Void
  ) throws(SystemError) -> DescriptorWatch {
    try descriptors.add(descriptor, keepsRunning: true, isWriting: true, body: body)
  }

  /// Closes the loop's own descriptors if nothing is watched; the next wait opens them again.
  package func closeIdlePoller() {
    guard descriptors.closeIdlePoller() else { return }
    // It watches a copy of the closed poller. The driver sets another one.
    alarm = nil
    wakeDriver()
  }

  /// Runs the body in a later turn; other threads use `inbox`.
  public func post(_ body: @escaping @Sendable () -> Void) { inbox.post(body) }

  /// When the next timer runs, in seconds of `now`; nil when none waits.
  package var nextDeadline: Double? { timers.nextDeadline }

  /// How many timers wait.
  package var timerCount: Int { timers.count }

  /// Whether nothing but operations elsewhere can go on.
  package var isWaitingForHostAlone: Bool {
    operations > 0 && timers.keepingCount == 0 && descriptors.keepingCount == 0 && arrived.isEmpty
      && inbox.isEmpty
  }

  /// Whether there is a reason to go on: a timer or watch that keeps running, something posted, or
  /// an operation under way.
  package var hasWork: Bool {
    timers.keepingCount > 0 || descriptors.keepingCount > 0 || operations > 0
      || !arrived.isEmpty || !inbox.isEmpty
  }
}

/// A clock that moves only when it is told to, so that timers run without waiting.
///
/// ```swift
/// let loop = try EventLoop(clock: VirtualClock())
/// loop.after(3600) { print("an hour later") }
/// loop.advance(by: 3600)
/// ```
public final class VirtualClock {
  /// In seconds; never goes back.
  public private(set) var now: Double
  /// The seconds since the beginning of 1970 at which this clock shows 0.
  public let epoch: Double

  /// Makes a clock that shows so many seconds.
  public convenience init(now: Double = 0) { self.init(now: now, epoch: 0) }

  /// Makes a clock that shows so many seconds, and that stood at 0 at a time in seconds since 1970.
  public init(now: Double = 0, epoch: Double) {
    self.now = now
    self.epoch = epoch
  }

  /// Moves on to a moment; one that has passed changes nothing.
  public func skip(to moment: Double) {
    if moment > now { now = moment }
  }
}
