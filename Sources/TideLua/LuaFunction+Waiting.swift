package import CTideLua

/// The state of a call that may wait.
package enum LuaStart {
  case finished([LuaValue])
  /// A Swift function waits; resume the coroutine with its results.
  case waiting(LuaThread)
  /// The script called `coroutine.yield` outside of any coroutine of its own.
  case yielded(LuaThread)
}

extension LuaFunction {
  /// Calls the function on a coroutine, where it may wait. Coroutines are prepared in advance and
  /// reused, so a call that does not wait costs hardly more than any other.
  package func start(_ arguments: [LuaValue]) throws(LuaError) -> LuaStart {
    let state = try open()
    var frame = TideFrame()
    var thread: UInt32 = 0
    let status = try state.withArguments(arguments) { values, count in
      tide_task_call(state.raw, id, values, count, &thread, &frame)
    }
    switch Int(status) {
    case TIDE_SUSPENDED:
      tide_frame_end(state.raw, &frame)
      return .waiting(LuaThread(taking: thread, in: state))
    case TIDE_YIELDED:
      tide_frame_end(state.raw, &frame)
      return .yielded(LuaThread(taking: thread, in: state))
    default: return .finished(try state.all(status, &frame))
    }
  }

  /// Calls the function with one argument on a coroutine, where it may wait. Returns its first
  /// result; nil if it returned nothing at all. If it waits, passes the coroutine to `waits`.
  package func start(
    _ argument: LuaValue, waits: (LuaStart) throws -> LuaValue?
  ) throws -> LuaValue? {
    let state = try open()
    var frame = TideFrame()
    var thread: UInt32 = 0
    let status = try state.withArguments([argument]) { values, count in
      tide_task_call(state.raw, id, values, count, &thread, &frame)
    }
    if _slowPath(status == TIDE_SUSPENDED || status == TIDE_YIELDED) {
      tide_frame_end(state.raw, &frame)
      let thread = LuaThread(taking: thread, in: state)
      return try waits(status == TIDE_SUSPENDED ? .waiting(thread) : .yielded(thread))
    }
    let isEmpty = status != TIDE_FAILED && frame.count == 0
    let value = try state.one(status, &frame)
    // Written out, because a plain `nil` would be a `LuaValue`.
    return isEmpty ? Optional.none : value
  }

  /// Calls the function with the value of one slot and stores the result in another, as
  /// `call(from:to:)` does, but on a coroutine. If it waits, passes the coroutine to `waits`.
  @inline(__always)
  package func start(
    from source: UnsafeMutablePointer<TideSlot>, to target: UnsafeMutablePointer<TideSlot>,
    otherwise: (borrowing LuaResult) throws -> Bool, waits: (LuaStart) throws -> Bool
  ) throws -> Bool {
    var frame = TideFrame()
    var thread: UInt32 = 0
    let stored = tide_task_between(machine, id, source, target, &thread, &frame)
    if _fastPath(stored >= 0) { return stored == 1 }
    switch Int(stored) {
    case -2: throw error(ending: &frame)
    case TIDE_NO_RESULT:
      tide_frame_end(machine, &frame)
      throw LuaNoResult()
    case TIDE_WAITS: return try waits(.waiting(LuaThread(taking: thread, in: open())))
    case TIDE_YIELDS: return try waits(.yielded(LuaThread(taking: thread, in: open())))
    default:
      let result = LuaResult(self, machine, open: frame)
      return try otherwise(result)
    }
  }
}

extension LuaThread {
  /// Resumes the coroutine by raising a Lua value from the waiting call.
  package func resume(raising value: LuaValue) throws(LuaError) -> Progress {
    let state = try open()
    var frame = TideFrame()
    let status = try state.withArguments([value]) { cells, _ in
      guard let cells else { return Int32(TIDE_FAILED) }
      return tide_thread_raise(state.raw, id, cells, &frame)
    }
    return try finish(status, &frame, state)
  }
}

extension LuaCall {
  /// Calls a Lua function when this Swift function returns, as a tail call that may wait. Its
  /// results become this function's results.
  ///
  /// - Parameter guard: a userdata with `__close`, called however the call ends.
  package func `return`(
    calling function: LuaFunction, with arguments: [LuaValue] = [], guarded guard: LuaValue = .nil
  ) {
    raw.pointee.results = 0
    self.return(`guard`)
    self.return(.function(function))
    for argument in arguments { self.return(argument) }
    raw.pointee.calls = true
  }
}
