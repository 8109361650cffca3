import CSQLite

/// The rows that the statements of a transaction have inserted, by their rowids. They tell a new row
/// from a removed one that had the same key, also where `REPLACE` removed it.
struct InsertedRows {
  /// By table and rowid, the number of the last statement that inserted the row.
  private var statements: [String: [Int: Int]] = [:]
  /// The number of the last statement that inserted rows. It never decreases.
  private(set) var lastStatement = 0

  /// The most rowids to keep of a table, and of a statement. An inserted row beyond them counts as
  /// the former row with its key.
  static let most = 1 << 16

  mutating func add(_ rows: [String: Set<Int>]) {
    if rows.isEmpty { return }
    lastStatement += 1
    for (table, numbers) in rows {
      for number in numbers where statements[table, default: [:]].count < Self.most {
        statements[table, default: [:]][number] = lastStatement
      }
    }
  }

  /// Whether rows of a table were inserted after a statement.
  func has(_ table: String, after statement: Int) -> Bool {
    lastStatement > statement && statements[table] != nil
  }

  /// Whether a row was inserted after a statement.
  func contains(_ number: Int, in table: String, after statement: Int) -> Bool {
    (statements[table]?[number] ?? 0) > statement
  }

  mutating func removeAll() { statements = [:] }

  /// Forgets what was inserted since a savepoint.
  mutating func roll(backTo former: InsertedRows) { statements = former.statements }
}

extension SQLiteConnection {
  /// Records the rows that statements of scripts insert.
  func recordInsertions() {
    sqlite3_update_hook(
      handle,
      { context, action, _, table, number in
        guard action == SQLITE_INSERT, let context, let table else { return }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
        connection.noteInsertion(of: Int(number), into: table)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func noteInsertion(of number: Int, into table: UnsafePointer<CChar>) {
    if isTrusted || insertedCount == InsertedRows.most { return }
    insertedCount += 1
    inserted[String(cString: table).lowercased(), default: []].insert(number)
  }

  /// Returns the rows that were inserted since the last call, and forgets them.
  @discardableResult
  func takeInserted() -> [String: Set<Int>] {
    defer { (inserted, insertedCount) = ([:], 0) }
    return inserted
  }
}
