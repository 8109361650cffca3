import CSQLite
import TideBindings
import TideScript
import TideSystem

// Migrations of a database, and flushing it to disk.
extension Store {
  /// Migrates the file to the last version. Each version is a text of SQL statements.
  ///
  /// - Throws: `store` if the file has a later version.
  func migrate(_ versions: [String]) throws {
    try use { (connection) throws(SQLiteFailure) in
      // Serializes two programs that start at the same time.
      try connection.configure("BEGIN IMMEDIATE")
      do throws(SQLiteFailure) {
        let known = max(0, try connection.number("PRAGMA user_version"))
        if known > versions.count {
          throw SQLiteFailure(
            code: SQLITE_MISMATCH,
            message:
              "the database is of version \(known), and this script knows \(versions.count) of them; "
              + "run the newer script that has made it")
        }
        for (index, sql) in versions.enumerated().dropFirst(known) {
          do throws(SQLiteFailure) { try connection.runAll(sql) } catch {
            throw SQLiteFailure(
              code: error.code, message: "migration \(index + 1): \(error.message)")
          }
          if !connection.isInTransaction {
            throw SQLiteFailure(
              code: SQLITE_MISUSE,
              message: "migration \(index + 1) ends its own transaction; leave COMMIT out")
          }
        }
        if known < versions.count {
          try connection.configure("PRAGMA user_version = \(versions.count)")
        }
        try connection.configure("COMMIT")
      } catch {
        if connection.isInTransaction { try? connection.configure("ROLLBACK") }
        throw error
      }
    }
    var all = StatementTables()
    all.changesSchema = true
    refresh(by: all)
  }

  /// Flushes all writes to disk.
  func flush() throws {
    if isInTransaction {
      throw TideError(
        .store, "a transaction is written when its function has ended; call db:flush() after it")
    }
    graph.settle()
    home.runtime?.sendSharedModels()
    // Edits are written even if the models cannot be, and the first error is thrown.
    let models = Result { try keeper.flush() }
    try flushEdits()
    try models.get()
    guard let file else { return }
    // Committed pages are in the log, which SQLite syncs at its next checkpoint, so the log is
    // synced here.
    for path in [file.path + "-wal", file.folder] {
      if let reason = SystemPath.bringToDisk(path) {
        throw TideError(.store, "\"\(name.inMessage)\": \(SystemText.of(reason))")
      }
    }
  }
}
