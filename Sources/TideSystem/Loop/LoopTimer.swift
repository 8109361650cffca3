/// A function that an event loop calls at a time, once or repeatedly.
///
/// ```swift
/// let timer = loop.after(0.5, repeating: true) { print("tick") }
/// timer.isEnabled = false      // for a while
/// timer.cancel()               // for good
/// ```
///
/// The loop retains the timer until it has run for the last time or is cancelled.
public final class LoopTimer {
  /// The interval in seconds; nil for a timer that runs once.
  public let interval: Double?
  /// The next deadline, in seconds of the loop's clock.
  public private(set) var deadline: Double
  /// The first deadline, from which later ones are computed to avoid drift.
  private let start: Double
  /// Whether it keeps a headless app running.
  let keepsRunning: Bool
  /// Whether it runs before other timers that are due at the same time.
  let goesFirst: Bool
  /// Orders timers with equal deadlines: the one created first runs first.
  let number: Int
  /// Nil after the last run.
  private(set) var body: (() -> Void)?
  /// The index in the queue's heap.
  var position: Int?
  private weak var queue: TimerQueue?

  init(
    deadline: Double, interval: Double?, keepsRunning: Bool, goesFirst: Bool, number: Int,
    queue: TimerQueue, body: @escaping () -> Void
  ) {
    self.deadline = deadline
    self.interval = interval
    self.keepsRunning = keepsRunning
    self.goesFirst = goesFirst
    self.number = number
    self.queue = queue
    self.body = body
    start = deadline
  }

  /// Whether it has run for the last time or was cancelled.
  public var hasEnded: Bool { body == nil }

  /// Disabling pauses the timer. When enabled again, it runs at once if its deadline has passed.
  public var isEnabled = true {
    didSet {
      guard isEnabled != oldValue, !hasEnded else { return }
      if isEnabled { queue?.resume(self) } else { queue?.forget(self) }
    }
  }

  /// Cancels the timer; its own function may do so.
  public func cancel() {
    guard !hasEnded else { return }
    if isEnabled { queue?.forget(self) }
    body = nil
  }

  func comes(before other: LoopTimer) -> Bool {
    deadline != other.deadline ? deadline < other.deadline : number < other.number
  }

  /// Moves the deadline to the next multiple of the interval after `now`; missed runs are skipped.
  func moveDeadline(past now: Double, by interval: Double) {
    var beat = ((now - start) / interval).rounded(.down) + 1
    // A timer that runs slightly early must not run twice.
    if start + beat * interval <= deadline { beat = ((deadline - start) / interval).rounded() + 1 }
    deadline = start + beat * interval
  }
}
