import CSQLite

/// The rows that the statements of a transaction have inserted, or have moved to another key, by
/// their rowids. They tell a new row from a removed one that had the same key, also where `REPLACE`
/// removed it.
///
///     DELETE 3, INSERT 3                  another row has the key 3: inserted
///     UPDATE OR REPLACE … SET id = 3      another row has the key 3: moved
struct InsertedRows {
  /// What has given a row its key.
  enum Origin {
    case inserted, moved
  }

  /// By table and rowid.
  typealias Origins = [String: [Int: Origin]]

  private struct Entry {
    /// The number of the last statement that gave the row its key.
    let statement: Int
    let origin: Origin
  }

  private var entries: [String: [Int: Entry]] = [:]
  /// The number of the last statement that inserted or moved rows. It never decreases.
  private(set) var lastStatement = 0

  /// The most rowids to keep of a table, and of a statement. An inserted row beyond them counts as
  /// the former row with its key.
  static let most = 1 << 16

  mutating func add(_ rows: Origins) {
    if rows.isEmpty { return }
    lastStatement += 1
    for (table, origins) in rows {
      for (number, origin) in origins where entries[table, default: [:]].count < Self.most {
        entries[table, default: [:]][number] = Entry(statement: lastStatement, origin: origin)
      }
    }
  }

  /// Whether rows of a table were inserted or moved after a statement.
  func has(_ table: String, after statement: Int) -> Bool {
    lastStatement > statement && entries[table] != nil
  }

  /// What has given a row its key after a statement; nil if it had the key before.
  func origin(of number: Int, in table: String, after statement: Int) -> Origin? {
    guard let entry = entries[table]?[number], entry.statement > statement else { return nil }
    return entry.origin
  }

  mutating func removeAll() { entries = [:] }

  /// Forgets what was inserted since a savepoint.
  mutating func roll(backTo former: InsertedRows) { entries = former.entries }
}

extension SQLiteConnection {
  /// Records the rows that statements of scripts insert.
  func recordInsertions() {
    sqlite3_update_hook(
      handle,
      { context, action, _, table, number in
        guard action == SQLITE_INSERT, let context, let table else { return }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
        connection.note(.inserted, of: Int(number), in: table)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Records the rows to which a running statement gives other rowids.
  ///
  /// Only while a statement runs that changes rows: SQLite empties a table at once only where
  /// nothing asks about its rows.
  func recordMoves(while body: () -> Int32) -> Int32 {
    tide_sqlite_watch_rows(
      handle,
      { context, _, action, _, table, former, number in
        guard action == SQLITE_UPDATE, former != number, let context, let table else { return }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
        connection.note(.moved, of: Int(number), in: table)
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { tide_sqlite_watch_rows(handle, nil, nil) }
    return body()
  }

  private func note(
    _ origin: InsertedRows.Origin, of number: Int, in table: UnsafePointer<CChar>
  ) {
    if isTrusted || insertedCount == InsertedRows.most { return }
    insertedCount += 1
    inserted[String(cString: table).lowercased(), default: [:]][number] = origin
  }

  /// Returns the rows that were inserted or moved since the last call, and forgets them.
  @discardableResult
  func takeInserted() -> InsertedRows.Origins {
    defer { (inserted, insertedCount) = ([:], 0) }
    return inserted
  }
}
