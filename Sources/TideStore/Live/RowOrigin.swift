import TideBindings
import TideScript

/// Finds columns of a query that show values of another row than the one that the key names.
///
///     SELECT a.id, b.title FROM page a JOIN page b ON b.id = a.parent
///
/// SQLite says of both columns that they come from `page`, so a write by the key would change the
/// wrong row. The same holds for `UNION` and subqueries. Where a query reads its table in several
/// places, the row that it shows is compared with the row of the table, before a write and after.
/// Each comparison runs the query, so that writing many rows of such a query takes long. A column that
/// is right for one row may be wrong for another, so no comparison can be left out.
final class RowOrigin {
  private let query: Query
  private var knownDoubt: Bool?

  init(_ query: Query) { self.query = query }

  static func refusal(of column: SQLiteStatement.Column, in table: String) -> String {
    "\"\(column.name.inMessage)\" of this query may be of another row of \(table.inMessage) than the key, as "
      + "in a join of a table with itself; change it by db:run"
  }

  /// Whether the query reads a table in several places.
  func isDoubtful(_ table: String, in store: Store) throws -> Bool {
    if let knownDoubt { return knownDoubt }
    let found = try store.use { (connection) throws(SQLiteFailure) in
      try connection.readsInSeveralPlaces(table, query)
    }
    knownDoubt = found
    return found
  }

  /// The columns that show something else than the row of the table.
  ///
  /// - Parameters:
  ///   - indexes: the columns to compare.
  ///   - present: their values in the table.
  ///   - keys: the key's columns and values.
  func mixed(
    _ indexes: [Int], _ present: [SQLiteValue], _ keys: [(column: Int, value: SQLiteValue)],
    in store: Store
  ) throws -> [Int] {
    let names = query.columns.indices.map { "c\($0)" }.joined(separator: ", ")
    let test = keys.map { "c\($0.column) IS \($0.value.literal)" }.joined(separator: " AND ")
    // Without a comment after its semicolon.
    let statement = try store.use { (connection) throws(SQLiteFailure) in
      try connection.statement(query.sql).sql
    }
    let text = String(statement.reversed().drop { $0.isWhitespace || $0 == ";" }.reversed())
    // A comment may end the query.
    let sql = """
      WITH q(\(names)) AS (\(text)
      ) SELECT \(indexes.map { "c\($0)" }.joined(separator: ", ")) FROM q WHERE \(test)
      """
    let rows = try store.use { (connection) throws(SQLiteFailure) in
      try connection.rows(sql, query.parameters)
    }
    return indexes.indices.filter { index in rows.contains { $0[index] != present[index] } }
      .map { indexes[$0] }
  }
}

extension SQLiteConnection {
  /// Whether a query reads a table in several places, as in a self-join.
  fileprivate func readsInSeveralPlaces(
    _ table: String, _ query: Query
  ) throws(SQLiteFailure) -> Bool {
    let plan = try rows("EXPLAIN QUERY PLAN \(query.sql)", query.parameters).compactMap {
      row -> String? in
      if case .text(let detail)? = row.last { detail } else { nil }
    }
    func count(_ words: [String]) -> Int {
      plan.count { detail in words.contains { detail.hasPrefix($0) } }
    }
    if count(["COMPOUND ", "MERGE "]) > 0 { return true }
    if count(["SCAN ", "SEARCH "]) < 2 { return false }
    // A subquery that is read once may be shown in several places.
    if count(["MATERIALIZE ", "CO-ROUTINE "]) > 0 { return true }
    // Each place has a cursor of the table, or one of an index with all that it needs.
    var pages: [SQLiteValue: Bool] = [:]
    let name = SQLiteValue.text(table)
    for row in try rows(
      "SELECT rootpage, type = 'table' FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE",
      .positions([name]))
    { pages[row[0]] = row[1] == .integer(1) }
    var (tables, indexes) = (0, 0)
    for row in try rows("EXPLAIN \(query.sql)", query.parameters) where row[1] == .text("OpenRead")
    {
      guard let isTable = pages[row[3]] else { continue }
      if isTable { tables += 1 } else { indexes += 1 }
    }
    let covers = plan.contains { $0.contains("COVERING INDEX") }
    return tables > 1 || indexes > (tables > 0 && covers ? 0 : 1)
  }
}

extension SQLiteValue {
  /// The value as part of a statement.
  fileprivate var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .number(let number): number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : "\(number)"
    case .text(let text): "CAST(x'\(Self.digits(text.utf8))' AS TEXT)"
    case .bytes(let bytes): "x'\(Self.digits(bytes))'"
    }
  }

  private static func digits(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
