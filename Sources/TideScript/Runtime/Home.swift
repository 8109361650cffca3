import Synchronization
import TideBindings
import TideGraph
import TideLua

/// Finds the runtime for what may outlive it: the functions in a shape, the objects of its graph.
///
/// In place of a weak reference, which would make every retain and release of the runtime slow.
// Unchecked, because other threads only carry it: `runtime` is used on the runtime's thread alone.
final class Home: @unchecked Sendable {
  unowned(unsafe) var runtime: Runtime?

  /// Bytes of the classes that scripts have declared; the last to use one may be on another thread.
  let classBytes = Atomic<Int>(0)

  init(_ runtime: Runtime) { self.runtime = runtime }

  /// Counts all that a function does as one turn, also what the engine does without any script.
  func runWithinBudget(_ body: () -> Void) {
    guard let runtime else { return body() }
    runtime.graph.entered { runtime.lua.turn(body) }
  }

  /// The runtime; throws `disposed` when it has ended or is being released.
  func requireRuntime() throws(TideError) -> Runtime {
    guard let runtime else { throw TideError(.disposed, "the app that this belongs to has ended") }
    return runtime
  }
}
