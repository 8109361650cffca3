import CSQLite
import TideBindings
import TideGraph
import TideScript

/// What stands for the rows of a query: plain objects, which nobody but the database changes, or
/// objects of a script's class, which can be written back.
final class RowClass {
  private let columns: [SQLiteStatement.Column]
  private let keys: [Int]
  private let factory: ObjectFactory
  /// By column, the property that shows it; nil for none.
  private let properties: [Int?]
  /// Whether rows are edited by scripts and people, rather than by the database alone.
  let isEditable: Bool
  /// What the database holds of rows that can be edited.
  private var stored: [ObjectIdentifier: Stored] = [:]

  private struct Stored {
    weak var row: DataObject?
    var values: [SQLiteValue]
  }

  init(
    _ columns: [SQLiteStatement.Column], keys: [Int], _ options: RowOptions, in runtime: Runtime
  ) throws {
    self.columns = columns
    self.keys = keys
    isEditable = options.className != nil
    let factory =
      if let name = options.className {
        try runtime.objectFactory(ofClass: name)
      } else {
        try runtime.objectFactory(ofColumns: columns.map(\.name))
      }
    self.factory = factory
    properties = columns.map { factory.shape.index(of: $0.name) }
    if isEditable, keys.isEmpty {
      throw TideError(
        .store,
        "rows that can be written need a key: select the table's primary key, or give key = \"column\""
      )
    }
  }

  func make(_ values: [SQLiteValue]) throws -> DataObject {
    var named: [String: Value] = [:]
    for (index, value) in values.enumerated() where properties[index] != nil {
      named[columns[index].name] = columns[index].value(value)
    }
    let row = try factory.make(named)
    if isEditable { stored[ObjectIdentifier(row)] = Stored(row: row, values: values) }
    return row
  }

  /// Takes over what the database holds now, except where a person has changed something that is
  /// not written yet.
  func update(_ row: DataObject, _ values: [SQLiteValue]) throws {
    let before = stored[ObjectIdentifier(row)]?.values
    for (index, value) in values.enumerated() {
      guard let property = properties[index] else { continue }
      let new = columns[index].value(value)
      if let before, row.slot(property).load() != columns[index].value(before[index]) { continue }
      if row.slot(property).load() == new { continue }
      _ = try row.write(property, new, byHost: true)
    }
    if isEditable { stored[ObjectIdentifier(row)] = Stored(row: row, values: values) }
  }

  /// Takes over what is known of the rows of another; false where those are of another class, or
  /// have a column's value that has no column any more.
  func goOn(with former: RowClass) -> Bool {
    guard former.factory.makesSame(as: factory) else { return false }
    if former.columns == columns {
      stored = former.stored
      return true
    }
    let names = Set(columns.map(\.name))
    guard
      zip(former.columns, former.properties).allSatisfy({ $1 == nil || names.contains($0.name) })
    else { return false }
    let indexes = columns.map { column in
      former.columns.firstIndex { $0.name == column.name }
    }
    stored = former.stored.compactMapValues { held in
      guard let row = held.row else { return nil }
      let values = zip(indexes, properties).map { index, property in
        if let index { return held.values[index] }
        // Of a new column: nobody has edited it.
        return property.flatMap { try? SQLiteValue(row.slot($0).load()) } ?? .null
      }
      return Stored(row: row, values: values)
    }
    return true
  }

  /// Forgets what was known of rows that are gone.
  ///
  /// - Parameter count: how many there are.
  func forgetRows(where count: Int) {
    if stored.count > 2 * count + 16 { stored = stored.filter { $0.value.row != nil } }
  }

  func knows(_ row: DataObject) -> Bool { stored[ObjectIdentifier(row)]?.row === row }

  func write(_ row: DataObject, to store: Store) throws {
    guard let before = stored[ObjectIdentifier(row)], before.row === row else { return }
    var changed: [(column: Int, value: SQLiteValue)] = []
    for (index, column) in columns.enumerated() {
      guard let property = properties[index], column.origin != nil else { continue }
      let value = try SQLiteValue(row.slot(property).load(), of: column)
      if value != before.values[index] { changed.append((index, value)) }
    }
    if changed.isEmpty { return }
    guard let table = columns[keys[0]].table else {
      throw TideError(
        .store, "the key of these rows is no column of a table; change them by db:run")
    }
    let ours = changed.filter { columns[$0.column].table == table }
    if ours.isEmpty {
      throw TideError(
        .store,
        "only columns of \(table), which has the key, can be written; change those of other tables by db:run"
      )
    }
    func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
    let sets = ours.map { "\(quoted(columns[$0.column].origin ?? "")) = ?" }
    let tests = keys.map { "\(quoted(columns[$0].origin ?? "")) IS ?" }
    let sql =
      "UPDATE \(quoted(table)) SET \(sets.joined(separator: ", ")) WHERE \(tests.joined(separator: " AND "))"
    try store.transaction {
      let outcome = try store.run(
        sql, .positions(ours.map(\.value) + keys.map { before.values[$0] }))
      if outcome.changes == 0 {
        throw TideError(.store, "the row is not in \(table) any more: somebody has removed it")
      }
      if outcome.changes > 1 {
        throw TideError(
          .store,
          "\(outcome.changes) rows of \(table) have this key; choose a key column that is unique"
        )
      }
    }
    // Where the query does not show the row any more, nobody else says so.
    if var held = stored[ObjectIdentifier(row)] {
      for (column, value) in ours { held.values[column] = value }
      stored[ObjectIdentifier(row)] = held
    }
  }
}

extension SQLiteStatement.Column {
  /// A value of the database as scripts have it.
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
  /// A script's value as the database has it.
  ///
  /// - Throws: `store` for what no column holds.
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

  /// SQLite would store NULL in its place.
  static let notANumber = TideError(
    .store, "a database cannot hold nan, which is no number (0/0 gives it); store nil instead")
}
