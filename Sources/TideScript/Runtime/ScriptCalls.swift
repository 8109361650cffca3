import TideBindings
import TideGraph
import TideLua

/// How deep calls into scripts and out of them are nested, and what those that run leave to each
/// other.
struct ScriptCalls {
  /// Whether a call keeps the runtime until it returns.
  var keepsRuntime = false
  /// How many script functions that derive values wait for each other.
  var nesting = 0
  /// How many may.
  let nestingLimit: Int
  /// From which depth on they run on coroutines and wait without taking any of the stack.
  let nestingBeforeWaiting: Int
  /// What an evaluation has waited for and is about to read.
  var justEvaluated: Slot?
  /// How deep the tables are within each other that are being copied.
  var copyDepth = 0
  /// How many Swift functions scripts have called that have not returned.
  var callDepth = 0
  /// What those have given scripts, which nothing else may hold.
  var handedOver: [DataObject] = []
  /// The writes of the running handler or task.
  var writes: HandlerWrites?
  /// On whose behalf the running task or timer was started; nil for what an act does directly.
  var performer: Performer?
  /// Bytes charged since the graph was last asked whether it has room.
  var bytesSinceRoomCheck = 0

  init(depth limit: Int) {
    nestingLimit = min(limit, Runtime.Limits.deepest)
    nestingBeforeWaiting = min(20, nestingLimit / 2)
  }
}

extension Runtime {
  /// Calls a function with a runtime, which stays for that time, whoever lets go of it.
  ///
  /// The outermost of these calls keeps it. Those within count no reference, which for a computed
  /// value would take a tenth of the time.
  @inline(__always)
  static func keeping<Result>(
    _ held: Unmanaged<Runtime>, _ body: (Runtime) throws -> Result
  ) rethrows -> Result {
    if held._withUnsafeGuaranteedRef({ $0.calls.keepsRuntime }) {
      return try held._withUnsafeGuaranteedRef { try body($0) }
    }
    let runtime = held.takeUnretainedValue()
    runtime.calls.keepsRuntime = true
    defer { runtime.calls.keepsRuntime = false }
    return try body(runtime)
  }

  /// Calls into a script for a value that is derived. Each that is nested in another takes two
  /// levels of C calls, of which Lua allows 200.
  @inline(__always)
  func derive<Result>(_ body: () throws -> Result) throws -> Result {
    guard calls.nesting < calls.nestingLimit else { throw DepthError() }
    calls.nesting += 1
    defer { calls.nesting -= 1 }
    return try perform(body)
  }

  /// Calls into a script. Writes settle at once, or with `batching` together at the end.
  @discardableResult
  func perform<Result>(batching: Bool = false, _ body: () throws -> Result) throws -> Result {
    if batching { graph.beginBatch() }
    defer { if batching { graph.endBatch() } }
    do {
      return try body()
    } catch let error as LuaError {
      throw TideError(error)
    }
  }

  /// Runs a script's callback in the context in which it was registered; what it throws is listed.
  func callBack(in context: BindingContext, _ body: () throws -> Void) {
    do {
      try table.with(context) { try perform { try graph.untracked(body) } }
    } catch {
      list(error, of: context)
    }
  }
}
