import CSQLite
import TideBindings
import TideGraph
import TideScript

/// Updates one row of a table.
struct RowWriting {
  let table: String
  private let keys: [RowLosses.Key]

  init(_ table: String, _ keys: [RowLosses.Key]) { (self.table, self.keys) = (table, keys) }

  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  private var test: String {
    keys.map { "\(Self.quoted($0.column)) IS ?" }.joined(separator: " AND ")
  }

  /// The names of a table's columns in lower case; empty for an unknown table.
  static func columns(of table: String, in store: Store) throws -> Set<String> {
    let rows = try store.use { (connection) throws(SQLiteFailure) in
      try connection.rows("PRAGMA table_xinfo(\(quoted(table)))")
    }
    return Set(
      rows.compactMap { if case .text(let name) = $0[1] { name.lowercased() } else { nil } })
  }

  /// Whether the row is in its table.
  func exists(in store: Store) throws -> Bool {
    try present(keys.map(\.column), in: store) != nil
  }

  /// The number that SQLite gives to the row; nil if the row does not exist.
  ///
  /// - Throws: an error if the table has no rowids.
  func rowID(in store: Store) throws -> Int? {
    let row = try store.use { (connection) throws(SQLiteFailure) in
      try connection.rows(
        "SELECT _rowid_ FROM \(Self.quoted(table)) WHERE \(test)",
        .positions(keys.map(\.value))
      ).first
    }
    if case .integer(let number)? = row?.first { return number }
    return nil
  }

  /// Whether the table has rowids.
  func hasRowIDs(in store: Store) -> Bool {
    let rows = try? store.use { (connection) throws(SQLiteFailure) in
      try connection.rows("SELECT _rowid_ FROM \(Self.quoted(table)) LIMIT 0")
    }
    return rows != nil
  }

  var removedText: String {
    "the row has been removed from \(table.inMessage)"
  }

  /// The current values of columns; nil if the row does not exist.
  func present(_ names: [String], in store: Store) throws -> [SQLiteValue]? {
    let list = names.map(Self.quoted).joined(separator: ", ")
    return try store.use { (connection) throws(SQLiteFailure) in
      try connection.rows(
        "SELECT \(list) FROM \(Self.quoted(table)) WHERE \(test)",
        .positions(keys.map(\.value))
      ).first
    }
  }

  /// - Throws: `store` if the key matches no row, or several.
  func write(_ sets: [(column: String, value: SQLiteValue)], to store: Store) throws {
    let list = sets.map { "\(Self.quoted($0.column)) = ?" }.joined(separator: ", ")
    let outcome = try store.run(
      "UPDATE \(Self.quoted(table)) SET \(list) WHERE \(test)",
      .positions(sets.map(\.value) + keys.map(\.value)))
    if outcome.changes == 0 {
      throw TideError(.store, removedText)
    }
    if outcome.changes > 1 {
      throw TideError(
        .store,
        "\(outcome.changes) rows of \(table) have this key; choose a key column that is unique")
    }
  }

  /// Identifies a column of the row among all databases.
  func place(_ column: String, in store: Store) -> RowLosses.Place {
    RowLosses.Place(file: store.fileName ?? "", table: table, keys: keys, column: column)
  }
}

extension SQLiteStatement.Column {
  /// A value of the database as scripts see it.
  func value(_ value: SQLiteValue) -> Value {
    switch value {
    case .null: .null
    case .integer(let number): holdsFlags ? .boolean(number != 0) : .integer(number)
    case .number(let number): .number(number)
    case .text(let text): .string(text)
    case .bytes(let bytes): .bytes(bytes)
    }
  }
}

extension SQLiteValue {
  /// A script's value as the database stores it.
  ///
  /// - Throws: `store` for a value that a column cannot hold.
  init(_ value: Value, of column: SQLiteStatement.Column? = nil) throws(TideError) {
    switch value {
    case .number(let number) where number.isNaN: throw Self.notANumber
    case .null: self = .null
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let number): self = .integer(number)
    case .number(let number):
      if number.isNaN { throw Self.notANumber }
      self = .number(number)
    case .string(let text): self = .text(text)
    case .bytes(let bytes): self = .bytes(bytes)
    case .object(let object) where object === Marker.null: self = .null
    case .object:
      throw TideError(
        .store,
        "a database holds texts, numbers, booleans and nil, not \(value.literal); keep objects by db:keep, or as text by json.encode"
      )
    }
  }

  /// Not representable: SQLite would store NULL instead.
  static let notANumber = TideError(
    .store, "a database cannot hold nan, which is no number (0/0 gives it); store nil instead")
}
