package import TideBindings
import TideGraph
package import TideLua
package import TideViews

// What a session at a prompt needs of a runtime.
extension Runtime {
  package var bindings: BindingTable { table }

  /// Runs a chunk; where it waits, the loop turns until it has ended.
  ///
  /// Within a turn of the loop, which cannot be left, it gives nil for a chunk that waits, and
  /// `later` is called at the end.
  package func run(
    _ chunk: LuaFunction, in context: BindingContext, isStopped: () -> Bool = { false },
    later: @escaping (Result<[LuaValue], any Error>) -> Void = { _ in }
  ) throws -> [LuaValue]? {
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    let mayTurn = !loop.isTurning && !lua.isRunning
    switch try begin(chunk, [], in: context) {
    case .finished(let results): return results
    case .waiting(let task):
      guard mayTurn else {
        let later: (ScriptTask.Outcome) -> Void = { later($0.mapError { TideError(script: $0) }) }
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

  /// Begins a chunk, also in a turn of the loop; `ended` is called at its end, which may come
  /// before this returns.
  ///
  /// - Parameter isRunning: told around each stretch that runs.
  /// - Returns: a function that ends a waiting chunk; nil if it has ended.
  package func begin(
    _ chunk: LuaFunction, in context: BindingContext, isRunning: @escaping (Bool) -> Void,
    ended: @escaping (Result<[LuaValue], any Error>) -> Void
  ) -> (() -> Void)? {
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    let ended: (ScriptTask.Outcome) -> Void = { ended($0.mapError { TideError(script: $0) }) }
    let beginning: Result<Beginning, any Error>
    isRunning(true)
    beginning = Result { try begin(chunk, [], in: context) }
    isRunning(false)
    switch beginning {
    case .failure(let error): ended(.failure(error))
    case .success(.finished(let results)): ended(.success(results))
    case .success(.waiting(let task)):
      if let result = task.result {
        ended(result)
      } else {
        task.onStretch = isRunning
        task.whenEnded(ended)
        return { task.cancel() }
      }
    }
    return nil
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

  /// What a `binding`, a `handle` or a `task` has.
  package func memberNames(of kind: String) -> [String] { api.metatables.memberNames[kind] ?? [] }

  /// What `bind` and `property` take in their tables.
  package static var bindOptionNames: [String] { bindingOptionNames }
  package static var propertyOptionNames: [String] { PropertyDeclaration.optionNames }

  /// The names after `view.`, and the ids after `views.`.
  package var namesOfViewClasses: [String] { viewClassNames + Self.viewMakers }
  package var idsOfViews: [String] { unsortedViewIDs }

  package func shownView(withID id: String) -> View? { view(withID: id) }

  /// A script file as a chunk, as `:load` asks.
  package func loadChunk(
    ofFile path: String, environment: LuaTable
  ) throws -> LuaFunction {
    try loadChunk(ofFile: path, Self.scriptText(ofFile: path), environment: environment)
  }

  /// The same for a text that was read elsewhere. A first line may name the script's interpreter.
  package func loadChunk(
    ofFile path: String, _ text: String, environment: LuaTable
  ) throws -> LuaFunction {
    ReadSources.note(path)
    let source = text.hasPrefix("#") ? "--" + text : text
    return try perform { try lua.load(source, name: "@" + path, environment: environment) }
  }

  /// Throws clearly what is wrong with a file that is no script.
  package static func scriptText(ofFile path: String) throws -> String { try ScriptFile.read(path) }
}
