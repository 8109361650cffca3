/// The tables that a statement reads and writes, including those of its triggers.
struct StatementTables {
  var read: Set<String> = []
  var written: Set<String> = []
  /// Those of the written tables from which it deletes rows.
  var deleted: Set<String> = []
  /// Whether it changes the schema.
  var changesSchema = false
  /// Why it may not run.
  var refusal: String?

  var changesAnything: Bool { changesSchema || !written.isEmpty }

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

  static func run(
    _ sql: String, _ parameters: SQLiteParameters, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> StatementOutcome {
    let tables = try connection.run(sql, parameters)
    let changes = tables.written.isEmpty ? 0 : connection.changeCount
    return StatementOutcome(changes: changes, lastRowID: connection.lastRowID, tables: tables)
  }
}
