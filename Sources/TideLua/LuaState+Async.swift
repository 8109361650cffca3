import CTideLua

extension LuaState {
  /// Makes a Lua function from an asynchronous Swift function. For the script it is an ordinary
  /// call, which suspends the coroutine so that the host can do other work meanwhile.
  ///
  /// ```swift
  /// let fetch = try state.asyncFunction(named: "fetch") { arguments in
  ///   let page = try await download(arguments.argument(0, as: String.self))
  ///   return [.string(page)]
  /// }
  /// ```
  ///
  /// The script must be run by a function that can wait: `run(async:)`, `LuaFunction.run` or
  /// `LuaThread.run`. Elsewhere the call raises an error, and also where a coroutine cannot be
  /// suspended: within a callback of `table.sort` or `string.gsub`, or within a Swift function that
  /// calls Lua. The body runs on the actor that called `run`, and may use Lua itself. An error
  /// thrown by the body is raised at the waiting line; unless the script catches it, it is
  /// available as `LuaError.cause`. The body runs in the task that called `run`, so cancelling that
  /// task cancels the body.
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

  /// Registers an asynchronous Swift function as a global.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  public func register(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (LuaArguments) async throws -> [LuaValue]
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }
}

/// A pending call of an asynchronous function, passed from the script to the driver.
struct PendingCall {
  typealias Body = nonisolated(nonsending) (LuaArguments) async throws -> [LuaValue]

  let arguments: LuaArguments
  let body: Body
}

extension LuaCall {
  /// Passes the call to the coroutine's driver, and suspends the coroutine.
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
  /// Suspends the script until an asynchronous function has returned; uses the task host if there
  /// is one.
  ///
  /// - Parameters:
  ///   - body: may run on any executor.
  ///   - lower: converts its result to Lua values, on the state's thread.
  func wait<Result: Sendable>(
    named name: String, for body: @escaping @Sendable () async throws -> Result,
    lowering lower: @escaping (Result, LuaState) throws -> [LuaValue]
  ) throws {
    if let host = state.taskHost {
      return try host.wait(self, named: name, for: body, lowering: lower)
    }
    // The state exists as long as its coroutine is being run.
    try wait(for: { [unowned state] _ in try lower(await body(), state) }, named: name)
  }
}
