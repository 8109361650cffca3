import TideBindings
import TideGraph
import TideLua
import TideViews

/// The script API of a runtime.
struct API {
  /// The table `tidelock`, with all names.
  let table: LuaTable
  /// The same table, as scripts see it.
  var sealed: LuaTable
  let metatables: Metatables
  /// Whether a table has another metatable than a given one.
  let metatableProbe: LuaFunction
  /// Lua's `ipairs`, which iterates over a snapshot of a list.
  let ipairs: LuaFunction
  /// Globals of Lua and of the API, which a host's functions may not replace.
  var reservedNames: Set<String> = []

  init(_ lua: LuaState) throws {
    table = try lua.table()
    sealed = table
    metatables = try Metatables(lua)
    ipairs = try lua.function(from: "return ipairs")
    metatableProbe = try lua.function(
      from: """
        local get = getmetatable
        return function(table, plain)
          local found = get(table)
          return found ~= nil and found ~= plain
        end
        """)
  }
}

extension Runtime {
  /// Installs the API that `APICatalogue` describes, as globals and as entries of `tidelock`.
  /// (`ModuleLoader` adds `hot` and `require`.)
  func installAPI() throws {
    try installObjects()
    try installSharing()
    try installMarkers()
    try installLists()
    try installDerivedLists()
    try installFeeds()
    try installControllers()
    try installObservation()
    try installCheckpoint()
    try installCauses()
    try installBindings()
    try installTransformers()
    try installTriggers()
    try installContexts()
    try installViews()
    try installQuestions()
    try installUndo()
    try installStyles()
    try installRichText()
    try installStrings()
    try installEvents()
    try installTime()
    try installApp()
    try installViewers()
    try installEnding()
    try installTasks()
    try installModules()
    try installLog()
    try installJSON()
    try installResources()
    try installFiles()
    try installProcesses()
    try installHTTP()
    try installStores()
    try installSessions()
    try installStandardInput()
  }

  /// Defines a function of the API.
  func define(
    _ entry: APIEntry, _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws {
    try publish(entry.name, .function(function(entry.signature, body)))
  }

  /// Publishes a value as a global and an entry of `tidelock`.
  func publish(_ name: String, _ value: LuaValue) throws {
    try lua.globals.rawSet(.string(name), value)
    try api.table.rawSet(.string(name), value)
  }

  /// A table of functions that scripts cannot change.
  func publishTable(
    _ name: String, _ functions: KeyValuePairs<APIEntry, (borrowing LuaCall) throws -> Void>
  ) throws {
    let table = try lua.table()
    for (entry, body) in functions {
      try table.rawSet(.string(entry.memberName), .function(function(entry.signature, body)))
    }
    try publish(name, .table(sealed(table, as: name)))
  }

  /// Publishes a table of functions that can itself be called.
  func publishTable(
    _ name: String, calling signature: Signature,
    _ body: @escaping (borrowing LuaCall) throws -> Void,
    _ functions: KeyValuePairs<APIEntry, (borrowing LuaCall) throws -> Void>
  ) throws {
    let contents = try lua.table()
    for (entry, body) in functions {
      try contents.rawSet(.string(entry.memberName), .function(function(entry.signature, body)))
    }
    try refuseUnknownNames(in: contents, as: name)
    let metatable = try lua.table(["__index": .table(contents), "__name": .string(name)])
    try metatable.rawSet("__call", .function(callable(signature, body)))
    try publishReadOnly(name, metatable) { "\(name).\($0) cannot be assigned to" }
  }

  /// Publishes an empty table with a metatable that provides all its members. Assignments throw an
  /// error.
  func publishReadOnly(
    _ name: String, _ metatable: LuaTable, message: @escaping (_ name: String) -> String
  ) throws {
    try metatable.rawSet(
      "__newindex",
      .function(
        function(named: name) { call in
          throw TideError(.readOnly, message(try call.stringIfAny(1)?.inMessage ?? "name"))
        }))
    let table = try lua.table()
    try table.protect(with: metatable)
    try publish(name, .table(table))
  }

  /// Makes a table of functions read-only. Reading an unknown name throws an error.
  func sealed(_ table: LuaTable, as name: String) throws -> LuaTable {
    try refuseUnknownNames(in: table, as: name)
    return try table.sealed(as: name)
  }

  /// Makes reading an unknown name of a table throw an error.
  func refuseUnknownNames(in table: LuaTable, as name: String) throws {
    let names = try table.entries().compactMap(\.key.string).sorted()
    let metatable = try lua.table()
    try metatable.rawSet(
      "__index",
      .function(
        function(named: name) { [unowned self] call in
          let wanted = try self.name(call, of: name)
          let hint = NearestName.hintOrNames(for: wanted, in: names)
          throw TideError(.unknownProperty, "\(name) has no \"\(wanted.inMessage)\"\(hint)")
        }))
    try table.protect(with: metatable)
  }

  /// Adds methods to a metatable. `properties` are the names that `get` reads like fields.
  func fill(
    _ metatable: LuaTable,
    methods: KeyValuePairs<Signature, (borrowing LuaCall) throws -> Void>,
    properties: [String] = [],
    get: ((_ name: String, borrowing LuaCall) throws -> Bool)? = nil,
    set: ((_ name: String, borrowing LuaCall) throws -> Bool)? = nil
  ) throws {
    let table = try lua.table()
    for (signature, body) in methods { try method(table, signature, body) }
    let names = methods.map(\.key.name) + properties
    let kind = try metatable.rawGet("__name").string ?? "object"
    api.metatables.memberNames[kind] = names
    try metatable.rawSet(
      "__index",
      .function(
        function(named: "__index") { [unowned self] call in
          let name = try name(call, of: kind.withArticle)
          if try get?(name, call) == true { return }
          let method = try table.rawGet(.string(name))
          if method.isNil {
            throw TideError(
              .unknownProperty,
              "\(kind.withArticle) has no \"\(name.inMessage)\"\(NearestName.hintOrNames(for: name, in: names))"
            )
          }
          call.return(method)
        }))
    try metatable.rawSet(
      "__newindex",
      .function(
        function(named: "__newindex") { call in
          let name = try call.stringIfAny(1) ?? ""
          if try set?(name, call) == true { return }
          throw TideError(
            .readOnly, "\"\(name.inMessage)\" of \(kind.withArticle) cannot be assigned to")
        }))
  }

  /// The name with which a table or an object of the API is indexed.
  func name(_ call: borrowing LuaCall, of what: String) throws -> String {
    if call.tag(1) == LuaTag.string { return try call.string(1) }
    throw TideError(.badArgument, "\(what) has names, not \(try call.value(1).preview)")
  }

  /// The data object of an argument, or an error that says what was expected.
  func object(_ call: borrowing LuaCall, _ index: Int, as what: String = "data object") throws
    -> DataObject
  {
    guard let object = call.object(index)?.dataObject else { throw call.wrongType(index, what) }
    return object
  }
}

extension Runtime {
  /// The member names of a `binding`, a `handle` or a `task`.
  package func memberNames(of kind: String) -> [String] { api.metatables.memberNames[kind] ?? [] }
}

// Bindings may name models and views that do not exist yet.

extension Runtime {
  /// Begins now, or once the names can be resolved.
  func begin(_ waiter: any NameWaiter) throws {
    if try waiter.resolve(in: self) { return }
    try waiter.check(with: transformers)
    contexts.pendingNames.add(waiter)
  }

  /// Begins waiters whose names exist now. With `listing`, the remaining ones are listed: at the
  /// end of the script, and after each turn of an app whose main script has ended.
  package func resolveNames(listing: Bool = false) {
    contexts.pendingNames.resolve(listing: listing, in: self)
  }

  /// Begins the waiters for a model that was just added.
  func resolveNames(bearing name: String) { contexts.pendingNames.resolve(bearing: name, in: self) }

  func root(named name: String) -> DataObject? {
    graph.untracked {
      models[name] ?? ending.root(named: name)
        ?? (contexts.pendingNames.mayBeShown(name) ? view(withID: name) : nil)
    }
  }
}
