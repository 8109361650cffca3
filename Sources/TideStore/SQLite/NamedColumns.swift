import CTideSQLite

/// The names that a query gives its columns itself, whatever its tables are:
/// `SELECT id, title AS name FROM book`.
///
/// SQLite reads the query beside tables that are made up of what it misses.
enum NamedColumns {
  /// Stands for the columns that nothing names, which `*` gives.
  private static let unnamed = "*"
  /// A query has fewer tables and columns.
  private static let mostMissing = 100

  /// Nil for a query with `*`, and for one that SQLite cannot read so.
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

    /// What makes up for what a statement misses; empty for anything else that is wrong with it.
    mutating func changes(for failure: String) -> [String] {
      if let table = missing("table", failure) {
        names.append(table)
        return ["CREATE TABLE \(quoted(table)) (\(quoted(unnamed)))"]
      }
      guard let column = missing("column", failure) else { return [] }
      // Which of the tables has it makes no difference. One of an alias may be any of them.
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
