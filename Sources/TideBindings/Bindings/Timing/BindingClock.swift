/// Time, as bindings need it: given by the layer that turns the loop.
package protocol BindingClock: AnyObject {
  /// Seconds that never go back.
  func now() -> Double
  /// Calls a function later, or again and again. Throws where too many wait already.
  func schedule(
    after seconds: Double, repeating: Bool, _ body: @escaping () -> Void
  ) throws -> any ScheduledCall
  /// Calls a function once, later, if something else keeps the program running until then.
  func animate(after seconds: Double, _ body: @escaping () -> Void) -> any ScheduledCall
  /// Calls a function right before the next frame is drawn.
  func beforeNextFrame(_ body: @escaping () -> Void)
  /// Hands a function over to the graph's thread; any thread may call what this gives.
  var post: @Sendable (@escaping @Sendable () -> Void) -> Void { get }
  /// The number of the graph's thread; any thread may call what this gives.
  var thread: @Sendable () -> UInt { get }
}

/// What a clock calls, until it is cancelled.
package protocol ScheduledCall: AnyObject {
  var isEnabled: Bool { get set }
  func cancel()
}

extension BindingTable {
  /// The clock, or an error that says who asks for it.
  func clock(for what: String) throws(TideError) -> any BindingClock {
    if let clock { return clock }
    throw TideError(
      .badArgument, "\(what) needs a clock, which a runtime has; make the runtime first")
  }
}
