import CTideSQLite

/// The names of a query's columns that follow from its text alone, such as in `SELECT id, title AS
/// name FROM book`.
///
/// SQLite reads the query with placeholder tables, which get the missing columns.
enum NamedColumns {
  /// A placeholder for columns that only `*` selects.
  private static let unnamed = "*"
  /// The most missing tables and columns.
  private static let mostMissing = 100

  /// Nil for a query with `*`, and for one that SQLite cannot read in this way.
  static func names(of sql: String, in connection: SQLiteConnection) -> [String]? {
    let names = prepared(sql, in: connection) { $0.columns.map(\.name) }
    return names?.contains(unnamed) == true ? nil : names
  }

  /// The names of a statement's parameters; nil for one that SQLite cannot read in this way.
  static func parameters(of sql: String, in connection: SQLiteConnection) -> [String?]? {
    prepared(sql, in: connection) { $0.parameterNames }
  }

  /// Reads something of a statement that SQLite prepares with placeholder tables.
  private static func prepared<Result>(
    _ sql: String, in connection: SQLiteConnection, _ read: (SQLiteStatement) -> Result
  ) -> Result? {
    try? connection.using { (connection) throws(SQLiteFailure) -> Result? in
      var tables = MadeUpTables()
      for _ in 0..<mostMissing {
        do throws(SQLiteFailure) {
          return read(try connection.statement(sql))
        } catch {
          let changes = tables.changes(for: error.message)
          if changes.isEmpty { return nil }
          for change in changes { _ = try connection.rows(change) }
        }
      }
      return nil
    }
  }

  private struct MadeUpTables {
    private var names: [String] = []
    private var columns: Set<[String]> = []

    /// The statements that add a missing table or column; empty for other errors.
    mutating func changes(for failure: String) -> [String] {
      if let table = missing("table", failure) {
        names.append(table)
        return ["CREATE TABLE \(quoted(table)) (\(quoted(unnamed)))"]
      }
      if let (table, column) = missingInserted(failure) { return add(column, to: [table][...]) }
      guard let column = missing("column", failure) else { return [] }
      // It does not matter which table gets the column. An alias may stand for any of them.
      guard let dot = column.firstIndex(of: ".") else { return add(column, to: names.prefix(1)) }
      return add(String(column[column.index(after: dot)...]), to: names[...])
    }

    private mutating func add(_ column: String, to tables: ArraySlice<String>) -> [String] {
      tables.filter { columns.insert([$0, column]).inserted }
        .map { "ALTER TABLE \(quoted($0)) ADD COLUMN \(quoted(column))" }
    }
  }

  private static func missing(_ kind: String, _ failure: String) -> String? {
    let start = "no such \(kind): "
    guard failure.hasPrefix(start) else { return nil }
    return String(failure.dropFirst(start.utf8.count))
  }

  /// The table and the column of `table book has no column named title`.
  private static func missingInserted(_ failure: String) -> (table: String, column: String)? {
    guard failure.hasPrefix("table "), let middle = failure.firstRange(of: " has no column named ")
    else { return nil }
    return (
      String(failure[..<middle.lowerBound].dropFirst("table ".count)),
      String(failure[middle.upperBound...])
    )
  }

  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }
}
