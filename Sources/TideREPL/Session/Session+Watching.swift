import TideBindings
import TideGraph
import TideLua
import TideScript

// Watched expressions: a property, or a value computed from properties.
extension Session {
  /// Prints each change of an expression: `fruit.count`, `#models.fruit.tags`.
  func watch(_ text: String) throws -> ChunkResult {
    let value = try watchedValue(text)
    var last: String?
    var failure: (any Error)?
    let effect = context.effect { [unowned self] in
      let shown: String
      do {
        // Reads everything that is printed, so that an edit of a list counts as a change.
        shown = printer.trackedText(of: try value())
      } catch {
        if last == nil { failure = error }
        shown = "error: \(self.failure(error).message)"
      }
      guard let former = last else { return last = shown }
      last = shown
      if former != shown { onOutput("\(text): \(former) -> \(shown)") }
    }
    if let failure {
      effect.cancel()
      throw failure
    }
    watches.append((text, effect))
    return .values([])
  }

  /// A function that evaluates a watched text: an expression that may use the names of models and
  /// views, or a path.
  func watchedValue(_ text: String) throws -> () throws -> LuaValue {
    let root = (try? Path(text))?.steps.first?.propertyName
    if let root, !LuaState.keywords.contains(root), object(named: root) == nil,
      try environment[.string(root)].isNil
    {
      // Throws an error with suggestions.
      _ = try resolve(text)
    }
    do {
      let chunk = try runtime.lua.load(
        "return \(text)", name: chunkName, environment: watchEnvironment())
      return { [unowned self] in
        switch try runtime.begin(chunk, [], in: context, isRecorded: true) {
        case .finished(let values): return values.first ?? .nil
        case .waiting(let task):
          task.cancel()
          throw TideError(.metaCommand, "\"\(text)\" waits, and so cannot be watched")
        }
      }
    } catch let error as LuaError {
      // A path may be invalid Lua: `table.rows.0`.
      guard (try? Path(text)) != nil else { throw TideError(error) }
      let end = try resolve(text)
      return { [unowned self] in
        guard let object = try owner(tracking: end), let name = end.path.steps.last?.propertyName
        else { return .nil }
        return try runtime.luaValue(object[name])
      }
    }
  }

  private func owner(tracking end: ResolvedPath) throws -> DataObject? {
    var object = end.object
    for step in end.path.steps.dropLast() {
      guard let name = step.propertyName, case .object(let next as DataObject) = object[name]
      else { return nil }
      object = next
    }
    return object
  }

  /// The environment of the session's chunks, with models and views by name.
  private func watchEnvironment() throws -> LuaTable {
    let find = try runtime.lua.function(named: "name") { [unowned self] call in
      guard let name = try call.value(0).string, let found = object(named: name) else {
        return call.return(.nil)
      }
      try call.return(runtime.luaValue(.object(found)))
    }
    let metatable = try runtime.lua.load(
      """
      local environment, find = ...
      return {
        __index = function(_, name)
          local value = environment[name]
          if value == nil then return find(name) end
          return value
        end,
      }
      """, name: "=repl"
    ).call([.table(environment), .function(find)])
    let names = try runtime.lua.table()
    if let table = metatable.first?.table { try names.setMetatable(table) }
    return names
  }

  /// Ends one watch, or all.
  func unwatch(_ text: String) throws -> ChunkResult {
    let ended = watches.filter { text.isEmpty || $0.path == text }
    if ended.isEmpty, !text.isEmpty {
      throw TideError(.metaCommand, "\"\(text)\" is not watched")
    }
    for watch in ended { watch.observation.cancel() }
    watches.removeAll { text.isEmpty || $0.path == text }
    return .values([])
  }
}
