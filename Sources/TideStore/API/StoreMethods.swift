import TideBindings
import TideGraph
import TideLua
import TideScript

extension Runtime {
  /// Defines the methods of databases.
  func addStoreMethods() throws {
    let methods = methods(of: Store.self)
    func define(
      _ signature: Signature, _ body: @escaping (Store, borrowing LuaCall) throws -> Void
    ) throws {
      try methods.define(signature.name) { store, call in
        try signature.refuseMore(call, from: signature.most + 1)
        try body(store, call)
      }
    }
    try define("migrate(versions)") { store, call in
      let table = try call.table(1)
      var versions: [String] = []
      for index in 0..<(try table.rawCount) {
        guard let sql = try table.rawGet(.integer(index + 1)).string else {
          throw call.badArgument(1, "migration \(index + 1) is no text of SQL statements")
        }
        versions.append(sql)
      }
      try store.migrate(versions)
    }
    try define("run(sql, parameters)") { store, call in
      let (sql, parameters) = (try call.string(1), try Self.parameters(call, 2))
      guard store.waits(call) else {
        return Self.give(try store.run(sql, parameters), call)
      }
      let runtime = try store.home.requireRuntime()
      let (performer, effects) = (runtime.performer, runtime.lastingEffects)
      try runtime.wait(call, forSource: "db:run") { completion in
        store.run(sql, parameters, in: runtime, as: performer, effects) { outcome in
          completion(
            outcome.map { [.integer($0.changes), .integer($0.lastRowID)] }
              .mapError { $0 as any Error })
        }
      }
    }
    try define("list(sql, parameters, options)") { store, call in
      let sql = try call.string(1)
      let options = try Self.rowOptions(call, 3)
      let query = try QueryList(store, sql, Self.parameters(call, 2), options)
      let runtime = try store.home.requireRuntime()
      runtime.context.own { query.end() }
      if options.writes { query.writeEdits() }
      try Self.give(query.list, store, call, query.reader)
    }
    try define("value(sql, parameters)") { store, call in
      let value = try QueryValue(store, call.string(1), Self.parameters(call, 2))
      guard let query = value.query else { return }
      try store.home.requireRuntime().context.own { [value] in value.query?.reader.end() }
      try Self.give(value, store, call, query.reader)
    }
    try define("row(sql, parameters)") { store, call in
      let row = try QueryRow(store, call.string(1), Self.parameters(call, 2))
      try store.home.requireRuntime().context.own { [row] in row.query.reader.end() }
      try Self.give(row.object, store, call, row.query.reader)
    }
    try define("write(row)") { store, call in
      guard let row = call.object(1)?.dataObject else { throw call.wrongType(1, "row") }
      try store.write(row)
    }
    try define("transaction(fn)") { store, call in
      let function = try call.function(1)
      try store.settling {
        try store.transaction {
          _ = try function.call([])
          store.graph.settle()
          store.writeEdits()
        }
      }
    }
    try define("keep(object, name, options)") { store, call in
      guard let object = call.object(1)?.dataObject else { throw call.wrongType(1, "model") }
      let (name, waits) = try Self.keepOptions(call)
      let runtime = try store.home.requireRuntime()
      guard waits else { return try store.keeper.keep(object, name, in: runtime) }
      if try store.keeper.keepIfFree(object, name, in: runtime) { return }
      // A task may wait also while a version of the app begins, which does not wait for it.
      let isTask = call.canSuspend && !store.isInTransaction && runtime.isRunningTask
      guard isTask || store.waits(call) else {
        // The script goes on with its own values until then.
        _ = try store.keeper.wait(object, name, in: runtime) { [weak runtime] result in
          guard case .failure(let error) = result, let runtime else { return }
          runtime.bindings.list(TideError(wrapping: error, graph: runtime.graph))
        }
        return
      }
      try runtime.wait(call, forSource: "db:keep") { completion in
        try store.keeper.wait(object, name, in: runtime) { completion($0.map { [] }) }
      }
    }
    try define("renameClass(name, other)") { store, call in
      let count = try store.keeper.renameClass(call.string(1), to: call.string(2))
      call.return(.integer(count))
    }
    try define("forget(name, property)") { store, call in
      try store.keeper.forget(call.string(2), of: call.string(1))
    }
    try define("flush()") { store, _ in try store.settling { try store.flush() } }
  }

  private static func give(_ outcome: StatementOutcome, _ call: borrowing LuaCall) {
    call.return(.integer(outcome.changes))
    call.return(.integer(outcome.lastRowID))
  }

  /// Returns an object that follows a query, once it has its first result.
  private static func give<Found>(
    _ object: DataObject, _ store: Store, _ call: borrowing LuaCall, _ reader: QueryReader<Found>
  ) throws {
    let runtime = try store.home.requireRuntime()
    guard store.waits(call) else {
      try reader.read()
      return call.return(try runtime.luaValue(.object(object)))
    }
    try runtime.wait(call, forSource: "db:list") { completion in
      reader.read(in: runtime) { outcome in
        completion(
          Result {
            try outcome.get()
            return [try runtime.luaValue(.object(object))]
          })
      }
    }
  }

  // MARK: Arguments

  /// The values for `?` or `:name`: the elements of a table, or its fields.
  private static func parameters(
    _ call: borrowing LuaCall, _ index: Int
  ) throws -> SQLiteParameters {
    if call.isNil(index) { return .none }
    let table = try call.table(index)
    let entries = try table.entries()
    if entries.isEmpty { return .none }
    if entries.allSatisfy({ $0.key.string != nil }) {
      var named: [String: SQLiteValue] = [:]
      for (key, value) in entries { named[key.string ?? ""] = try sqliteValue(value) }
      return .names(named)
    }
    // A nil in the middle is NULL. Nil values at the end are not visible in the table.
    var most = 0
    for (key, _) in entries {
      guard case .integer(let position) = key, (1...32_766).contains(position) else {
        throw call.badArgument(
          index,
          "parameters are a list, for ?, or have names, for :name; found the key \(key.preview)")
      }
      most = max(most, position)
    }
    var values = [SQLiteValue](repeating: .null, count: most)
    for (key, value) in entries {
      if case .integer(let position) = key { values[position - 1] = try sqliteValue(value) }
    }
    return .positions(values)
  }

  private static func sqliteValue(_ value: LuaValue) throws -> SQLiteValue {
    switch value {
    case .nil: .null
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .number(let number):
      if number.isNaN { throw SQLiteValue.notANumber } else { .number(number) }
    case .string(let text): .text(text)
    case .bytes(let bytes): .bytes(bytes)
    case .userdata(let held) where held.object === Marker.null: .null
    default:
      throw TideError(
        .store,
        "a database holds texts, numbers, booleans and nil, not \(found(value)); give a property of it, or json.encode(…)"
      )
    }
  }

  /// A value's name in errors.
  private static func found(_ value: LuaValue) -> String {
    if case .userdata(let held) = value, let marker = held.object as? Marker {
      return marker.description
    }
    return value.preview
  }

  /// The name and options of `db:keep`. The name may also be an option.
  private static func keepOptions(
    _ call: borrowing LuaCall
  ) throws -> (name: String?, waits: Bool) {
    let isNamed = try call.isNil(2) || call.value(2).string != nil
    let options = try CallOptions(call, isNamed ? 3 : 2, of: "db:keep", ["name", "wait"])
    let (waits, name) = (try options.flag("wait") ?? false, try options.text("name"))
    if !isNamed || call.isNil(2) { return (name, waits) }
    let given = try call.string(2)
    if let name {
      throw TideError(
        .badArgument,
        "db:keep takes one name, and was given two: \(TransformCall.quoted(given)) and "
          + TransformCall.quoted(name))
    }
    return (given, waits)
  }

  private static func rowOptions(_ call: borrowing LuaCall, _ index: Int) throws -> RowOptions {
    let options = try CallOptions(call, index, of: "db:list", ["class", "key", "writes"])
    var read = RowOptions()
    read.className = try options.text("class")
    read.key = try options.text("key")
    read.writes = try options.flag("writes") ?? false
    if read.writes, read.className == nil {
      throw TideError(
        .badArgument, "writes = true needs class = \"…\": only rows of a class can be changed")
    }
    return read
  }
}

extension Store {
  /// Whether a call waits for another thread.
  fileprivate func waits(_ call: borrowing LuaCall) -> Bool { call.canSuspend && letsTasksWait }

  /// Settles changes in the middle of a method. Otherwise they settle at its end.
  fileprivate func settling(_ body: () throws -> Void) rethrows {
    graph.endBatch()
    defer { graph.beginBatch() }
    try body()
  }
}
