import TideBindings
import TideScript

// Transactions of scripts, and what shows what they have come to.
extension Store {
  /// Runs a function in a transaction; if the function throws, everything is rolled back.
  func transaction(_ body: () throws -> Void) throws {
    let isOutermost = transactionDepth == 0
    if isOutermost { written = StatementTables() }
    let point = "tide_\(transactionDepth)"
    try use { (connection) throws(SQLiteFailure) in
      try connection.configure(isOutermost ? "BEGIN IMMEDIATE" : "SAVEPOINT \(point)")
    }
    transactionDepth += 1
    do {
      try body()
      if isOutermost, rollbackReason == nil { try keeper.write() }
      try use { (connection) throws(SQLiteFailure) in
        try connection.configure(isOutermost ? "COMMIT" : "RELEASE \(point)")
      }
    } catch {
      // Some failures have ended it already.
      if connection.isInTransaction {
        try? connection.configure(
          isOutermost ? "ROLLBACK" : "ROLLBACK TO \(point); RELEASE \(point)")
      }
      endTransaction(isKept: false)
      throw error
    }
    endTransaction(isKept: true)
  }

  /// Has what follows the database show what a transaction has come to. What scripts run then is
  /// outside of it.
  private func endTransaction(isKept: Bool) {
    transactionDepth -= 1
    let isOutermost = transactionDepth == 0
    if isOutermost { rollbackReason = nil }
    if isOutermost || !isKept { keeper.settle(isKept: isKept) }
    // After a rollback, too: what was asked within it shows what is not there any more.
    if isOutermost {
      if isKept, written.changesAnything {
        home.runtime?.lastingEffects.note("db:transaction", name)
      }
      refresh(by: written)
    }
  }

  /// Brings what depends on written tables up to date, or has the end of the transaction do so.
  ///
  /// - Parameter effects: of the handler that has written.
  func noteWriting(_ tables: StatementTables, _ effects: LastingEffects?) {
    if transactionDepth == 0 {
      if tables.changesAnything { effects?.note("db:run", name) }
      return refresh(by: tables)
    }
    written.written.formUnion(tables.written)
    written.changesSchema = written.changesSchema || tables.changesSchema
  }
}
