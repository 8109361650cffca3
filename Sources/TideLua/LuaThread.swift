import CTideLua

/// A coroutine driven by Swift.
///
/// ```swift
/// let task = try state.thread(running: function)
/// switch try task.resume() {
/// case .finished(let results): print("gave", results)
/// case .suspended: print("a Swift function waits; resume with what it waited for")
/// case .yielded(let values): print("the script itself yielded", values)
/// }
/// ```
public final class LuaThread: LuaReference {
  /// The state in which a coroutine has stopped.
  ///
  /// ```swift
  /// let task = try state.thread(running: function)
  /// if case .yielded(let values) = try task.resume() { print(values) }
  /// ```
  public enum Progress: Equatable {
    /// The function has returned these values.
    case finished([LuaValue])
    /// A Swift function called `suspend`, in this coroutine or in a nested one.
    case suspended([LuaValue])
    /// The script called `coroutine.yield` outside of its own coroutines.
    case yielded([LuaValue])
  }

  /// Whether it can be resumed.
  public var isAlive: Bool {
    guard let state = pool.state else { return false }
    return tide_thread_is_alive(state.raw, id)
  }

  /// Runs the coroutine until it returns or waits. The values are the function's arguments at
  /// first, and later the results of the waiting call.
  ///
  /// Calling an asynchronous function is an error here; use `run` instead.
  ///
  /// - Throws: `LuaError` for an error raised by the script, which ends the coroutine; for a
  ///   coroutine that has already ended; for an exceeded budget; for a value of another state; or
  ///   for a closed state.
  public func resume(_ values: [LuaValue] = []) throws(LuaError) -> Progress {
    try resume(.success(values), awaiting: false)
  }

  /// Makes the waiting call throw an error. It is thrown as `LuaError.cause` unless the script
  /// catches it. A coroutine that has not started ends.
  ///
  /// - Throws: `LuaError` as `resume(_:)` does, with the error as its cause unless it is caught.
  public func resume(throwing error: any Error) throws(LuaError) -> Progress {
    try resume(.failure(error), awaiting: false)
  }

  /// - Parameter awaiting: whether the caller handles asynchronous functions.
  func resume(
    _ outcome: Result<[LuaValue], any Error>, awaiting: Bool
  ) throws(LuaError) -> Progress {
    let state = try open()
    let couldAwait = state.canAwait
    state.canAwait = awaiting
    defer { state.canAwait = couldAwait }
    var frame = TideFrame()
    let status: Int32
    switch outcome {
    case .success(let values):
      status = try state.withArguments(values) { cells, count in
        tide_thread_resume(state.raw, id, cells, count, nil, nil, 0, false, &frame)
      }
    case .failure(let error):
      var (message, hasLocation) = state.message(of: error)
      let thrown = Unmanaged.passRetained(ThrownError(error)).toOpaque()
      status = message.withUTF8 { text in
        tide_thread_resume(
          state.raw, id, nil, 0, thrown, text.cString, text.count, hasLocation, &frame)
      }
    }
    return try finish(status, &frame, state)
  }

  /// Closes the coroutine, and runs its pending `__close` handlers.
  ///
  /// - Throws: `LuaError` for an error raised by a `__close` handler, or for a closed state.
  public func close() throws(LuaError) {
    let state = try open()
    var frame = TideFrame()
    try state.none(tide_thread_close(state.raw, id, &frame), &frame)
  }

  func finish(
    _ status: Int32, _ frame: inout TideFrame, _ state: LuaState
  ) throws(LuaError) -> Progress {
    let values = try state.all(status, &frame)
    return switch Int(status) {
    case TIDE_SUSPENDED: .suspended(values)
    case TIDE_YIELDED: .yielded(values)
    default: .finished(values)
    }
  }
}

extension LuaState {
  /// Creates a coroutine that will run the function.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  public func thread(running function: LuaFunction) throws(LuaError) -> LuaThread {
    var frame = TideFrame()
    let status = tide_thread_make(raw, try id(of: function), &frame)
    guard case .thread(let thread) = try one(status, &frame) else { throw .closed }
    return thread
  }
}
