/// Decides whether a worker still answers. Each beat may send it a ping, and each message of a page
/// also requires an answer.
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

  /// The time since which an answer is due; nil if none is.
  private var askedAt: Double?
  /// Whether a ping is unanswered. Its answer comes independently of pages and messages.
  private var isPinged = false
  private var lastBeat: Double

  /// Expects the worker's first answer.
  init(at now: Double) {
    askedAt = now
    lastBeat = now
    // The worker reports without a ping when it is ready.
    isPinged = true
  }

  /// Notes that a message was sent that the worker has to answer.
  mutating func ask(at now: Double) { askedAt = askedAt ?? now }

  /// Notes an answer.
  ///
  /// - Parameters:
  ///   - isPong: whether it answers a ping rather than a message.
  ///   - owesMore: whether messages are left that the worker has not handled.
  mutating func answer(isPong: Bool, owesMore: Bool, at now: Double) {
    if isPong { isPinged = false }
    askedAt = owesMore || isPinged ? now : nil
  }

  /// What to do at a beat.
  mutating func beat(at now: Double, patience: Double) -> Step {
    // If this process was suspended, answers of the worker may not have been read yet.
    if now - lastBeat > 3 * Self.interval, askedAt != nil { askedAt = now }
    lastBeat = now
    if let askedAt, now - askedAt > patience { return .giveUp }
    if isPinged { return .wait }
    isPinged = true
    askedAt = askedAt ?? now
    return .ask
  }
}
