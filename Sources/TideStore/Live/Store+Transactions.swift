import TideBindings
import TideScript

// Transactions of scripts, and the updates after them.
extension Store {
  /// Runs a function in a transaction; if the function throws, everything is rolled back.
  func transaction(_ body: () throws -> Void) throws {
    let isOutermost = transactionDepth == 0
    if isOutermost { forgetWrites() }
    let inserted = inserted
    let point = "tide_\(transactionDepth)"
    let (steps, endings) = (rollbackSteps.count, commitSteps.count)
    try use { (connection) throws(SQLiteFailure) in
      try connection.configure(isOutermost ? "BEGIN IMMEDIATE" : "SAVEPOINT \(point)")
    }
    transactionDepth += 1
    do {
      try body()
      if isOutermost, rollbackReason == nil {
        reviewRemovals()
        try keeper.write()
      }
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
      self.inserted.roll(backTo: inserted)
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
    if isOutermost {
      (rollbackReason, rollbackSteps, commitSteps) = (nil, [], [])
      forgetWrites()
    }
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
  func noteWriting(_ outcome: StatementOutcome, _ effects: LastingEffects?) {
    let tables = outcome.tables
    inserted.add(outcome.inserted)
    unreviewed.addWrites(of: tables)
    if transactionDepth > 0 { return written.addWrites(of: tables) }
    reviewRemovals()
    forgetWrites()
    if tables.changesAnything { effects?.note("db:run", name) }
    refresh(byOwn: tables)
  }

  private func forgetWrites() {
    (written, unreviewed) = (StatementTables(), StatementTables())
    inserted.removeAll()
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

  // MARK: Removed rows

  /// Finds the removed rows of lists that may have edits, before other rows can have their keys.
  func reviewRemovals() {
    let tables = unreviewed
    unreviewed = StatementTables()
    if !tables.mayRemoveRows, tables.inserted.isEmpty { return }
    for list in queries(QueryList.self) { list.reviewRemovals(by: tables) }
  }

  /// Reviews removed rows if a statement may give their keys to other rows.
  func reviewRemovals(before sql: String) {
    // The writes of edits rarely change keys.
    if !unreviewed.mayRemoveRows || isWritingEdits { return }
    let next = try? use { (connection) throws(SQLiteFailure) in try connection.statement(sql).tables
    }
    guard let next, !next.written.isEmpty else { return }
    let isNeeded = queries(QueryList.self).contains { $0.mayLoseRows(by: unreviewed, before: next) }
    if isNeeded { reviewRemovals() }
  }
}
