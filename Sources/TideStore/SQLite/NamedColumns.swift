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
    try? connection.using { (connection) throws(SQLiteFailure) in
      var tables = MadeUpTables()
      for _ in 0..<mostMissing {
        do throws(SQLiteFailure) {
          let names = try connection.statement(sql).columns.map(\.name)
          return names.contains(unnamed) ? nil : names
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

  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }
}
