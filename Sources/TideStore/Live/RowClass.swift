import CSQLite
import TideBindings
import TideGraph
import TideScript

/// Makes the objects for a query's rows: read-only plain objects, or editable objects of a script's
/// class, which can be written back.
final class RowClass {
  private let columns: [SQLiteStatement.Column]
  private let keys: [Int]
  private let factory: ObjectFactory
  /// The property that shows each column; nil for none.
  private let properties: [Int?]
  /// Whether scripts and people can edit the rows.
  let isEditable: Bool
  /// The database's values of editable rows.
  private var stored: [ObjectIdentifier: Stored] = [:]

  private struct Stored {
    weak var row: DataObject?
    var values: [SQLiteValue]
    /// By column, the row's form of a value that the class has converted.
    var converted: [Int: Value] = [:]
    /// By column, the committed value that replaced the base of an edit, if the two could not be
    /// merged. Writing the edit overwrites this value.
    var overwritten: [Int: Overwritten] = [:]
    /// Increases with each row, so that rows are written in the order of their first read.
    let number: Int
  }

  private struct Overwritten {
    let value: SQLiteValue
    /// Whether this program wrote it.
    let isOwn: Bool
  }

  private var lastNumber = 0

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
    if isEditable {
      lastNumber += 1
      var held = Stored(row: row, values: values, number: lastNumber)
      for index in values.indices { noteConversion(&held, index) }
      stored[ObjectIdentifier(row)] = held
    }
    return row
  }

  /// Notes the form in which a row that adopts a value shows it.
  private func noteConversion(_ held: inout Stored, _ index: Int) {
    guard let property = properties[index], let row = held.row else { return }
    let shown = row.slot(property).load()
    if shown == columns[index].value(held.values[index]) {
      held.converted.removeValue(forKey: index)
    } else {
      held.converted[index] = shown
    }
  }

  /// Whether a row has another value than the database.
  private func isEdited(_ held: Stored, _ index: Int) -> Bool {
    guard let property = properties[index], let row = held.row else { return false }
    let known = held.converted[index] ?? columns[index].value(held.values[index])
    return row.slot(property).load() != known
  }

  func isEdited(_ row: DataObject) -> Bool {
    guard let held = stored[ObjectIdentifier(row)], held.row === row else { return false }
    return columns.indices.contains { isEdited(held, $0) }
  }

  /// The rows that are still held, by the list or by others.
  var rows: [DataObject] { stored.values.compactMap { $0.row } }

  /// The rows with unwritten edits, in the order of their first read.
  var editedRows: [DataObject] {
    stored.values.filter { held in columns.indices.contains { isEdited(held, $0) } }
      .sorted { $0.number < $1.number }.compactMap { $0.row }
  }

  /// Each unwritten edit as messages show it.
  var unwrittenTexts: [String] {
    editedRows.flatMap { row in
      columns.indices.compactMap { index -> String? in
        guard let held = stored[ObjectIdentifier(row)], isEdited(held, index),
          let property = properties[index]
        else { return nil }
        let column = columns[index]
        return "\"\(column.name.inMessage)\" of a row of "
          + "\((column.table ?? "a query").inMessage): "
          + ((try? SQLiteValue(row.slot(property).load()))?.preview ?? "a value")
      }
    }
  }

  /// Gives up the unwritten edits of a row. The row keeps showing them.
  func abandonEdits(of row: DataObject) {
    guard var held = stored[ObjectIdentifier(row)], held.row === row else { return }
    for index in columns.indices where isEdited(held, index) {
      held.converted[index] = properties[index].map { row.slot($0).load() }
    }
    stored[ObjectIdentifier(row)] = held
  }

  /// Adopts the values of the database. An unwritten edit is merged with them if both change
  /// different parts of a text. Otherwise the edit stays, to become the later commit.
  ///
  /// - Parameter isOwn: whether this program has written them.
  func update(_ row: DataObject, _ values: [SQLiteValue], isOwn: Bool) throws {
    let known = stored[ObjectIdentifier(row)]
    if known == nil { lastNumber += 1 }
    var held = Stored(row: row, values: values, number: known?.number ?? lastNumber)
    for (index, value) in values.enumerated() {
      guard let property = properties[index] else { continue }
      let column = columns[index]
      let mine = row.slot(property).load()
      var new = column.value(value)
      if let known, isEdited(known, index), mine != new {
        if value == known.values[index] {
          held.converted[index] = known.converted[index]
          held.overwritten[index] = known.overwritten[index]
          continue
        }
        guard let merged = Self.merged(known.values[index], mine, value) else {
          held.overwritten[index] = Overwritten(value: value, isOwn: isOwn)
          continue
        }
        new = .string(merged)
      } else if let known, value == known.values[index], let shown = known.converted[index] {
        held.converted[index] = shown
        continue
      }
      if mine != new { _ = try row.write(property, new, byHost: true) }
      // A merged text is still to be written.
      if new == column.value(value) { noteConversion(&held, index) }
    }
    if isEditable { stored[ObjectIdentifier(row)] = held }
  }

  /// Merges an edit and a concurrent commit of a text; nil if they change the same part of it, or
  /// are not texts.
  private static func merged(
    _ base: SQLiteValue, _ mine: Value, _ theirs: SQLiteValue
  ) -> String? {
    guard case .text(let base) = base, case .string(let mine) = mine,
      case .text(let theirs) = theirs
    else { return nil }
    return base.merging(apart: mine, theirs)
  }

  /// Adopts the known rows of another instance. Returns false if those are of another class, or
  /// have a property whose column is missing now.
  func goOn(with former: RowClass) -> Bool {
    guard former.factory.makesSame(as: factory) else { return false }
    if former.columns == columns {
      (stored, lastNumber) = (former.stored, former.lastNumber)
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
        // A value of a new column, which nobody has edited.
        return property.flatMap { try? SQLiteValue(row.slot($0).load()) } ?? .null
      }
      var known = Stored(row: row, values: values, number: held.number)
      for (index, former) in indexes.enumerated() {
        known.converted[index] = former.flatMap { held.converted[$0] }
      }
      return known
    }
    lastNumber = former.lastNumber
    return true
  }

  /// Drops released rows.
  ///
  /// - Parameter count: the current number of rows.
  func forgetRows(where count: Int) {
    if stored.count > 2 * count + 16 { stored = stored.filter { $0.value.row != nil } }
  }

  func knows(_ row: DataObject) -> Bool { stored[ObjectIdentifier(row)]?.row === row }

  /// Writes the changes of a row. Concurrent commits of others are merged; a value that is
  /// overwritten unseen is reported to its author.
  func write(_ row: DataObject, to store: Store) throws {
    guard var before = stored[ObjectIdentifier(row)], before.row === row else { return }
    var changed: [(column: Int, value: SQLiteValue)] = []
    for (index, column) in columns.enumerated() where isEdited(before, index) {
      guard let property = properties[index] else { continue }
      let value = try SQLiteValue(row.slot(property).load(), of: column)
      if value != before.values[index] { changed.append((index, value)) }
    }
    // A reverted edit overwrites nothing.
    before.overwritten = before.overwritten.filter { entry in
      changed.contains { $0.column == entry.key }
    }
    stored[ObjectIdentifier(row)] = before
    if changed.isEmpty { return }
    guard let table = columns[keys[0]].table else {
      throw TideError(
        .store, "the key of these rows is no column of a table; change them by db:run")
    }
    let ours = changed.filter { columns[$0.column].table == table }
    let others = changed.filter { columns[$0.column].table != table }
    if !ours.isEmpty { try write(ours, of: row, before, in: table, to: store) }
    guard let other = others.first.map({ columns[$0.column] }) else { return }
    guard other.origin != nil else {
      throw TideError(
        .store,
        "\"\(other.name.inMessage)\" is an expression of the query, and not a column that can be "
          + "written; change what it is computed from, by db:run")
    }
    throw TideError(
      .store,
      "only columns of \(table), which has the key, can be written; change those of other tables by db:run"
    )
  }

  private func write(
    _ changed: [(column: Int, value: SQLiteValue)], of row: DataObject, _ before: Stored,
    in table: String, to store: Store
  ) throws {
    let writing = RowWriting(
      table,
      keys.map { .init(column: columns[$0].origin ?? "", value: before.values[$0]) })
    var written: [(column: String, value: SQLiteValue)] = []
    var lost: [RowLosses.Loss] = []
    try store.transaction {
      store.onRollback { [weak self] in self?.stored[ObjectIdentifier(row)] = before }
      (written, lost) = try write(changed, of: row, before, writing, to: store)
    }
    for (column, value) in written {
      let place = writing.place(column, in: store)
      store.withdrawLoss(at: place)
      if !lost.contains(where: { $0.place == place }) {
        RowLosses.all.note(value, at: place, by: store)
      }
    }
    for loss in lost {
      RowLosses.all.tell(loss, by: store)
      RowLosses.all.note(loss.mine, at: loss.place, by: store)
    }
  }

  /// - Returns: the written values, and the losses that they cause.
  private func write(
    _ changed: [(column: Int, value: SQLiteValue)], of row: DataObject, _ before: Stored,
    _ writing: RowWriting, to store: Store
  ) throws -> (written: [(column: String, value: SQLiteValue)], lost: [RowLosses.Loss]) {
    guard
      let present = try writing.present(
        changed.map { columns[$0.column].origin ?? "" }, in: store)
    else {
      let texts = changed.map { "\"\(columns[$0.column].name.inMessage)\": \($0.value.preview)" }
      throw TideError(
        .unwritten,
        "the row is not in \(writing.table.inMessage) any more: somebody has removed it; not written: "
          + texts.joined(separator: ", "))
    }
    var held = before
    var lost: [RowLosses.Loss] = []
    var sets: [(column: String, value: SQLiteValue)] = []
    for (offset, (index, mine)) in changed.enumerated() {
      let column = columns[index]
      let theirs = present[offset]
      var value = mine
      var overwritten = before.overwritten[index]
      if theirs != before.values[index], theirs != mine {
        if let property = properties[index],
          let merged = Self.merged(before.values[index], row.slot(property).load(), theirs)
        {
          value = .text(merged)
          _ = try row.write(property, .string(merged), byHost: true)
        } else {
          overwritten = Overwritten(value: theirs, isOwn: store.isFollowingOwnWrites)
        }
      }
      held.values[index] = value
      held.overwritten[index] = nil
      noteConversion(&held, index)
      sets.append((column.origin ?? "", value))
      if let overwritten, overwritten.value != value {
        lost.append(
          .init(
            place: writing.place(column.origin ?? "", in: store), theirs: overwritten.value,
            mine: value, isOwn: overwritten.isOwn))
      }
    }
    try writing.write(sets, to: store)
    // The list may not show the row any more, so nothing else updates the known values. Views are
    // refreshed after the transaction.
    stored[ObjectIdentifier(row)] = held
    return (sets, lost)
  }
}

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
      throw TideError(.store, "the row is not in \(table) any more: somebody has removed it")
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
