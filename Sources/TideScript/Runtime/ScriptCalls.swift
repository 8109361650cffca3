import TideBindings
import TideGraph
import TideLua

/// The nesting of calls into and out of scripts, and the state that nested calls share.
struct ScriptCalls {
  /// Whether an outer call retains the runtime.
  var keepsRuntime = false
  /// The number of nested evaluations of script functions.
  var nesting = 0
  /// The most nested evaluations.
  let nestingLimit: Int
  /// The depth from which evaluations run on coroutines, which use no stack while they wait.
  let nestingBeforeWaiting: Int
  /// The slot that an evaluation has waited for and will read next.
  var justEvaluated: Slot?
  /// The nesting depth of the tables being copied.
  var copyDepth = 0
  /// The number of Swift functions called by scripts that have not returned.
  var callDepth = 0
  /// Objects that those have passed to scripts, and that nothing else may retain yet.
  var handedOver: [DataObject] = []
  /// The writes of the running handler or task.
  var writes: HandlerWrites?
  /// On whose behalf the running task or timer was started; nil for what an act does directly.
  var performer: Performer?
  /// Bytes charged since the last check that the graph has room.
  var bytesSinceRoomCheck = 0

  init(depth limit: Int) {
    nestingLimit = min(limit, Runtime.Limits.deepest)
    nestingBeforeWaiting = min(20, nestingLimit / 2)
  }
}

extension Runtime {
  /// Calls a function with a runtime, and retains the runtime meanwhile.
  ///
  /// Only the outermost of nested calls retains it. The inner ones skip the reference count, which
  /// would take a tenth of a computed value's time.
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

  /// Calls into a script for a derived value. Each nested call uses two of the 200 C calls that Lua
  /// allows.
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

  /// Runs a script's callback in the context in which it was registered. Errors are listed.
  func callBack(in context: BindingContext, _ body: () throws -> Void) {
    do {
      try table.with(context) { try perform { try graph.untracked(body) } }
    } catch {
      list(error, of: context)
    }
  }
}
