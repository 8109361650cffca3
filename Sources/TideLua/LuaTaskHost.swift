/// A host whose scripts wait by its own means, such as the tasks of a runtime, instead of by
/// `LuaThread.run`.
///
/// A `LuaState` knows it as `taskHost` and does not keep it.
package protocol LuaTaskHost: AnyObject {
  /// Runs a function or a coroutine to its end on the caller's actor, and returns its results.
  nonisolated(nonsending) func run(
    _ work: LuaWork, _ arguments: [LuaValue], within budget: LuaBudget?
  ) async throws -> [LuaValue]

  /// Suspends a script's call until an asynchronous function has returned.
  ///
  /// - Parameters:
  ///   - body: runs anywhere.
  ///   - lower: makes Lua values of its result, on the state's thread.
  func wait<Result: Sendable>(
    _ call: borrowing LuaCall, named name: String,
    for body: @escaping @Sendable () async throws -> Result,
    lowering lower: @escaping (Result, LuaState) throws -> [LuaValue]
  ) throws
}

/// What a `LuaTaskHost` runs.
package enum LuaWork {
  case function(LuaFunction)
  /// A coroutine that has not begun.
  case thread(LuaThread)
}
