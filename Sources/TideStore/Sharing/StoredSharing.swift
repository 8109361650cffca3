import TideBindings
import TideScript
import TideSystem

/// Persists shared models in a database, so that offline writes survive the program.
///
/// Only one program at a time persists its models in a file, since two would confuse their writes.
/// A second program runs without persistence.
final class StoredSharing: SharedKeeper {
  let store: Store
  private var hasTable = false
  private let lock: Int32

  private init(_ store: Store, lock: Int32) { (self.store, self.lock) = (store, lock) }

  /// Keeps shared models in a database, unless another program does. If another session of this
  /// program does, this session takes over when that one ends.
  static func begin(_ store: Store, at path: String, in runtime: Runtime) {
    if let made = make(store, at: path) {
      runtime.sharedKeeper = made
    } else if holder(at: path) == Int(getpid()) {
      runtime.loop.after(interval, keepsRunning: false) { [weak store, weak runtime] in
        guard let store, let runtime, runtime.sharedKeeper == nil else { return }
        begin(store, at: path, in: runtime)
      }
    }
  }

  /// Seconds between checks whether the keeping session has ended.
  private static let interval = 1.0

  /// The process that keeps the shared models; nil if unknown.
  static func holder(at path: String) -> Int? {
    let file = open(path + "-sharing", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? Int(String(decoding: bytes[..<count], as: UTF8.self)) : nil
  }

  private static func make(_ store: Store, at path: String) -> StoredSharing? {
    let lock = open(path + "-sharing", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    // Without such a file, or without locks, as on some network file systems, another program
    // cannot be detected.
    if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      close(lock)
      return nil
    }
    if lock >= 0, ftruncate(lock, 0) == 0 {
      let text = Array("\(getpid())".utf8)
      _ = write(lock, text, text.count)
    }
    return StoredSharing(store, lock: lock)
  }

  deinit { if lock >= 0 { close(lock) } }

  private func makeTable() throws {
    if hasTable { return }
    try store.use { (connection) throws(SQLiteFailure) in
      try connection.configure(
        """
        CREATE TABLE IF NOT EXISTS tide_shared (
          model TEXT, list TEXT, row TEXT, entry BLOB, PRIMARY KEY (model, list, row)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS tide_origins (model TEXT PRIMARY KEY, name TEXT, revision INTEGER)
        """)
    }
    hasTable = true
  }

  func load(_ model: String) throws -> (origin: SharingOrigin?, entries: [SharingKey: [UInt8]]) {
    try makeTable()
    return try store.use { (connection) throws(SQLiteFailure) in
      var origin: SharingOrigin?
      let origins = try connection.rows(
        "SELECT name, revision FROM tide_origins WHERE model = ?", .positions([.text(model)]))
      if case .text(let name)? = origins.first?[0], case .integer(let revision)? = origins.first?[1]
      {
        origin = SharingOrigin(name: name, revision: revision)
      }
      var entries: [SharingKey: [UInt8]] = [:]
      let rows = try connection.rows(
        "SELECT list, row, entry FROM tide_shared WHERE model = ?", .positions([.text(model)]))
      for row in rows {
        guard case .text(let list) = row[0], case .text(let id) = row[1],
          case .bytes(let bytes) = row[2]
        else { continue }
        entries[list.isEmpty && id.isEmpty ? .model : .row(list: list, id: id)] = bytes
      }
      return (origin, entries)
    }
  }

  func save(_ model: String, _ origin: SharingOrigin?, _ entries: [SharingKey: [UInt8]?]) throws {
    try makeTable()
    try store.use { (connection) throws(SQLiteFailure) in
      try connection.inTransaction { () throws(SQLiteFailure) in
        for (key, bytes) in entries { try Self.save(model, key, bytes, connection) }
        if let origin {
          try connection.runOwn(
            "INSERT OR REPLACE INTO tide_origins VALUES (?, ?, ?)",
            [.text(model), .text(origin.name), .integer(origin.revision)])
        }
      }
    }
  }

  private static func save(
    _ model: String, _ key: SharingKey, _ bytes: [UInt8]?, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    var (list, id) = ("", "")
    if case .row(let name, let row) = key { (list, id) = (name, row) }
    let names: [SQLiteValue] = [.text(model), .text(list), .text(id)]
    if let bytes {
      try connection.runOwn(
        "INSERT OR REPLACE INTO tide_shared VALUES (?, ?, ?, ?)", names + [.bytes(bytes)])
    } else {
      try connection.runOwn(
        "DELETE FROM tide_shared WHERE model = ? AND list = ? AND row = ?", names)
    }
  }
}
