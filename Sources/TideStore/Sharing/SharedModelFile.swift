import TideBindings
import TideScript
import TideSystem

/// A shared model in a database, for all sessions of a process.
///
///     sessions ──▶ SharedModels ──▶ this ──▶ tide_shared_model: name │ list │ row │ document
///
/// It has its own connection and lock, because it outlives sessions. A database in memory belongs
/// to one session, so the model is only restored from it.
final class SharedModelFile: ConfirmedKeeper {
  private let store: String
  private let name: String
  /// Nil for a database in memory.
  private let connection: SQLiteConnection?
  /// Held as long as the process keeps the model.
  private let lock: KeeperLock?
  private let restored: [SharingKey: [UInt8]]

  /// Thrown when another program keeps the model.
  struct HeldByAnother: Error {}

  /// - Throws: ``HeldByAnother``, or `store`.
  init(_ store: Store, _ name: String) throws {
    self.store = store.name
    self.name = name
    var lock: KeeperLock?
    if let path = store.filePath {
      let taken = KeeperLock(path)
      guard taken.take(name) else { throw HeldByAnother() }
      lock = taken
    }
    self.lock = lock
    do {
      connection = try store.openAnother()
      let connection = self.connection ?? store.connection
      try connection.configure(
        """
        CREATE TABLE IF NOT EXISTS tide_shared_model (
          name TEXT, list TEXT, row TEXT, document BLOB, PRIMARY KEY (name, list, row)) WITHOUT ROWID
        """)
      if self.connection != nil {
        try KeptTables(connection).put(keeper: Int(getpid()), on: KeeperLock.machine, of: name)
      }
      let known = try Self.documents(of: name, connection)
      restored = known.isEmpty ? try Self.takeOverPlain(name, connection) : known
    } catch let failure as SQLiteFailure {
      throw failure.error(store.name)
    }
  }

  private static func documents(
    of name: String, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> [SharingKey: [UInt8]] {
    var documents: [SharingKey: [UInt8]] = [:]
    let rows = try connection.rows(
      "SELECT list, row, document FROM tide_shared_model WHERE name = ?", .positions([.text(name)]))
    for row in rows {
      guard case .text(let list) = row[0], case .text(let id) = row[1],
        case .bytes(let bytes) = row[2]
      else { continue }
      documents[list.isEmpty && id.isEmpty ? .model : .row(list: list, id: id)] = bytes
    }
    return documents
  }

  /// Converts the plain model that was kept under the name to a shared one, if there is one.
  private static func takeOverPlain(
    _ name: String, _ connection: SQLiteConnection
  ) throws -> [SharingKey: [UInt8]] {
    let tables = KeptTables(connection)
    let values = try tables.values(of: name)
    if values[""] != nil {
      throw TideError(
        .store,
        "what is kept as \"\(name.inMessage)\" is a list, and no model; keep the shared model under "
          + "another name")
    }
    var plain = SharedImport { try tables.bytes(ofObject: $0) }
    for (property, value) in values {
      switch value {
      case .bytes(let bytes): try plain.add(property: property, bytes)
      case .rows:
        plain.add(list: property)
        for row in try tables.rows(of: .init(object: name, property: property)) {
          try plain.add(row: row.bytes, row.id, order: row.place, to: property)
        }
      }
    }
    let documents = plain.documents
    try connection.inTransaction { () throws(SQLiteFailure) in
      for (key, bytes) in documents { try save(name, key, bytes, connection) }
      for property in values.keys { try tables.remove(at: .init(object: name, property: property)) }
    }
    return documents
  }

  func load() -> [SharingKey: [UInt8]] { restored }

  func save(_ documents: [SharingKey: [UInt8]?]) throws {
    guard let connection else { return }
    do throws(SQLiteFailure) {
      try connection.inTransaction { () throws(SQLiteFailure) in
        for (key, bytes) in documents { try Self.save(name, key, bytes, connection) }
      }
    } catch {
      throw error.error(store)
    }
  }

  private static func save(
    _ name: String, _ key: SharingKey, _ bytes: [UInt8]?, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    var names: [SQLiteValue] = [.text(name), .text(""), .text("")]
    if case .row(let list, let id) = key { names = [.text(name), .text(list), .text(id)] }
    if let bytes {
      try connection.runOwn(
        "INSERT OR REPLACE INTO tide_shared_model VALUES (?, ?, ?, ?)", names + [.bytes(bytes)])
    } else {
      try connection.runOwn(
        "DELETE FROM tide_shared_model WHERE name = ? AND list = ? AND row = ?", names)
    }
  }
}

extension ModelKeeper {
  /// Keeps a shared model for the whole process.
  ///
  /// - Returns: false if another program keeps it.
  func keepShared(_ object: DataObject, as name: String, in runtime: Runtime) throws -> Bool {
    if store.isInTransaction {
      throw TideError(
        .store,
        "a shared model is kept outside of transactions, because it is not part of one; call db:keep "
          + "before db:transaction")
    }
    if kept[name] != nil {
      throw TideError(
        .store,
        "something else is kept as \"\(name.inMessage)\" already; give the model another name")
    }
    let place = SharedPlace(file: store.sharedFile, database: store.name, name: name)
    do {
      if try runtime.keepShared(object, at: place, { try SharedModelFile(store, name) }) {
        return true
      }
    } catch is SharedModelFile.HeldByAnother { return false }
    return try keepCopy(of: name, in: runtime)
  }

  /// Keeps a local copy of a model whose engine is a server.
  private func keepCopy(of name: String, in runtime: Runtime) throws -> Bool {
    guard let path = store.filePath else { return true }
    if runtime.sharedKeeper == nil { StoredSharing.begin(store, at: path, in: runtime) }
    if let keeper = runtime.sharedKeeper as? StoredSharing {
      if keeper.store === store { return true }
      throw TideError(
        .store,
        "shared models are kept in \"\(keeper.store.name.inMessage)\" already, the first database that the "
          + "program has opened; keep \"\(name.inMessage)\" there")
    }
    // Another session of this program keeps the copy, and this session will follow.
    return StoredSharing.holder(at: path) == Int(getpid())
  }
}
