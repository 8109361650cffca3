/// The clock of bindings, provided by the layer that runs the event loop.
package protocol BindingClock: AnyObject {
  /// The monotonic time in seconds.
  func now() -> Double
  /// Schedules a function, once or repeatedly. Throws if too many calls are pending.
  func schedule(
    after seconds: Double, repeating: Bool, _ body: @escaping () -> Void
  ) throws -> any ScheduledCall
  /// Schedules a function once. The pending call does not keep the program running.
  func animate(after seconds: Double, _ body: @escaping () -> Void) -> any ScheduledCall
  /// Calls a function right before the next frame is drawn.
  func beforeNextFrame(_ body: @escaping () -> Void)
  /// A function that posts work to the graph's thread; callable on any thread.
  var post: @Sendable (@escaping @Sendable () -> Void) -> Void { get }
  /// A function that returns the number of the graph's thread; callable on any thread.
  var thread: @Sendable () -> UInt { get }
}

/// A scheduled call, which can be paused and cancelled.
package protocol ScheduledCall: AnyObject {
  var isEnabled: Bool { get set }
  func cancel()
}

extension BindingTable {
  /// Returns the clock. Throws `badArgument`, naming the feature that needs one, if there is none.
  func clock(for what: String) throws(TideError) -> any BindingClock {
    if let clock { return clock }
    throw TideError(
      .badArgument, "\(what) needs a clock, which a runtime has; make the runtime first")
  }
}
