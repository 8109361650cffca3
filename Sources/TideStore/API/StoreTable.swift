import TideBindings
public import TideScript
import TideSystem

/// The databases that a runtime has opened, by their files.
final class StoreTable {
  private var stores: [String: Weakly] = [:]
  private var hasMethods = false

  private struct Weakly {
    weak var store: Store?
  }

  static func of(_ runtime: Runtime) throws -> StoreTable {
    if let known = runtime.storeTable as? StoreTable { return known }
    let made = StoreTable()
    runtime.storeTable = made
    try runtime.addStoreMethods()
    return made
  }

  /// The database of a file, which is opened where it is not open.
  func store(_ name: String, at place: ScriptPlace?, in runtime: Runtime) throws -> Store {
    // One in memory is known by its name.
    let path = try place.map(Self.path)
    if let known = stores[path ?? name]?.store { return known }
    let made = try Store(name, at: path, in: runtime)
    stores[path ?? name] = Weakly(store: made)
    return made
  }

  /// The path of a place whose folder is held open: SQLite opens files, and those beside them, by
  /// paths.
  private static func path(of place: ScriptPlace) throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(place.folder)", &buffer, buffer.count - 1)
    guard count > 0 else {
      throw TideError(.store, "\"\(place.name.inMessage)\": \(SystemText.of(errno))")
    }
    let folder = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = folder == "/" ? "/" + place.name : folder + "/" + place.name
    var information = stat()
    if lstat(path, &information) == 0, information.st_mode & S_IFMT != S_IFREG {
      throw TideError(.store, "\"\(place.name.inMessage)\" is no file")
    }
    return path
  }
}

/// Opens databases for scripts.
struct Stores: StoreOpener {
  func open(_ name: String, at place: ScriptPlace?, in runtime: Runtime) throws -> DataObject {
    let table = try StoreTable.of(runtime)
    let store = try table.store(name, at: place, in: runtime)
    store.beginUse()
    // What is written in shared models and not confirmed is kept in the first one.
    if runtime.sharedKeeper == nil, let path = store.path {
      runtime.sharedKeeper = StoredSharing.begin(store, at: path)
    }
    runtime.context.own { [store] in store.endUse() }
    return store
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
  public mutating func addStores() { stores = Stores() }
}
