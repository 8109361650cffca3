import TideBindings
import TideGraph
import TideLua

extension Runtime {
  func installSharing() throws {
    try define(.shared) { [unowned self] call in
      let name = try call.name(0, "a model's name")
      try admitText(name.utf8.count)
      try call.return(luaValue(share(name, call.table(1))))
    }
  }

  /// Declares a model whose values are those of all runtimes that declare it.
  private func share(_ name: String, _ fields: LuaTable) throws -> DataObject {
    if try !fields.rawGet("sync").isNil {
      throw TideError(
        .badArgument,
        "\"sync\" tells how a shared model is kept the same; call the property otherwise")
    }
    let known = declarations.sharedModels[name]
    let sync = try known?.sync ?? makeSync()
    let all = try lua.table()
    for (key, value) in try fields.entries() { try all.rawSet(key, value) }
    try all.rawSet("sync", luaValue(.object(sync)))
    let model = try declareModel(name, all)
    guard let object = model as? ScriptObject else { return model }
    if let known, known.model === object {
      known.joinAgain()
    } else {
      let shared = SharedModel(self, name, object, sync: sync)
      declarations.sharedModels[name] = shared
      keepUndo { [declarations] in declarations.sharedModels[name] = known }
      if let rollback = loader.rollback {
        rollback.onCommit { [weak shared] in shared?.prove() }
      } else if !loader.isStarting {
        shared.prove()
      }
    }
    return model
  }

  /// The first version has begun, or cannot.
  func settleSharing(hasBegun: Bool) {
    if hasBegun {
      for model in declarations.sharedModels.values { model.prove() }
    } else {
      declarations.sharedModels = declarations.sharedModels.filter(\.value.isProven)
    }
  }

  private func makeSync() throws -> DataObject {
    try makeObject(
      lua.table([
        "state": .string("connecting"), "pending": .integer(0), "conflicts": .integer(0),
        "error": .string(""),
      ]))
  }

  /// What the models of this runtime are shared with.
  var sharedModels: SharedModels {
    if let given = configuration.shared ?? declarations.ownSharedModels { return given }
    let own = SharedModels()
    declarations.ownSharedModels = own
    return own
  }

  /// Sent by a shared model.
  package static let conflictEvent = "conflict"

  func sharedModel(_ call: borrowing LuaCall) -> SharedModel? {
    guard let object = call.object(0)?.dataObject else { return nil }
    return declarations.sharedModels.values.first { $0.model === object }
  }

  /// `on(room, "conflict", fn)`: has a function called when others have written what was written here.
  func observeConflicts(in model: SharedModel, _ call: borrowing LuaCall) throws {
    let name = try call.name(1, "an event's name")
    guard name == Self.conflictEvent else {
      throw TideError(
        .unknownEvent, "a shared model has no event \"\(name.inMessage)\"; it has \"conflict\"")
    }
    let function = try kept(call.function(2))
    let site = CallSite(in: context)
    let observation = observe(notification: Self.conflict(model.name), .nil) { [home] _, _, event in
      home.runtime?.call(function, at: site) { [event] }
    }
    try call.return(luaValue(of: observation, .handler(name)))
  }

  func post(conflictIn model: SharedModel, of property: String, mine: Value, theirs: Value) {
    do {
      let causes = try model.model.map { try why($0, property) } ?? []
      let event = try lua.table([
        "property": .string(property), "mine": luaValue(mine), "theirs": luaValue(theirs),
        "causes": .table(lua.table(causes.map { .string("\($0)") })),
      ])
      let sender = try model.model.map { try luaValue(.object($0)) } ?? .nil
      post(Self.conflict(model.name), sender, .table(event))
    } catch {
      bindings.list(TideError(wrapping: error, graph: graph))
    }
  }

  private static func conflict(_ name: String) -> String { "\0conflict in \(name)" }
}

// MARK: Catalogue

extension APIEntry {
  static let shared = APIEntry(
    "shared(name, fields)", usage: "shared(\"name\", { … })",
    "A model whose values are the same for all runtimes that declare it.",
    """
    @param name string
    @param fields table
    @return tidelock.DataObject
    """)
}
