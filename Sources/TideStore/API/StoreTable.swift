import TideBindings
public import TideScript

/// The open databases of a runtime, by file.
final class StoreTable {
  private var stores: [String: Weakly] = [:]
  /// Databases with pending writes of a context that has ended.
  private var held: [ObjectIdentifier: Store] = [:]
  /// Lists of ended contexts, with edits that are not written yet.
  private var heldLists: [ObjectIdentifier: QueryList] = [:]
  /// Counts SQLite's memory for the runtime, across databases.
  private let account: SQLiteAccount

  private struct Weakly {
    weak var store: Store?
  }

  static func of(_ runtime: Runtime) throws -> StoreTable {
    if let known = runtime.storeTable as? StoreTable { return known }
    guard let account = SQLiteAccount() else { throw TideError(.store, "not enough memory") }
    account.join(runtime.lua)
    let made = StoreTable(account)
    runtime.storeTable = made
    try runtime.addStoreMethods()
    return made
  }

  private init(_ account: SQLiteAccount) { self.account = account }

  /// Returns the database of a file, and opens it if necessary.
  ///
  /// - Parameter copies: whether to open a temporary copy in memory.
  func store(
    _ name: String, at place: ScriptPlace?, copying copies: Bool, in runtime: Runtime
  ) throws -> Store {
    // A database in memory is identified by its name.
    let file = try place.map(DatabaseFile.init)
    let key = file?.name ?? name
    if let known = stores[key]?.store { return known }
    account.setLimit(by: runtime.lua)
    let made = try Store(name, at: file, account, copying: copies, in: runtime)
    stores[key] = Weakly(store: made)
    return made
  }

  /// Keeps a database open that has pending writes.
  func retain(_ store: Store) { held[ObjectIdentifier(store)] = store }

  func release(_ store: Store) { held[ObjectIdentifier(store)] = nil }

  func retain(_ list: QueryList) { heldLists[ObjectIdentifier(list)] = list }

  func release(_ list: QueryList) { heldLists[ObjectIdentifier(list)] = nil }

  /// Abandons the edits that were not written when the app ended.
  fileprivate func releaseLists() {
    for list in heldLists.values { list.edits?.stop() }
    heldLists = [:]
  }

  /// The open databases.
  var open: [Store] { stores.values.compactMap(\.store) }

  /// The database that scripts have open.
  ///
  /// - Throws: `store` if there is none or there are several.
  func onlyOpen() throws(TideError) -> Store {
    let open = open.filter(\.isOpen)
    if open.count == 1 { return open[0] }
    if open.isEmpty {
      throw TideError(
        .store,
        "session.keep keeps models in a database, and none is open: open one before, by "
          + "store.open(\"data/app.db\")")
    }
    let names = open.map { "\"\($0.name.inMessage)\"" }.sorted()
    throw TideError(
      .store,
      "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]) are open: say which one "
        + "session.keep is to use, by session.keep(model, db)")
  }

  /// The app has declared another class, of which stored values may exist.
  func classesChanged() {
    for store in open { store.keeper.classesChanged() }
  }
}

/// Opens databases for scripts.
struct Stores: StoreOpener {
  /// Whether databases are temporary copies in memory.
  let copies: Bool

  func open(_ name: String, at place: ScriptPlace?, in runtime: Runtime) throws -> DataObject {
    let table = try StoreTable.of(runtime)
    let store = try table.store(name, at: place, copying: copies, in: runtime)
    let context = runtime.context
    store.beginUse(in: context)
    // The first database persists unconfirmed writes to shared models.
    if runtime.sharedKeeper == nil, !runtime.keepsSharedModels, let path = store.filePath {
      StoredSharing.begin(store, at: path, in: runtime)
    }
    context.own { [store, family = context.family] in store.endUse(by: family) }
    return store
  }

  func classesChanged(in runtime: Runtime) {
    (runtime.storeTable as? StoreTable)?.classesChanged()
  }

  func databases(of runtime: Runtime) -> [DataObject] {
    (runtime.storeTable as? StoreTable)?.open ?? []
  }

  func isDatabase(_ object: DataObject) -> Bool { object is Store }

  func keep(
    _ object: DataObject, as name: String?, of owner: SessionOwner, in database: DataObject?,
    for runtime: Runtime
  ) throws -> Bool {
    let store = try database as? Store ?? StoreTable.of(runtime).onlyOpen()
    switch owner {
    case .screen: try store.keeper.keep(object, name, of: nil, in: runtime)
    case .named(let owner): try store.keeper.keep(object, name, of: owner, in: runtime)
    case .page:
      // Errors are thrown even if the page's models are not kept.
      _ = try store.keeper.checkedName(object, name, by: ModelKeeper.keepingForSession)
      return false
    }
    return true
  }

  func holds(_ object: DataObject, in runtime: Runtime) -> Bool {
    guard let table = runtime.storeTable as? StoreTable else { return false }
    return table.open.contains { $0.keeper.keeps(object) || $0.query(showing: object) != nil }
  }

  func copy(of databases: [DataObject]) throws -> AnyObject { try StoreCopy(of: databases) }

  func finishWriting(of runtime: Runtime, within seconds: Double) -> Bool {
    guard let table = runtime.storeTable as? StoreTable else { return true }
    let end = runtime.loop.now() + seconds
    var isComplete = true
    for store in table.open.sorted(by: { $0.name < $1.name }) {
      if !store.writeRest(until: { runtime.loop.now() >= end }) { isComplete = false }
    }
    table.releaseLists()
    return isComplete
  }

  func restore(_ copy: AnyObject, in runtime: Runtime) throws {
    guard let copy = copy as? StoreCopy else { return }
    let table = try StoreTable.of(runtime)
    for (name, contents) in copy.databases {
      let store = try table.store(name, at: nil, copying: false, in: runtime)
      do { try store.connection.fill(from: contents) } catch { throw error.error(name) }
      // Held until a script opens it.
      table.retain(store)
    }
  }
}

extension Runtime.Configuration {
  /// Lets scripts keep models and lists in databases with `store.open`, in the folders that
  /// ``LuaAccess/store`` names.
  ///
  /// ```swift
  /// var configuration = Runtime.Configuration()
  /// configuration.addStores()
  /// configuration.lua.access.store = ["data"]
  /// let runtime = try Runtime(app: URL(filePath: "app.lua"), configuration: configuration)
  /// ```
  ///
  /// - Parameter copies: whether scripts work on temporary copies in memory, so that the files stay
  ///   unchanged.
  public mutating func addStores(copying copies: Bool = false) { stores = Stores(copies: copies) }
}
