/// A host that lets scripts wait with its own means, such as a runtime's tasks, instead of
/// `LuaThread.run`.
///
/// A `LuaState` refers to it as `taskHost`, without retaining it.
package protocol LuaTaskHost: AnyObject {
  /// Runs a function or coroutine to its end on the caller's actor, and returns its results.
  nonisolated(nonsending) func run(
    _ work: LuaWork, _ arguments: [LuaValue], within budget: LuaBudget?
  ) async throws -> [LuaValue]

  /// Suspends a script's call until an asynchronous function has returned.
  ///
  /// - Parameters:
  ///   - body: may run on any executor.
  ///   - lower: converts its result to Lua values, on the state's thread.
  func wait<Result: Sendable>(
    _ call: borrowing LuaCall, named name: String,
    for body: @escaping @Sendable () async throws -> Result,
    lowering lower: @escaping (Result, LuaState) throws -> [LuaValue]
  ) throws
}

/// The work for a `LuaTaskHost`.
package enum LuaWork {
  case function(LuaFunction)
  /// A coroutine that has not started.
  case thread(LuaThread)
}
