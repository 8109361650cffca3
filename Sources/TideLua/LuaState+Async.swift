import CTideLua

extension LuaState {
  /// Makes a Lua function of an asynchronous Swift one: to the script it is a call like any other,
  /// while its coroutine waits and the host is free to do other things.
  ///
  /// ```swift
  /// let fetch = try state.asyncFunction(named: "fetch") { arguments in
  ///   let page = try await download(arguments.argument(0, as: String.self))
  ///   return [.string(page)]
  /// }
  /// ```
  ///
  /// The script must be run by something that waits: `run(async:)`, `LuaFunction.run` or
  /// `LuaThread.run`; elsewhere, and where a coroutine cannot wait (below `table.sort`'s or
  /// `string.gsub`'s function, or below a Swift function that calls Lua), the call is an error that
  /// says so. The body runs where `run` was called, on the same actor, and may use Lua itself. What
  /// it throws is raised at the waiting line, and `LuaError.cause` has it unless the script catches
  /// it. When the task of `run` is cancelled, the body's is, being the same.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  public func asyncFunction(
    named name: String,
    _ body: nonisolated(nonsending) @escaping (LuaArguments) async throws -> [LuaValue]
  ) throws(LuaError) -> LuaFunction {
    try function(named: name) { (call: borrowing LuaCall) in
      try call.wait(for: body, named: name)
    }
  }

  /// Gives scripts an asynchronous Swift function under a global name.
  ///
  /// - Throws: `LuaError` for one of Lua's own names, for exhausted memory, or for a closed state.
  public func register(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (LuaArguments) async throws -> [LuaValue]
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }
}

/// A call of an asynchronous function on its way from the script to the driver.
struct PendingCall {
  typealias Body = nonisolated(nonsending) (LuaArguments) async throws -> [LuaValue]

  let arguments: LuaArguments
  let body: Body
}

extension LuaCall {
  /// Hands the call to whoever runs the coroutine, and makes that wait.
  func wait(for body: @escaping PendingCall.Body, named name: String) throws {
    guard state.canAwait else {
      throw LuaError(
        .runtime,
        state.taskHost == nil
          ? "'\(name)' has to wait, but nobody here can: run scripts that call it with 'run(async:)'"
          : "'\(name)' has to wait, which scripts of a runtime can for what is registered with "
            + "'Runtime.register'"
      )
    }
    guard canSuspend else {
      throw LuaError(
        .runtime,
        "'\(name)' has to wait, which it cannot below a library or host function that calls back")
    }
    state.pendingCall = PendingCall(
      arguments: LuaArguments(try values(), to: name, in: state), body: body)
    raw.pointee.results = 0
    raw.pointee.suspends = true
  }
}

extension LuaCall {
  /// Suspends the script until an asynchronous function has returned, by the task host if there is
  /// one.
  ///
  /// - Parameters:
  ///   - body: runs anywhere.
  ///   - lower: makes Lua values of its result, on the state's thread.
  func wait<Result: Sendable>(
    named name: String, for body: @escaping @Sendable () async throws -> Result,
    lowering lower: @escaping (Result, LuaState) throws -> [LuaValue]
  ) throws {
    if let host = state.taskHost {
      return try host.wait(self, named: name, for: body, lowering: lower)
    }
    // The state lives as long as somebody runs its coroutine.
    try wait(for: { [unowned state] _ in try lower(await body(), state) }, named: name)
  }
}
