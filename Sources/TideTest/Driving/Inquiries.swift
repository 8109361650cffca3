import TideBindings
import TideGraph
import TideLua
import TideScript

// Queries about bindings, transformers and values, for assertions.
extension Runtime {
  /// Whether a binding or computed value writes the property at a path.
  func isBound(_ object: DataObject, _ path: String) throws -> Bool {
    let (holder, name) = try holder(of: path, from: object)
    if let index = holder.shape.index(of: name) {
      // A computed property depends on what it reads, through edges without a binding.
      let edges = graph.dependencies(of: holder.slot(index))
      if edges.contains(where: { graph.owner(of: $0) != 0 }) { return true }
    }
    return bindings.bindings(of: nil, property: nil).contains { $0.writes(name, of: holder) }
  }

  /// The number of runs of a binding since its creation or the previous query, and its description.
  func takeRuns(of value: LuaValue) throws -> (count: Int, name: String) {
    guard let binding = binding(held: value) else {
      throw TideError(
        .badArgument,
        "assert.runs takes a binding, as bind and binding give it, not \(value.preview)")
    }
    return (binding.takeRuns(), binding.description)
  }

  /// Descriptions of an object's bindings, for messages.
  func describeBindings(_ object: DataObject) -> [String] {
    bindings.bindings(of: object, property: nil).map { binding in
      binding.description + (binding.location.map { " at \($0)" } ?? "")
    }
  }

  /// Reads the value at a path. Throws if a step of the path does not exist.
  func read(_ object: DataObject, _ path: String) throws -> LuaValue {
    let steps = try Path(path).steps
    return try graph.untracked {
      try luaValue(PathReader.read(ArraySlice(steps), from: object).value)
    }
  }

  private func holder(
    of path: String, from object: DataObject
  ) throws -> (holder: DataObject, name: String) {
    let steps = try Path(path).steps
    guard let name = steps.last?.propertyName else {
      throw TideError(.badArgument, "\"\(path)\" does not end in the name of a property")
    }
    var holder = object
    if steps.count > 1 {
      let value = try graph.untracked {
        try PathReader.read(ArraySlice(steps.dropLast()), from: object).value
      }
      guard case .object(let held) = value, let next = held as? DataObject else {
        throw TideError(
          .unknownProperty,
          "\"\(path)\" leads to no object: it is \(value.isNil ? "nil" : value.preview)")
      }
      holder = next
    }
    if holder.shape.index(of: name) == nil, try holder.dynamicValue(of: name) == nil {
      throw holder.unknownProperty(name)
    }
    return (holder, name)
  }

  /// Checks that transformers suit a two-way binding. The argument is a name with arguments, a
  /// function, a table with `transform` and `reverse`, or a list of these.
  ///
  /// - Throws: the problem found, such as `irreversible` for a transformer without a reverse.
  func checkWays(through transformers: LuaValue) throws {
    _ = try TransformChain(makeTransformers(transformers, for: "transform"), for: .both)
  }

  /// Applies transformers to a value, forward or in reverse. The result is `unchanged` if a
  /// transformer returns that.
  ///
  /// - Throws: the error of a transformer, and `async` if a transformer waits.
  func carry(
    _ value: LuaValue, through transformers: LuaValue, isReverse: Bool
  ) throws -> LuaValue {
    let made = try makeTransformers(transformers, for: "transform")
    let chain = try TransformChain(made, for: .both)
    let function = isReverse ? chain.leftward : chain.rightward
    let given = try self.value(from: value)
    do {
      return try luaValue(function?(given) ?? given)
    } catch is PendingValue {
      throw TideError(
        .async, "the transformer waits, for which a binding of both ways cannot wait")
    } catch {
      let known = error as? TideError ?? (error as? LuaError).map { TideError($0) }
      guard let known, let location = known.location else { throw error }
      throw TideError(known.code, "\(location): \(known.message)")
    }
  }

  /// The complete text of a value in `dump`'s format.
  func wholeText(of value: LuaValue) throws -> String {
    var dump = ValueDump(in: self, isWhole: true)
    return try dump.text(of: value)
  }

  /// The contents of a data object or list as a plain table; nil for any other value.
  func contents(of value: LuaValue) throws -> LuaTable? {
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
