import TideBindings
import TideGraph
import TideLua

extension Runtime {
  func installDerivedLists() throws {
    try define(.concat) { [unowned self] call in
      let sources = try (0..<call.count).map { try list(call, $0) }
      try call.return(live(ValueList.concatenating(sources), of: sources))
    }
  }

  /// Methods of lists that return live lists.
  func addDerivingMethods(to methods: LuaTable) throws {
    try addParts(to: methods)
    try method(methods, "filter(fn)") { [unowned self] call in
      let source = try list(call)
      let passes = RowFunction(try call.function(1), in: self)
      try call.return(live(source.filter { try passes.holds(for: $0) }, of: source))
    }
    try method(methods, "map(fn)") { [unowned self] call in
      let source = try list(call)
      let function = RowFunction(try call.function(1), in: self)
      try call.return(live(source.map { try function.value(of: $0) }, of: source))
    }
    try method(methods, "sorted(key)") { [unowned self] call in
      let source = try list(call)
      if call.isNil(1) { return try call.return(live(source.sorted { $0 }, of: source)) }
      guard call.tag(1) == LuaTag.function else {
        if call.tag(1) == LuaTag.table {
          // The same form as a controller's `sort`.
          let given = try value(from: call.value(1))
          guard let order = try Self.sortKeys(of: "sorted", { try Ordering(given, in: table) })
          else {
            return try call.return(live(source.sorted { $0 }, of: source))
          }
          return try call.return(live(order.sorted(source), of: source))
        }
        guard call.tag(1) == LuaTag.string else {
          throw call.wrongType(1, "property name or function")
        }
        let name = try call.name(1, "a path")
        let isDescending = name.hasPrefix("-")
        let key = try key(isDescending ? String(name.dropFirst()) : name, "sorted")
        return try call.return(live(source.sorted(descending: isDescending, by: key), of: source))
      }
      let function = try call.function(1)
      let rows = RowFunction(function, in: self)
      // A function with one parameter computes a row's key; one with two compares rows, as for
      // `table.sort`.
      if function.parameterCount == 1 {
        return try call.return(live(source.sorted { try rows.value(of: $0) }, of: source))
      }
      let sorted = source.sorted(comparing: { try rows.isOrdered($0, before: $1) })
      try call.return(live(sorted, of: source))
    }
  }

  private func addParts(to methods: LuaTable) throws {
    try method(methods, "group(key)") { [unowned self] call in
      let source = try list(call)
      if call.tag(1) == LuaTag.function {
        let rows = RowFunction(try call.function(1), in: self)
        return try call.return(live(source.grouped { try rows.value(of: $0) }, of: source))
      }
      guard call.tag(1) == LuaTag.string else {
        throw call.wrongType(1, "property name or function")
      }
      try call.return(live(source.grouped(by: key(call.name(1, "a path"), "group")), of: source))
    }
    try method(methods, "slice(index, count)") { [unowned self] call in
      let source = try list(call)
      let slice = try source.slice(fromNumber: call.integer(1), count: call.integer(2))
      try call.return(live(slice, of: source))
    }
  }

  /// Passes a derived list to the script. It is updated at once, so that errors of its function are
  /// listed with the line that made it.
  private func live(_ list: ValueList, of sources: ValueList...) throws -> LuaValue {
    try live(list, of: sources)
  }

  private func live(_ list: ValueList, of sources: [ValueList]) throws -> LuaValue {
    let rows = graph.untracked { sources.reduce(0) { $0 + $1.count } }
    try admitRows(rows)
    try charge(DerivedList.emptyWeight + Weight.list + rows * DerivedList.rowWeight)
    graph.untracked { list.beginReading() }
    // The number of groups is known only now.
    if list is GroupedList { try charge(graph.untracked { list.count } * Weight.group) }
    return try luaValue(list)
  }

  /// Adds the function's name to errors of its sort keys.
  private static func sortKeys(
    of function: String, _ read: () throws -> Ordering?
  ) throws -> Ordering? {
    do {
      return try read()
    } catch var error as TideError {
      error.message = "\(function): \(error.message)"
      throw error
    }
  }

  /// Reads the key of a row by the name of a property, or a path.
  private func key(_ name: String, _ method: String) throws -> (Value) throws -> Value {
    let path = try RowPath(name, in: table) { row in
      TideError(
        .wrongType,
        "\(method)(\"\(name)\") reads a property of each row, but one is "
          + "\(row.typeAndPreviewPhrase); use a function to make its key")
    }
    return { try path.key(of: $0) }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let concat = APIEntry(
    "concat(...)",
    "Lists one after the other, as one live list.",
    """
    @generic T
    @param ... tidelock.List<T>
    @return tidelock.List<T>
    """)
}

extension APISection {
  static let derivedLists = APISection(
    article: "Lists",
    entries: [.concat])
}
