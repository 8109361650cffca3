package import TideBindings
import TideGraph
package import TideLua

// What the test runner needs of a runtime.
extension Runtime {
  /// Calls a function as a test is called: in a context, where it may wait. While it waits, the loop
  /// turns, and a virtual clock moves from one thing to do to the next.
  ///
  /// - Parameter isOver: asked before each turn; when it says so, what waits is cancelled.
  /// - Returns: nil when it was cancelled, or waits for what never comes.
  package func callTest(
    _ function: LuaFunction, _ arguments: [LuaValue], in context: BindingContext,
    isOver: () -> Bool
  ) throws -> [LuaValue]? {
    graph.makeCurrent()
    switch try begin(function, arguments, in: context) {
    case .finished(let results): return results
    case .waiting(let task):
      guard let outcome = turn(untilEndOf: task, isStopped: isOver) else {
        task.cancel()
        return nil
      }
      return try outcome.get()
    }
  }

  /// Forgets that a script asked to leave, and what was listed.
  package func beginTest() {
    exitCode = nil
    table.clearErrors()
  }
}
