/// Where a database has what is kept: a row for each property, and one for each row of a list.
///
///     tide_kept       object │ property │ value         NULL: its rows are in the other table
///     tide_kept_row   object │ property │ id │ place │ value
///
/// A list's rows stand in the order of their places. There is one transaction at a time.
struct KeptTables {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) { self.connection = connection }

  func make() throws(SQLiteFailure) {
    try connection.configure(
      """
      CREATE TABLE IF NOT EXISTS tide_kept (
        object TEXT, property TEXT, value BLOB, PRIMARY KEY (object, property)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS tide_kept_row (
        object TEXT, property TEXT, id INTEGER, place TEXT, value BLOB,
        PRIMARY KEY (object, property, id)) WITHOUT ROWID;
      """)
  }

  /// What is known of an object, by property.
  func values(of object: String) throws(SQLiteFailure) -> [String: Value] {
    var values: [String: Value] = [:]
    let rows = try connection.rows(
      "SELECT property, value FROM tide_kept WHERE object = ?", .positions([.text(object)]))
    for row in rows {
      guard case .text(let property) = row[0] else { continue }
      if case .bytes(let bytes) = row[1] {
        values[property] = .bytes(bytes)
      } else {
        values[property] = .rows
      }
    }
    return values
  }

  enum Value {
    case bytes([UInt8])
    case rows
  }

  /// A row of a list.
  struct Row {
    let id: Int
    let place: String
    let bytes: [UInt8]
  }

  /// A list's rows in their order.
  func rows(of address: Address) throws(SQLiteFailure) -> [Row] {
    try connection.rows(
      """
      SELECT id, place, value FROM tide_kept_row WHERE object = ? AND property = ?
      ORDER BY place, id
      """, .positions(address.values)
    ).compactMap { row in
      guard case .integer(let id) = row[0], case .text(let place) = row[1],
        case .bytes(let bytes) = row[2]
      else { return nil }
      return Row(id: id, place: place, bytes: bytes)
    }
  }

  /// Where a property, or a list that is kept by itself, has what is kept of it.
  struct Address {
    let object: String
    /// Empty for such a list.
    let property: String

    fileprivate var values: [SQLiteValue] { [.text(object), .text(property)] }
  }

  // MARK: Writing

  func put(_ value: Value, at address: Address) throws(SQLiteFailure) {
    let stored: SQLiteValue = if case .bytes(let bytes) = value { .bytes(bytes) } else { .null }
    try connection.runOwn(
      "INSERT OR REPLACE INTO tide_kept VALUES (?, ?, ?)", address.values + [stored])
  }

  func put(_ row: Row, at address: Address) throws(SQLiteFailure) {
    try connection.runOwn(
      "INSERT OR REPLACE INTO tide_kept_row VALUES (?, ?, ?, ?, ?)",
      address.values + [.integer(row.id), .text(row.place), .bytes(row.bytes)])
  }

  func move(_ id: Int, to place: String, at address: Address) throws(SQLiteFailure) {
    try connection.runOwn(
      "UPDATE tide_kept_row SET place = ? WHERE object = ? AND property = ? AND id = ?",
      [.text(place)] + address.values + [.integer(id)])
  }

  func remove(_ id: Int, at address: Address) throws(SQLiteFailure) {
    try connection.runOwn(
      "DELETE FROM tide_kept_row WHERE object = ? AND property = ? AND id = ?",
      address.values + [.integer(id)])
  }

  func removeRows(at address: Address) throws(SQLiteFailure) {
    try connection.runOwn(
      "DELETE FROM tide_kept_row WHERE object = ? AND property = ?", address.values)
  }
}
