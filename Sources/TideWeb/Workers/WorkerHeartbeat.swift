/// Judges whether a worker still answers: it is asked at each beat, and by each message of a page.
///
/// ```swift
/// var heartbeat = WorkerHeartbeat(at: now)
/// switch heartbeat.beat(at: now, patience: 10) {
/// case .ask: send(.ping)
/// case .wait: break
/// case .giveUp: kill()
/// }
/// ```
///
/// Times are in seconds of one clock.
struct WorkerHeartbeat {
  enum Step: Equatable {
    /// Send a ping.
    case ask
    /// A ping has been sent and is not answered yet.
    case wait
    /// The worker has been silent for too long.
    case giveUp
  }

  /// Seconds between two beats.
  static let interval = 1.0

  /// Since when an answer is due; nil for none.
  private var askedAt: Double?
  /// A ping is on its way, so that an answer will come whatever becomes of pages and messages.
  private var isPinged = false
  private var lastBeat: Double

  /// Expects the worker's first answer.
  init(at now: Double) {
    askedAt = now
    lastBeat = now
    // It says by itself when it is ready.
    isPinged = true
  }

  /// Notes that the worker has been sent something that it answers.
  mutating func ask(at now: Double) { askedAt = askedAt ?? now }

  /// Notes an answer.
  ///
  /// - Parameters:
  ///   - isPong: whether it answers the ping, and not a message.
  ///   - owesMore: whether messages are left that it has not looked at.
  mutating func answer(isPong: Bool, owesMore: Bool, at now: Double) {
    if isPong { isPinged = false }
    askedAt = owesMore || isPinged ? now : nil
  }

  /// What to do at a beat.
  mutating func beat(at now: Double, patience: Double) -> Step {
    // What the worker sent while this process was kept from running has not been read.
    if now - lastBeat > 3 * Self.interval, askedAt != nil { askedAt = now }
    lastBeat = now
    if let askedAt, now - askedAt > patience { return .giveUp }
    if isPinged { return .wait }
    isPinged = true
    askedAt = askedAt ?? now
    return .ask
  }
}
