import TideBindings
import TideScript

// Transactions of scripts, and the updates after them.
extension Store {
  /// Runs a function in a transaction; if the function throws, everything is rolled back.
  func transaction(_ body: () throws -> Void) throws {
    let isOutermost = transactionDepth == 0
    if isOutermost { written = StatementTables() }
    let point = "tide_\(transactionDepth)"
    let steps = rollbackSteps.count
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
      // SQLite may already have ended the transaction.
      if connection.isInTransaction {
        try? connection.configure(
          isOutermost ? "ROLLBACK" : "ROLLBACK TO \(point); RELEASE \(point)")
      }
      while rollbackSteps.count > steps { rollbackSteps.removeLast()() }
      endTransaction(isKept: false)
      throw error
    }
    endTransaction(isKept: true)
  }

  /// Adds an undo step for a rollback of the open transaction.
  func onRollback(_ undo: @escaping () -> Void) { rollbackSteps.append(undo) }

  /// Updates everything that follows the database to the outcome of a transaction. Scripts that run
  /// because of this are outside of the transaction.
  private func endTransaction(isKept: Bool) {
    transactionDepth -= 1
    let isOutermost = transactionDepth == 0
    if isOutermost { (rollbackReason, rollbackSteps) = (nil, []) }
    if isOutermost || !isKept { keeper.settle(isKept: isKept) }
    // Also after a rollback, since reads within the transaction may have shown rows that no longer
    // exist.
    if isOutermost {
      if isKept, written.changesAnything {
        home.runtime?.lastingEffects.note("db:transaction", name)
      }
      refresh(byOwn: written)
    }
  }

  /// Updates everything that depends on written tables, or leaves that to the end of the
  /// transaction.
  ///
  /// - Parameter effects: the effects of the handler that has written.
  func noteWriting(_ tables: StatementTables, _ effects: LastingEffects?) {
    if transactionDepth == 0 {
      if tables.changesAnything { effects?.note("db:run", name) }
      return refresh(byOwn: tables)
    }
    written.written.formUnion(tables.written)
    written.changesSchema = written.changesSchema || tables.changesSchema
  }
}
