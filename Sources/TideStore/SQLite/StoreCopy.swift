import CSQLite
import CTideSQLite
import TideBindings

/// Copies of databases in memory, which outlive their runtime.
///
/// A spec passes them to the person's next session.
final class StoreCopy {
  /// The copies, with the names by which scripts have opened the databases.
  private(set) var databases: [(name: String, contents: SQLiteConnection)] = []

  /// Copies the given databases that are in memory.
  init(of databases: [DataObject]) throws(TideError) {
    for case let store as Store in databases where store.filePath == nil {
      do {
        let copy = try SQLiteConnection(":memory:", .inMemory, patience: 0)
        try copy.fill(from: store.connection)
        self.databases.append((store.name, copy))
      } catch { throw error.error(store.name) }
    }
  }
}

extension SQLiteConnection {
  /// Replaces the contents of a database in memory with those of another one.
  func fill(from other: SQLiteConnection) throws(SQLiteFailure) {
    // The memory is not counted.
    var use = TideSQLiteUse()
    let failure = withUnsafeMutablePointer(to: &use) { use -> SQLiteFailure? in
      tide_sqlite_begin_use(use)
      defer { tide_sqlite_end_use(use) }
      guard let backup = sqlite3_backup_init(handle, "main", other.handle, "main") else {
        return SQLiteFailure(of: handle, sqlite3_errcode(handle))
      }
      let code = sqlite3_backup_step(backup, -1)
      _ = sqlite3_backup_finish(backup)
      return code == SQLITE_DONE ? nil : SQLiteFailure(of: handle, code)
    }
    if let failure { throw failure }
  }
}
