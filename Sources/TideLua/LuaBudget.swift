import CTideLua

/// What one call into scripts may take, in place of what the state allows.
///
/// ```swift
/// let quick = LuaBudget(time: .milliseconds(5), memory: 1 << 20)
/// let total = try state.evaluate("total(orders)", as: Double.self, budget: quick)
/// let price = try state.evaluate("price", as: LuaFunction.self)
/// let four = try price.call("pear", 4, as: Double.self, budget: quick)
/// ```
///
/// It can only take away: where the state allows less, that holds. Within a call that Lua makes,
/// the turn that is under way goes on, and its budget.
public struct LuaBudget: Sendable {
  /// How long the call may take, or each stretch of it between two waits; nil for what the state
  /// allows.
  public var time: Duration?
  /// How many bytes the interpreter may hold beyond those that it holds already; nil for what the
  /// state allows. What the call leaves behind counts as long as it is not collected.
  public var memory: Int?

  /// Bounds the time, the memory, or both.
  public init(time: Duration? = nil, memory: Int? = nil) {
    self.time = time
    self.memory = memory
  }
}

extension LuaState {
  /// Makes calls within a budget. It counts for outermost calls: within a call that Lua makes, the
  /// turn that is under way goes on.
  ///
  /// ```swift
  /// try state.within(LuaBudget(time: .milliseconds(5))) { try function.call(7, as: Bool.self) }
  /// ```
  ///
  /// - Throws: what `body` throws: `LuaError` of kind `time` or `memory` for a call that took more.
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

  /// Lets the host's own text hold a little more than scripts may, so that a host can still look at
  /// what a script has filled its memory with, and let go of it. Within a call that Lua makes, it
  /// cannot.
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

  /// Bytes that each text of the host's finds, as long as all of them together have not left more
  /// behind than `mostReserve`.
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
