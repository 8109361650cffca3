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

  public init(now: Double = 0) { self.now = now }

  /// Moves on to a moment; one that has passed changes nothing.
  public func skip(to moment: Double) {
    if moment > now { now = moment }
  }
}
