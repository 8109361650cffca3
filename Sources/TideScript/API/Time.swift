import TideBindings
import TideGraph
import TideLua

extension Runtime {
  func installTime() throws {
    try define(.after) { [unowned self] call in
      let seconds = try seconds(call)
      let made = try timer(seconds, repeating: false, kept(call.function(1)))
      try call.return(luaValue(of: made, .timer(seconds, isRepeating: false)))
    }
    try define(.every) { [unowned self] call in
      let seconds = try seconds(call)
      guard seconds > 0 else { throw call.badArgument(0, "more than 0 seconds expected") }
      let made = try timer(seconds, repeating: true, kept(call.function(1)))
      try call.return(luaValue(of: made, .timer(seconds, isRepeating: true)))
    }
    try define(.now) { [unowned self] call in call.return(loop.wallTime()) }
  }

  /// The first argument as a number of seconds.
  func seconds(_ call: borrowing LuaCall) throws -> Double {
    let seconds = try call.number(0)
    guard seconds >= 0, seconds.isFinite else {
      throw call.badArgument(0, "a number of seconds, 0 or more, expected")
    }
    return seconds
  }

  private func timer(
    _ seconds: Double, repeating: Bool, _ function: LuaFunction
  ) throws -> ContextEntry {
    try loop.admitTimer(among: configuration.limits.timers)
    let home = context
    let site = CallSite(in: home)
    var belonging: ContextEntry?
    // A repeating timer outlives the act, and does not depend on what the person saw at the time.
    let performer = repeating ? self.performer.beyondAct : self.performer
    let timer = loop.after(seconds, repeating: repeating) { [owner = self.home] in
      if !repeating || performer.isRevoked { belonging?.cancel() }
      guard !performer.isRevoked, let runtime = owner.runtime else { return }
      runtime.run(as: performer) { runtime.call(function, at: site) }
    }
    let made = home.own(setEnabled: { timer.isEnabled = $0 }) { [owner = self.home] in
      timer.cancel()
      // The error of a timer that runs once stays listed.
      if repeating, let runtime = owner.runtime { site.succeed(in: runtime) }
    }
    belonging = made
    return made
  }
}

// MARK: Catalogue

extension APIEntry {
  static let after = APIEntry(
    "after(seconds, fn)",
    "Calls a function once, later.",
    """
    @param seconds number
    @param fn function
    @return tidelock.Handle
    """)

  static let every = APIEntry(
    "every(seconds, fn)",
    "Calls a function again and again.",
    """
    @param seconds number
    @param fn function
    @return tidelock.Handle
    """)

  static let now = APIEntry(
    "now()",
    "Seconds since the epoch.",
    """
    @return number
    """)
}

extension APISection {
  static let time = APISection(
    article: "Waiting",
    entries: [.after, .every, .now])
}
