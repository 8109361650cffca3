import TideBindings
public import TideScript

/// The databases that a runtime has opened, by their files.
final class StoreTable {
  private var stores: [String: Weakly] = [:]
  /// Those that still have something to write for a context that has ended.
  private var held: [ObjectIdentifier: Store] = [:]
  /// What SQLite holds for the runtime, whatever database it is for.
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

  /// The database of a file, which is opened where it is not open.
  ///
  /// - Parameter copies: whether it is a copy in memory, which is thrown away.
  func store(
    _ name: String, at place: ScriptPlace?, copying copies: Bool, in runtime: Runtime
  ) throws -> Store {
    // One in memory is known by its name.
    let file = try place.map(DatabaseFile.init)
    let key = file?.name ?? name
    if let known = stores[key]?.store { return known }
    account.setLimit(by: runtime.lua)
    let made = try Store(name, at: file, account, copying: copies, in: runtime)
    stores[key] = Weakly(store: made)
    return made
  }

  /// Keeps a database open that has something to write yet.
  func hold(_ store: Store) { held[ObjectIdentifier(store)] = store }

  func letGo(of store: Store) { held[ObjectIdentifier(store)] = nil }

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

  /// The app has come to have another class, of which something may be kept.
  func classesChanged() {
    for store in open { store.keeper.classesChanged() }
  }
}

/// Opens databases for scripts.
struct Stores: StoreOpener {
  /// Whether databases are copies in memory, which are thrown away.
  let copies: Bool

  func open(_ name: String, at place: ScriptPlace?, in runtime: Runtime) throws -> DataObject {
    let table = try StoreTable.of(runtime)
    let store = try table.store(name, at: place, copying: copies, in: runtime)
    let context = runtime.context
    store.beginUse(in: context)
    // What is written in shared models and not confirmed is kept in the first one.
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
      // Mistakes are told wherever the script runs.
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

  func restore(_ copy: AnyObject, in runtime: Runtime) throws {
    guard let copy = copy as? StoreCopy else { return }
    let table = try StoreTable.of(runtime)
    for (name, contents) in copy.databases {
      let store = try table.store(name, at: nil, copying: false, in: runtime)
      do { try store.connection.fill(from: contents) } catch { throw error.error(name) }
      // Until a script opens it.
      table.hold(store)
    }
  }
}

extension Runtime.Configuration {
  /// Lets scripts keep models and lists in databases, by `store.open`, below the folders that
  /// ``LuaAccess/store`` names.
  ///
  /// ```swift
  /// var configuration = Runtime.Configuration()
  /// configuration.addStores()
  /// configuration.lua.access.store = ["data"]
  /// let runtime = try Runtime(app: URL(filePath: "app.lua"), configuration: configuration)
  /// ```
  ///
  /// - Parameter copies: whether scripts work on copies in memory, which are thrown away: the files
  ///   stay as they are.
  public mutating func addStores(copying copies: Bool = false) { stores = Stores(copies: copies) }
}
