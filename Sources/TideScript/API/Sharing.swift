public import TideBindings
import TideGraph
import TideLua
import TideSystem

extension Runtime {
  func installSharing() throws {
    try define(.shared) { [unowned self] call in
      let name = try call.name(0, "a model's name")
      try admitText(name.utf8.count)
      if call.count > 1 { return try call.return(luaValue(share(name, call.table(1)))) }
      // The syntax of `model`.
      call.return(try takingFields(of: name, by: "shared") { [unowned self] in try share($0, $1) })
    }
  }

  package static let takenBySharing =
    "\"sync\" tells how a shared model is kept the same; call the property otherwise"

  /// Declares a model whose values are shared with all runtimes that declare it.
  private func share(_ name: String, _ fields: LuaTable) throws -> DataObject {
    if try !fields.rawGet("sync").isNil {
      throw TideError(.badArgument, Self.takenBySharing)
    }
    try configuration.admitsSharing?(self)
    let known = declarations.sharedModels[name]
    let sync = known?.sync ?? SyncState()
    let all = try lua.table()
    for (key, value) in try fields.entries() { try all.rawSet(key, value) }
    try all.rawSet("sync", luaValue(.object(sync)))
    // The defaults of a new version stay invisible until the shared values are restored.
    graph.beginBatch()
    defer { graph.endBatch() }
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

  /// Ends the start of the app: enables sending, or drops the models of a failed start.
  func settleSharing(hasBegun: Bool) {
    if hasBegun {
      for model in declarations.sharedModels.values { model.prove() }
    } else {
      declarations.sharedModels = declarations.sharedModels.filter(\.value.isProven)
    }
  }

  /// Waits for the confirmation of writes to shared models, and lists those that stay unconfirmed.
  package func finishSharing(within seconds: Double) {
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    let end = loop.now() + seconds
    for model in declarations.sharedModels.values { model.finish(until: end) }
  }

  /// Whether an object is a shared model.
  package func isShared(_ object: DataObject) -> Bool { sharedModel(object) != nil }

  /// Restores a shared model and persists it for all runtimes that share it, if its engine runs
  /// within the process.
  ///
  /// - Parameter open: opens the storage; called only if nobody keeps the model yet.
  /// - Returns: whether the model is kept now; false if a server is its engine, whose values
  ///   ``sharedKeeper`` persists.
  /// - Throws: `store` if the model is kept elsewhere, or another one at this place; and the errors
  ///   of `open`.
  package func keepShared(
    _ object: DataObject, at place: SharedPlace, _ open: () throws -> any ConfirmedKeeper
  ) throws -> Bool {
    guard let shared = sharedModel(object), let engine = shared.engine as? any KeepingEngine else {
      return false
    }
    if declarations.sharedModels.values.contains(where: { $0.place == place && $0 !== shared }) {
      throw TideError(
        .store,
        "something else is kept as \"\(place.name.inMessage)\" already; "
          + "give the model another name")
    }
    try shared.keep(in: engine, at: place, open)
    return true
  }

  /// Renames a class in the persisted values of shared models.
  ///
  /// - Parameter file: the database that holds the values.
  /// - Returns: the number of renamed values.
  package func renameClassInSharedModels(_ name: String, to other: String, in file: String) -> Int {
    declarations.sharedModels.values.reduce(0) { sum, shared in
      sum + (shared.place?.file == file ? shared.renameClass(name, to: other) : 0)
    }
  }

  /// Whether an engine within the process keeps the shared models; such an engine is always
  /// reachable.
  package var keepsSharedModels: Bool {
    configuration.shared.map { $0 is any KeepingEngine } ?? true
  }

  /// Sends the pending writes of shared models. An engine within the process persists them at once.
  package func sendSharedModels() {
    for model in declarations.sharedModels.values { model.flush() }
  }

  /// The names of the shared models.
  package var sharedModelNames: Set<String> { Set(declarations.sharedModels.keys) }

  /// Leaves all shared models except some. Their pending writes are sent first.
  package func forgetSharedModels(except names: Set<String> = []) {
    declarations.sharedModels = declarations.sharedModels.filter { names.contains($0.key) }
  }

  /// The host's sharing engine, or one that serves this runtime alone.
  var sharingEngine: any SharingEngine { configuration.shared ?? SharedModels() }

  /// The name under which other runtimes see this one: `board@host`.
  var sharingName: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let stem = name.hasSuffix(".lua") ? String(name.dropLast(4)) : name
    return "\(stem)@\(Self.hostName)"
  }

  private static let hostName: String = {
    var name = [UInt8](repeating: 0, count: 256)
    let failed = name.withUnsafeMutableBytes { buffer in
      let text = buffer.assumingMemoryBound(to: CChar.self).baseAddress
      return text.map { gethostname($0, buffer.count - 1) != 0 } ?? true
    }
    return failed ? "localhost" : String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
  }()

  /// The event that a shared model sends.
  package static let conflictEvent = "conflict"

  func sharedModel(_ call: borrowing LuaCall) -> SharedModel? {
    call.object(0)?.dataObject.flatMap { sharedModel($0) }
  }

  private func sharedModel(_ object: DataObject) -> SharedModel? {
    declarations.sharedModels.values.first { $0.model === object }
  }

  /// `on(room, "conflict", fn)`: calls a function when others have overwritten local writes.
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

  /// - Parameter row: the list element that has the property; nil for the model's own properties.
  func post(
    conflictIn model: SharedModel, of property: String, mine: Value, theirs: Value, row: Value?
  ) {
    do {
      let object: DataObject? =
        if case .object(let object as DataObject)? = row { object } else { model.model }
      let hasProperty = object?.shape.index(of: property) != nil
      let causes = hasProperty ? try object.map { try why($0, property) } ?? [] : []
      let event = try lua.table([
        "property": .string(property), "mine": luaValue(mine), "theirs": luaValue(theirs),
        "row": row.map(luaValue) ?? .nil,
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

extension TideError.Code {
  /// A shared model cannot be kept in sync.
  public static let sharing = Self("sharing", 436)
}

// MARK: Catalogue

extension APIEntry {
  static let shared = APIEntry(
    "shared(name, fields)", usage: "shared(\"name\", { … })",
    "A model whose values are the same for all runtimes that declare it.",
    """
    @param name string
    @param fields table
    @return tidelock.SharedModel
    """)
}

extension APISection {
  static let sharing = APISection(
    article: "SharingModels",
    entries: [.shared],
    types: """
      ---@class tidelock.SharedModel : tidelock.DataObject
      ---@field sync tidelock.Sync how it is kept the same for all

      ---@class tidelock.Sync : tidelock.DataObject
      ---@field state "offline"|"connecting"|"live"
      ---@field pending integer how many objects hold something that is not confirmed
      ---@field conflicts integer how often somebody wrote over what they did not know
      ---@field error string what is wrong; empty when nothing is

      ---What a handler of "conflict" gets.
      ---@class tidelock.Conflict
      ---@field property string
      ---@field mine any
      ---@field theirs any
      ---@field row any the element whose property it is; nil for one of the model's own
      ---@field causes string[]
      """)
}
