/// The tables that a statement reads and writes, including those of its triggers.
struct StatementTables {
  var read: Set<String> = []
  var written: Set<String> = []
  /// The written tables from which it deletes rows, or may do so by `REPLACE`.
  var deleted: Set<String> = []
  /// The written tables into which it inserts rows.
  var inserted: Set<String> = []
  /// By table, the columns to which it gives values in existing rows.
  var assigned: [String: Set<String>] = [:]
  /// Whether it changes the schema.
  var changesSchema = false
  /// Why it may not run.
  var refusal: String?

  var changesAnything: Bool { changesSchema || !written.isEmpty }

  /// Whether it may remove rows, or change their keys.
  var mayRemoveRows: Bool { !deleted.isEmpty || !assigned.isEmpty }

  /// Whether it gives values to some columns of existing rows.
  func assigns(_ columns: Set<String>, of table: String) -> Bool {
    assigned[table].map { !$0.isDisjoint(with: columns) } ?? false
  }

  /// Adds what another statement writes.
  mutating func addWrites(of other: StatementTables) {
    written.formUnion(other.written)
    deleted.formUnion(other.deleted)
    inserted.formUnion(other.inserted)
    assigned.merge(other.assigned) { $0.union($1) }
    changesSchema = changesSchema || other.changesSchema
  }

  /// `REPLACE` removes rows of which SQLite's authorizer is not told.
  mutating func noteReplacing() { deleted.formUnion(written) }

  /// Whether the results of a query of `self` may change after `other` has run.
  func depend(on other: StatementTables) -> Bool {
    other.changesSchema || !read.isDisjoint(with: other.written)
  }
}

/// The result of a statement.
struct StatementOutcome: Sendable {
  var changes = 0
  var lastRowID = 0
  var tables = StatementTables()
  /// The rows that it has inserted or moved; see ``InsertedRows``.
  var inserted: InsertedRows.Origins = [:]

  static func run(
    _ sql: String, _ parameters: SQLiteParameters, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> StatementOutcome {
    connection.takeInserted()
    let tables = try connection.run(sql, parameters)
    let changes = tables.written.isEmpty ? 0 : connection.changeCount
    return StatementOutcome(
      changes: changes, lastRowID: connection.lastRowID, tables: tables,
      inserted: connection.takeInserted())
  }
}
