public import TideBindings
import TideSystem

/// The clock of bindings, driven by an event loop. Each call is one turn, on behalf of the person
/// whose act has scheduled it.
final class LoopClock: BindingClock {
  private let loop: EventLoop
  private let home: Home
  /// The most timers that may wait.
  private let limit: Int

  init(_ loop: EventLoop, of home: Home, limit: Int) {
    self.loop = loop
    self.home = home
    self.limit = limit
  }

  func now() -> Double { loop.now() }

  func schedule(
    after seconds: Double, repeating: Bool, _ body: @escaping () -> Void
  ) throws -> any ScheduledCall {
    try loop.admitTimer(among: limit)
    return loop.after(seconds, repeating: repeating, onBehalf(body))
  }

  func animate(after seconds: Double, _ body: @escaping () -> Void) -> any ScheduledCall {
    loop.after(seconds, keepsRunning: false) { [home] in home.runWithinBudget(body) }
  }

  func beforeNextFrame(_ body: @escaping () -> Void) {
    loop.frames.add(in: loop, onBehalf(body))
  }

  private func onBehalf(_ body: @escaping () -> Void) -> () -> Void {
    let performer = home.runtime?.performer.beyondAct
    return { [home] in
      guard let performer, let runtime = home.runtime else { return home.runWithinBudget(body) }
      home.runWithinBudget { runtime.run(as: performer, body) }
    }
  }

  var post: @Sendable (@escaping @Sendable () -> Void) -> Void {
    { [inbox = loop.inbox, home] body in inbox.post { home.runWithinBudget(body) } }
  }

  var thread: @Sendable () -> UInt {
    { [inbox = loop.inbox] in inbox.thread }
  }
}

extension LoopTimer: ScheduledCall {}

extension EventLoop {
  /// Throws if the limit of timers is reached.
  func admitTimer(among limit: Int) throws(TideError) {
    guard timerCount < limit else {
      throw TideError(
        .limit,
        "\(limit) timers wait, which is the most there may be; cancel some, or raise the limit "
          + "\"timers\"")
    }
  }
}

extension TideError.Code {
  /// The system refuses a resource of the event loop, such as a descriptor.
  public static let eventLoop = Self("eventLoop", 411)
  /// Files cannot be watched, or only in part.
  public static let watching = Self("watching", 420)
}

extension TideError {
  /// A failed system call as an error of the runtime.
  package init(_ error: SystemError, _ code: Code) {
    self.init(code, error.message, cause: error)
  }
}
