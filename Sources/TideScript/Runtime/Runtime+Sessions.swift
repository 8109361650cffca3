package import TideBindings
package import TideGraph
package import TideLua
package import TideViews

// What a session at a prompt needs of a runtime.
extension Runtime {
  package var bindings: BindingTable { table }

  /// Runs a chunk; where it waits, the loop turns until it has ended.
  ///
  /// Within a turn of the loop, which cannot be left, it gives nil for a chunk that waits, and
  /// `later` is told of the end.
  package func run(
    _ chunk: LuaFunction, in context: BindingContext, isStopped: () -> Bool = { false },
    later: @escaping (Result<[LuaValue], any Error>) -> Void = { _ in }
  ) throws -> [LuaValue]? {
    graph.makeCurrent()
    let mayTurn = !loop.isTurning && !lua.isRunning
    switch try begin(chunk, [], in: context) {
    case .finished(let results): return results
    case .waiting(let task):
      guard mayTurn else {
        if let result = task.result { later(result) } else { task.whenEnded(later) }
        return nil
      }
      var wasStopped = false
      let ended = turn(untilEndOf: task) {
        wasStopped = isStopped()
        return wasStopped
      }
      guard let outcome = ended else {
        task.cancel()
        throw wasStopped
          ? TideError(.interrupted, "interrupted")
          : TideError(.async, "it waits for what never comes")
      }
      do { return try outcome.get() } catch { throw TideError(script: error) }
    }
  }

  /// A value as scripts see it.
  package func scriptValue(_ value: Value) throws -> LuaValue { try luaValue(value) }

  /// A script's value as properties hold it.
  package func propertyValue(_ value: LuaValue) throws -> Value { try self.value(from: value) }

  /// The methods that scripts can call on an object.
  package func methodNames(of object: DataObject) -> [String] {
    var names: Set<String> = []
    var shape: Shape? = object.shape
    while let known = shape {
      // Classes that no script has seen have no methods to name.
      if lua.isClassDefined(known.number), let methods = try? lua.methods(ofClass: known.number) {
        for (key, _) in (try? methods.entries()) ?? [] {
          if let name = key.string { names.insert(name) }
        }
      }
      shape = known.superclass
    }
    return names.sorted()
  }

  /// The names after `view.`, and the ids after `views.`.
  package var namesOfViewClasses: [String] { viewClassNames + ["component", "placeholders"] }
  package var idsOfViews: [String] { viewIDs }

  package func shownView(withID id: String) -> View? { view(withID: id) }

  /// Runs a script file below no context of its own, as `:load` asks.
  package func loadChunk(
    ofFile path: String, environment: LuaTable
  ) throws -> LuaFunction {
    try perform {
      try lua.load(ScriptFile.read(path), name: "@" + path, environment: environment)
    }
  }
}
