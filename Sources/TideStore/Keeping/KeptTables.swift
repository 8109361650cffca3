import TideBindings
import TideSystem

/// The tables of kept models and lists: a row for each property, and one for each row of a list.
///
///     tide_kept       object │ property │ value         NULL: its rows are in the other table
///     tide_kept_row   object │ property │ id │ place │ value
///     tide_kept_object   id │ value        objects that several of the others refer to
///
/// A list's rows are ordered by place. Only one transaction is open at a time.
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
      CREATE TABLE IF NOT EXISTS tide_kept_object (id INTEGER PRIMARY KEY, value BLOB);
      CREATE TABLE IF NOT EXISTS tide_keeper (
        object TEXT PRIMARY KEY, process INTEGER, machine TEXT) WITHOUT ROWID;
      """)
  }

  /// The stored values of an object, by property.
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

  /// A list's rows in order.
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

  /// The key of a property, or of a list that is kept by itself.
  struct Address {
    let object: String
    /// Empty for a list that is kept by itself.
    let property: String

    fileprivate var values: [SQLiteValue] { [.text(object), .text(property)] }
  }

  /// The stored value of an object that several places refer to.
  func bytes(ofObject number: Int) throws(SQLiteFailure) -> [UInt8]? {
    let rows = try connection.rows(
      "SELECT value FROM tide_kept_object WHERE id = ?", .positions([.integer(number)]))
    guard case .bytes(let bytes)? = rows.first?.first else { return nil }
    return bytes
  }

  /// Removes objects without references. It considers only committed data, so it runs before
  /// anything is read.
  func removeUnreferred() throws(SQLiteFailure) {
    let all = try connection.rows("SELECT id, value FROM tide_kept_object")
    if all.isEmpty { return }
    var bodies: [Int: [UInt8]] = [:]
    for row in all {
      if case .integer(let number) = row[0], case .bytes(let bytes) = row[1] {
        bodies[number] = bytes
      }
    }
    var waiting: [Int] = []
    for table in ["tide_kept", "tide_kept_row"] {
      let holders = try connection.rows(
        "SELECT value FROM \(table) WHERE instr(value, CAST(? AS BLOB)) > 0",
        .positions([.text(Self.reference)]))
      for row in holders {
        if case .bytes(let bytes)? = row.first { waiting += Self.references(in: bytes) }
      }
    }
    while let number = waiting.popLast() {
      if let bytes = bodies.removeValue(forKey: number) { waiting += Self.references(in: bytes) }
    }
    for number in bodies.keys {
      try connection.runOwn("DELETE FROM tide_kept_object WHERE id = ?", [.integer(number)])
    }
  }

  private static let reference = "{\"$ref\": "

  /// The numbers of the objects that a value refers to. The mark cannot occur within a text, where
  /// its quotes are escaped.
  private static func references(in bytes: [UInt8]) -> [Int] {
    let mark = Array(reference.utf8)
    var found: [Int] = []
    var index = 0
    while index + mark.count < bytes.count {
      guard bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) else {
        index += 1
        continue
      }
      index += mark.count
      var number = 0
      while index < bytes.count, let digit = bytes[index].digit, number < 1 << 53 {
        number = 10 * number + digit
        index += 1
      }
      found.append(number)
    }
    return found
  }

  // MARK: Ownership

  /// The process that keeps an object, and its machine.
  func keeper(of object: String) throws(SQLiteFailure) -> (process: Int, machine: String)? {
    let rows = try connection.rows(
      "SELECT process, machine FROM tide_keeper WHERE object = ?", .positions([.text(object)]))
    guard case .integer(let process)? = rows.first?[0], case .text(let machine)? = rows.first?[1]
    else { return nil }
    return (process, machine)
  }

  func put(keeper process: Int, on machine: String, of object: String) throws(SQLiteFailure) {
    try connection.runOwn(
      "INSERT OR REPLACE INTO tide_keeper VALUES (?, ?, ?)",
      [.text(object), .integer(process), .text(machine)])
  }

  // MARK: Writing

  func put(_ bytes: [UInt8], ofObject number: Int) throws(SQLiteFailure) {
    try connection.runOwn(
      "INSERT OR REPLACE INTO tide_kept_object VALUES (?, ?)", [.integer(number), .bytes(bytes)])
  }

  /// Renames a class in all values. Returns the number of changed values.
  func rename(_ name: String, to other: String) throws(SQLiteFailure) -> Int {
    let (before, after) = (KeptValues.mark(ofClass: name), KeptValues.mark(ofClass: other))
    var count = 0
    for table in ["tide_kept", "tide_kept_row", "tide_kept_object"] {
      try connection.runOwn(
        """
        UPDATE \(table) SET value = CAST(replace(CAST(value AS TEXT), ?, ?) AS BLOB)
        WHERE instr(value, CAST(? AS BLOB)) > 0
        """, [.text(before), .text(after), .text(before)])
      count += try connection.number("SELECT changes()")
    }
    return count
  }

  /// Removes the stored value of a property.
  func remove(at address: Address) throws(SQLiteFailure) {
    try removeRows(at: address)
    try connection.runOwn(
      "DELETE FROM tide_kept WHERE object = ? AND property = ?", address.values)
  }

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

  /// - Parameter others: the rows to retain.
  func removeRows(at address: Address, butFor others: [Int] = []) throws(SQLiteFailure) {
    let list = "[" + others.map(String.init).joined(separator: ",") + "]"
    try connection.runOwn(
      """
      DELETE FROM tide_kept_row WHERE object = ? AND property = ?
        AND id NOT IN (SELECT value FROM json_each(?))
      """, address.values + [.text(list)])
  }
}

extension UInt8 {
  fileprivate var digit: Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) ? Int(self - UInt8(ascii: "0")) : nil
  }
}
