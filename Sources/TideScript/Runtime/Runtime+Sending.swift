import Synchronization
package import TideBindings
import TideGraph
import TideLua

extension Runtime {
  /// Runs a function with the runtime on its own thread, at the next turn of its loop.
  public func send(_ body: @escaping @Sendable (Runtime) -> Void) { sender.send(body) }

  /// The runtime's sender, which other threads and tasks may keep.
  ///
  /// ```swift
  /// let sender = runtime.sender
  /// Task.detached { sender.send { try? $0.models["clock"]?.set("ticks", 1) } }
  /// ```
  public var sender: RuntimeSender { RuntimeSender(inbox: loop.inbox, home: home) }
}

/// Sends work to a runtime from any thread, through its inbox.
///
/// ```swift
/// let sender = runtime.sender
/// Task.detached { sender.send { $0.stop() } }
/// ```
public struct RuntimeSender: Sendable {
  let inbox: LoopInbox
  let home: Home

  /// Runs a function with the runtime on its own thread. Nothing happens if the runtime has been
  /// released.
  public func send(_ body: @escaping @Sendable (Runtime) -> Void) {
    inbox.post { [home] in
      guard let runtime = home.runtime else { return }
      let outer = runtime.graph.enter()
      defer { Graph.leave(to: outer) }
      runtime.graph.beginBatch()
      body(runtime)
      runtime.home.runWithinBudget { runtime.graph.endBatch() }
    }
  }
}

/// Finds the runtime for objects that may outlive it: functions in a shape, and objects of its
/// graph.
///
/// It replaces a weak reference, which would make every retain and release of the runtime slow.
// Unchecked, because other threads only pass it on: only the runtime's thread uses `runtime`.
package final class Home: @unchecked Sendable {
  package internal(set) var runtime: Runtime? {
    get { held.map { $0.takeUnretainedValue() } }
    set { held = newValue.map { Unmanaged.passUnretained($0) } }
  }

  private var held: Unmanaged<Runtime>?

  /// Bytes of the classes that scripts have declared. The last user of a class may be on another
  /// thread.
  let classBytes = Atomic<Int>(0)

  private var knownFunctions: FunctionTable?
  private var knownExecutor: RuntimeExecutor?

  init(_ runtime: Runtime) { held = .passUnretained(runtime) }

  /// Calls a function with the runtime, which is retained meanwhile. Returns nil if the runtime has
  /// ended.
  @inline(__always)
  func with<Result>(_ body: (Runtime) throws -> Result) rethrows -> Result? {
    guard let held else { return nil }
    return try Runtime.keeping(held, body)
  }

  var endedError: TideError { TideError(.disposed, "the app that this belongs to has ended") }

  func executor(for runtime: Runtime) -> RuntimeExecutor {
    if let knownExecutor { return knownExecutor }
    let made = RuntimeExecutor(runtime.loop.inbox, runtime.graph)
    knownExecutor = made
    return made
  }

  /// The functions of the host.
  var functions: FunctionTable {
    if let knownFunctions { return knownFunctions }
    let made = FunctionTable(self)
    knownFunctions = made
    return made
  }

  /// Releases everything that belongs to the runtime, which is being deinitialized. Some of that
  /// retains this object.
  func end() {
    runtime = nil
    knownExecutor?.end()
    knownFunctions = nil
  }

  /// Counts everything that a function does as one turn, including the engine's work without
  /// scripts.
  package func runWithinBudget(_ body: () -> Void) {
    let done: Void? = with { runtime in runtime.graph.entered { runtime.lua.turn(body) } }
    if done == nil { body() }
  }

  /// The runtime; throws `disposed` when it has ended or is being released.
  package func requireRuntime() throws(TideError) -> Runtime {
    guard let runtime else { throw endedError }
    return runtime
  }
}
