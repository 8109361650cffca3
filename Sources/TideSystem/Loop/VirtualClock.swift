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
