import CTideLua

/// Limits for one call into scripts, below those of the state.
///
/// ```swift
/// let quick = LuaBudget(time: .milliseconds(5), memory: 1 << 20)
/// let total = try state.evaluate("total(orders)", as: Double.self, budget: quick)
/// let price = try state.evaluate("price", as: LuaFunction.self)
/// let four = try price.call("pear", 4, as: Double.self, budget: quick)
/// ```
///
/// A budget can only lower limits: the state's limits still apply. Within a call made by Lua, the
/// current turn and its budget continue.
public struct LuaBudget: Sendable {
  /// The time for the call, or for each part of it between two waits; nil for the state's limit.
  public var time: Duration?
  /// The number of bytes that the interpreter may allocate in addition to its current memory; nil
  /// for the state's limit. Garbage counts until it is collected.
  public var memory: Int?

  /// Creates a budget for time, memory, or both.
  public init(time: Duration? = nil, memory: Int? = nil) {
    self.time = time
    self.memory = memory
  }
}

extension LuaState {
  /// Runs a function within a budget. It applies to outermost calls: within a call made by Lua, the
  /// current turn continues.
  ///
  /// ```swift
  /// try state.within(LuaBudget(time: .milliseconds(5))) { try function.call(7, as: Bool.self) }
  /// ```
  ///
  /// - Throws: errors of `body`: `LuaError` of kind `time` or `memory` for a call that exceeds the
  ///   budget.
  public func within<Result, Failure>(
    _ budget: LuaBudget?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let budget, !isRunning else { return try body() }
    let before = limits
    defer {
      setTurnLimit(before.turn)
      setMemoryLimit(before.memory)
    }
    apply(budget)
    return try body()
  }

  /// Gives the host's own code slightly more memory than scripts have, so that a host can inspect
  /// and release data after a script has exhausted its memory. Has no effect within a call made by
  /// Lua.
  package func withReserve<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let limit = limits.memory
    let shortage = isRunning ? 0 : Int(clamping: tide_memory_shortage(raw, Self.reserve))
    guard shortage > 0 else { return try body() }
    let raised = limit + min(shortage, limit / 8, Self.mostReserve)
    setMemoryLimit(raised)
    defer { if limits.memory == raised { setMemoryLimit(limit) } }
    return try body()
  }

  /// The reserve in bytes for each run of host code, unless all runs together have used up
  /// `mostReserve`.
  private static var reserve: UInt64 { 128 << 10 }
  private static var mostReserve: Int { 8 << 20 }

  private func apply(_ budget: LuaBudget) {
    if let time = budget.time { setTurnLimit(limits.turn.map { min($0, time) } ?? time) }
    if let memory = budget.memory {
      collectGarbage()
      let (sum, isTooMuch) = memoryUsed.addingReportingOverflow(max(0, memory))
      let most = isTooMuch ? .max : sum
      setMemoryLimit(limits.memory == 0 ? most : min(limits.memory, most))
    }
  }
}
