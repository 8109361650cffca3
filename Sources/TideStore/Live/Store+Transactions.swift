import TideBindings
import TideScript

// Transactions of scripts, and the updates after them.
extension Store {
  /// Runs a function in a transaction; if the function throws, everything is rolled back.
  func transaction(_ body: () throws -> Void) throws {
    let isOutermost = transactionDepth == 0
    if isOutermost { written = StatementTables() }
    let point = "tide_\(transactionDepth)"
    let (steps, endings) = (rollbackSteps.count, commitSteps.count)
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
      commitSteps.removeLast(commitSteps.count - endings)
      endTransaction(isKept: false)
      throw error
    }
    endTransaction(isKept: true)
  }

  /// Adds an undo step for a rollback of the open transaction.
  func onRollback(_ undo: @escaping () -> Void) {
    if isInTransaction { rollbackSteps.append(undo) }
  }

  /// Runs a function when the outermost transaction commits; now if none is open.
  func onCommit(_ body: @escaping () -> Void) {
    if isInTransaction { commitSteps.append(body) } else { body() }
  }

  /// Updates everything that follows the database to the outcome of a transaction. Scripts that run
  /// because of this are outside of the transaction.
  private func endTransaction(isKept: Bool) {
    transactionDepth -= 1
    let isOutermost = transactionDepth == 0
    let (endings, written) = (commitSteps, written)
    if isOutermost { (rollbackReason, rollbackSteps, commitSteps) = (nil, [], []) }
    if isOutermost || !isKept { keeper.settle(isKept: isKept) }
    if isOutermost { for ending in endings { ending() } }
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
    if !tables.deleted.isEmpty { reviewRemovals(from: tables.deleted) }
    if transactionDepth == 0 {
      if tables.changesAnything { effects?.note("db:run", name) }
      return refresh(byOwn: tables)
    }
    written.written.formUnion(tables.written)
    written.deleted.formUnion(tables.deleted)
    written.changesSchema = written.changesSchema || tables.changesSchema
  }

  /// Refreshes queries after a write of this program.
  func refresh(byOwn tables: StatementTables) {
    following(ownWrites: true) { refresh(by: tables) }
  }

  /// Runs a function that adopts what this program, or another one, has written.
  func following(ownWrites isOwn: Bool, _ body: () -> Void) {
    let outer = isRefreshingByOwn
    isRefreshingByOwn = isOwn
    defer { isRefreshingByOwn = outer }
    body()
  }

  /// Finds the rows that a statement has deleted, before others can have their keys.
  private func reviewRemovals(from tables: Set<String>) {
    for list in queries(QueryList.self) where !list.tables.read.isDisjoint(with: tables) {
      list.reviewRemovals()
    }
  }
}
