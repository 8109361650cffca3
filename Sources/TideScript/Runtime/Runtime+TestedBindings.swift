package import TideBindings
import TideGraph
package import TideLua

// What assertions about bindings and transformers ask.
extension Runtime {
  /// Whether something writes the property that a path leads to.
  package func isBound(_ object: DataObject, _ path: String) throws -> Bool {
    let (holder, name) = try holder(of: path, from: object)
    if let index = holder.shape.index(of: name) {
      // A computed property depends on what it reads, by edges that are no binding's.
      let edges = graph.dependencies(of: holder.slot(index))
      if edges.contains(where: { graph.owner(of: $0) != 0 }) { return true }
    }
    return table.bindings(of: nil, property: nil).contains { $0.writes(name, of: holder) }
  }

  /// The bindings of the property that a path leads to, for messages.
  package func describeBindings(_ object: DataObject) -> [String] {
    table.bindings(of: object, property: nil).map { binding in
      binding.description + (binding.location.map { " at \($0)" } ?? "")
    }
  }

  /// Reads what a path leads to. Throws a step that does not exist.
  package func read(_ object: DataObject, _ path: String) throws -> LuaValue {
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

  /// Checks transformers, as a two-way binding would: a name with its arguments, a function, a
  /// table with `transform` and `reverse`, or a list of these.
  ///
  /// - Throws: what is wrong with them, such as `irreversible` where one has no reverse.
  package func checkWays(through transformers: LuaValue) throws {
    _ = try TransformChain(makeTransformers(transformers, for: "transform"), for: .both)
  }

  /// Carries a value through transformers, there or back. What is `unchanged` on its way stays so.
  ///
  /// - Throws: what a transformer raises, and `async` for one that waits.
  package func carry(
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

}

extension TideError {
  /// What went wrong in a line, with its location and the route of its binding.
  ///
  /// - Parameter isMeaningful: whether a file's name says anything to who reads it.
  package func lineOfTest(where isMeaningful: (String) -> Bool) -> String {
    let prefix = location.map { isMeaningful($0.file) ? "\($0): " : "" } ?? ""
    let route = path.map { " (\($0))" } ?? ""
    return "\(prefix)\(message)\(route)"
  }
}
