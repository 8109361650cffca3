/// The tables that a statement reads and those that it changes, its triggers included.
struct StatementTables {
  var read: Set<String> = []
  var written: Set<String> = []
  /// Whether it changes what tables there are.
  var changesSchema = false
  /// Why it may not be run.
  var refusal: String?

  var changesAnything: Bool { changesSchema || !written.isEmpty }

  /// Whether what a query of `self` gives may be another after the other has run.
  func depend(on other: StatementTables) -> Bool {
    other.changesSchema || !read.isDisjoint(with: other.written)
  }
}

/// What has come of a statement.
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
