/// A function that an event loop calls at a moment, once or again and again.
///
/// ```swift
/// let timer = loop.after(0.5, repeating: true) { print("tick") }
/// timer.isEnabled = false      // for a while
/// timer.cancel()               // for good
/// ```
///
/// The loop keeps it until it has run or is cancelled, whether anybody holds it or not.
public final class LoopTimer {
  /// From one run to the next, in seconds; nil when it runs once.
  public let interval: Double?
  /// When it runs next, in seconds of the loop's clock.
  public private(set) var deadline: Double
  /// Its first deadline, from which the others are counted, so that they do not drift.
  private let start: Double
  /// Whether a headless app waits for it.
  let keepsRunning: Bool
  /// Whether it runs before the others that are due with it.
  let goesFirst: Bool
  /// Tells timers of one deadline apart: who was made first runs first.
  let number: Int
  /// Nil once it will never run again.
  private(set) var body: (() -> Void)?
  /// Where the queue's heap holds it.
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

  /// False holds it back; set to true again, it runs at once if it should have run meanwhile.
  public var isEnabled = true {
    didSet {
      guard isEnabled != oldValue, !hasEnded else { return }
      if isEnabled { queue?.resume(self) } else { queue?.forget(self) }
    }
  }

  /// Ends it; its own function may do so.
  public func cancel() {
    guard !hasEnded else { return }
    if isEnabled { queue?.forget(self) }
    body = nil
  }

  func comes(before other: LoopTimer) -> Bool {
    deadline != other.deadline ? deadline < other.deadline : number < other.number
  }

  /// Goes on to the first beat after this time; those that were missed are skipped.
  func moveDeadline(past now: Double, by interval: Double) {
    var beat = ((now - start) / interval).rounded(.down) + 1
    // Who runs a little before its time must not run twice.
    if start + beat * interval <= deadline { beat = ((deadline - start) / interval).rounded() + 1 }
    deadline = start + beat * interval
  }
}
