package import CTideLua

/// How far a call got that may wait.
package enum LuaStart {
  case finished([LuaValue])
  /// A Swift function waits; the coroutine is to be resumed with what it gives.
  case waiting(LuaThread)
  /// The script called `coroutine.yield` outside of any coroutine of its own.
  case yielded(LuaThread)
}

extension LuaFunction {
  /// Calls it where it may wait: on a coroutine, which is made ready beforehand and used again, so
  /// that a call that does not wait costs hardly more than any other.
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

  /// Calls it with one argument, where it may wait; gives its first result, nil when it returned
  /// nothing at all, or else the coroutine to `waits`.
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
    // Spelled out, because a plain `nil` would be Lua's.
    return isEmpty ? Optional.none : value
  }

  /// Calls it with the value of one slot and stores the result in another, as `call(from:to:)`
  /// does, but where it may wait: then it gives the coroutine to `waits`.
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
  /// Makes the waiting call raise a value of Lua's.
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
  /// Makes Lua call something when this function returns, whose results are then this function's.
  /// Unlike what is called from here, it may wait.
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
