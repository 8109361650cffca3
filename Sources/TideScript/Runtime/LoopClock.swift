public import TideBindings
import TideSystem

/// An event loop as bindings see it: time, and what waits for it. Each call is one turn, on behalf of
/// the person whose act has scheduled it.
final class LoopClock: BindingClock {
  private let loop: EventLoop
  private let home: Home
  /// How many timers may wait.
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
  /// Refuses one timer more than there may be.
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
  /// The system refuses what an event loop needs, such as another descriptor.
  public static let eventLoop = Self("eventLoop", 411)
  /// Files cannot be watched, or not as well as they should.
  public static let watching = Self("watching", 420)
}

extension TideError {
  /// A call that the system refused, as an error of the runtime.
  package init(_ error: SystemError, _ code: Code) {
    self.init(code, error.message, cause: error)
  }
}
