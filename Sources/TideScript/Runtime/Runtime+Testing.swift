package import TideBindings
import TideGraph
package import TideLua

// What the test runner needs of a runtime.
extension Runtime {
  /// Calls a function as a test is called: in a context, where it may wait. While it waits, the loop
  /// turns, and a virtual clock moves from one thing to do to the next.
  ///
  /// - Parameters:
  ///   - isOver: asked before each turn; when it says so, what waits is cancelled.
  ///   - onGivingUp: called right before that, while it can be seen where it waits.
  /// - Returns: nil when it was cancelled, or waits for what never comes.
  package func callTest(
    _ function: LuaFunction, _ arguments: [LuaValue], in context: BindingContext,
    isOver: () -> Bool, onGivingUp: () -> Void
  ) throws -> [LuaValue]? {
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    switch try begin(function, arguments, in: context) {
    case .finished(let results): return results
    case .waiting(let task):
      guard let outcome = turn(untilEndOf: task, isStopped: isOver) else {
        onGivingUp()
        task.cancel()
        return nil
      }
      return try outcome.get()
    }
  }

  /// A value as `dump` writes it, with nothing left out.
  package func wholeText(of value: LuaValue) throws -> String {
    var dump = ValueDump(in: self, isWhole: true)
    return try dump.text(of: value)
  }

  /// Lists the names in bindings that nothing bears yet, as the end of a script does.
  package func listMissingNames() { resolveNames(listing: true) }

  /// Forgets that a script asked to leave, and what was listed.
  package func beginTest() {
    exitCode = nil
    table.clearErrors()
    if loop.timerCount == 0, let clock = loop.clock { clock.skip(to: clock.now.rounded(.up)) }
  }

  /// What is in a data object or list, as a plain table; nil for any other value.
  package func contents(of value: LuaValue) throws -> LuaTable? {
    guard let object = value.object?.dataObject else { return nil }
    if let list = object as? ValueList {
      return try lua.table(list.values.map { try luaValue($0) })
    }
    let table = try lua.table()
    if let dictionary = object as? DictionaryObject {
      for key in dictionary.unsortedKeys {
        try table.rawSet(.string(key.text), luaValue(dictionary[key]))
      }
      return table
    }
    for property in object.shape.properties {
      try table.rawSet(.string(property.name), luaValue(object[property.name]))
    }
    return table
  }
}
