import CSQLite
import TideBindings
import TideGraph
import TideScript

/// Makes the objects for a query's rows: read-only plain objects, or editable objects of a script's
/// class, which can be written back.
final class RowClass {
  let columns: [SQLiteStatement.Column]
  let keys: [Int]
  private let factory: ObjectFactory
  /// The property that shows each column; nil for none.
  let properties: [Int?]
  /// Whether scripts and people can edit the rows.
  let isEditable: Bool
  /// The database's values of editable rows.
  var stored: [ObjectIdentifier: Stored] = [:]

  struct Stored {
    weak var row: DataObject?
    var values: [SQLiteValue]
    /// By column, the row's form of a value that the class has converted.
    var converted: [Int: Value] = [:]
    /// By column, the committed value that replaced the base of an edit, if the two could not be
    /// merged. Writing the edit overwrites this value.
    var overwritten: [Int: Overwritten] = [:]
    /// Whether the row has left its table. Another row may have its key.
    var isRemoved = false
    /// Detects changes of the row; nil unless the rows are followed.
    var mark: RowMark?
    /// What the row returns to on a rollback of the innermost transaction that has changed this.
    weak var restore: Restore?
    /// The number of the last inserting statement before the row was read; see ``InsertedRows``.
    var readAt = 0
    /// Increases with each row, so that rows are written in the order of their first read.
    let number: Int
  }

  /// The known values of a row before a transaction changed them.
  final class Restore {
    var held: Stored

    init(_ held: Stored) { self.held = held }
  }

  struct Overwritten {
    let value: SQLiteValue
    /// Whether this program wrote it.
    let isOwn: Bool
  }

  private var lastNumber = 0
  /// Whether the table of the keys has rowids; nil until that was asked.
  var knownRowIDs: Bool?
  /// Columns that show values of other rows than the key names; see ``RowOrigin``.
  var mixed: Set<Int> = []
  /// Called with a row after one of its properties has changed; nil unless the rows are followed.
  private var changed: ((DataObject) -> Void)?

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

  /// - Parameter statement: the number of the last inserting statement.
  func make(_ values: [SQLiteValue], after statement: Int) throws -> DataObject {
    var named: [String: Value] = [:]
    for (index, value) in values.enumerated() where properties[index] != nil {
      named[columns[index].name] = columns[index].value(value)
    }
    let row = try factory.make(named)
    if isEditable {
      lastNumber += 1
      var held = Stored(row: row, values: values, number: lastNumber)
      for index in values.indices { noteConversion(&held, index) }
      held.mark = newMark(of: row)
      held.readAt = statement
      stored[ObjectIdentifier(row)] = held
    }
    return row
  }

  /// Notes the form in which a row that adopts a value shows it.
  func noteConversion(_ held: inout Stored, _ index: Int) {
    guard let property = properties[index], let row = held.row else { return }
    let shown = row.slot(property).load()
    if shown == columns[index].value(held.values[index]) {
      held.converted.removeValue(forKey: index)
    } else {
      held.converted[index] = shown
    }
  }

  /// Whether a row has another value than the database.
  func isEdited(_ held: Stored, _ index: Int) -> Bool {
    guard let property = properties[index], let row = held.row else { return false }
    let known = held.converted[index] ?? columns[index].value(held.values[index])
    return row.slot(property).load() != known
  }

  func isEdited(_ row: DataObject) -> Bool {
    guard let held = stored[ObjectIdentifier(row)], held.row === row else { return false }
    return columns.indices.contains { isEdited(held, $0) }
  }

  /// Calls a function with each row that changes.
  func follow(_ changed: @escaping (DataObject) -> Void) {
    self.changed = changed
    for (key, held) in stored {
      // Reading a property may run code that reads the rows.
      let mark = held.row.flatMap(newMark)
      stored[key]?.mark = mark
    }
  }

  func stopFollowing() {
    changed = nil
    for key in stored.keys { stored[key]?.mark = nil }
  }

  /// The properties that show a column.
  private lazy var writableNames = factory.shape.properties.filter { property in
    property.derive == nil && columns.contains { $0.name == property.name }
  }.map(\.name)

  private func newMark(of row: DataObject) -> RowMark? {
    if changed == nil { return nil }
    return RowMark(row, writableNames) { [weak self] in self?.changed?($0) }
  }

  /// All rows with unwritten edits. Takes time for each row.
  var editedRows: [DataObject] {
    stored.values.filter { held in columns.indices.contains { isEdited(held, $0) } }
      .compactMap { $0.row }
  }

  /// The row's position in the order of first reads.
  func number(of row: DataObject) -> Int { stored[ObjectIdentifier(row)]?.number ?? 0 }

  /// The unwritten edits of a row: the column, and the value as messages show it.
  func edits(of row: DataObject) -> [(column: SQLiteStatement.Column, text: String)] {
    guard let held = stored[ObjectIdentifier(row)], held.row === row else { return [] }
    return columns.indices.compactMap { index in
      guard isEdited(held, index), let property = properties[index] else { return nil }
      let value = try? SQLiteValue(row.slot(property).load())
      return (columns[index], value?.preview ?? "a value")
    }
  }

  /// Gives up unwritten edits of a row, until a rollback. The row keeps showing them.
  ///
  /// - Parameter isGivenUp: whether to give up the edit of a column.
  func abandonEdits(
    of row: DataObject, in store: Store,
    where isGivenUp: (SQLiteStatement.Column) -> Bool = { _ in true }
  ) {
    guard var held = stored[ObjectIdentifier(row)], held.row === row else { return }
    restoreOnRollback(&held, row, in: store)
    for index in columns.indices where isEdited(held, index) && isGivenUp(columns[index]) {
      held.converted[index] = properties[index].map { row.slot($0).load() }
      held.overwritten[index] = nil
    }
    stored[ObjectIdentifier(row)] = held
  }

  /// Restores the known values of a row on a rollback of the open transaction.
  func restoreOnRollback(_ held: inout Stored, _ row: DataObject, in store: Store) {
    let restore = Restore(held)
    store.onRollback { [weak self] in self?.stored[ObjectIdentifier(row)] = restore.held }
    held.restore = restore
  }

  /// Adopts the values of the database. An unwritten edit is merged with them if both change
  /// different parts of a text. Otherwise the edit stays, to become the later commit.
  ///
  /// - Parameters:
  ///   - isOwn: whether this program has written them.
  ///   - statement: the number of the last inserting statement.
  func update(
    _ row: DataObject, _ values: [SQLiteValue], isOwn: Bool, after statement: Int
  ) throws {
    var known = stored[ObjectIdentifier(row)]
    if known == nil { lastNumber += 1 }
    var held = Stored(row: row, values: values, number: known?.number ?? lastNumber)
    held.mark = known?.mark ?? newMark(of: row)
    (held.restore, held.readAt) = (known?.restore, statement)
    // Another row has the key of one that was removed.
    if known?.isRemoved == true { known = nil }
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
  static func merged(
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
        known.overwritten[index] = former.flatMap { held.overwritten[$0] }
      }
      (known.isRemoved, known.readAt) = (held.isRemoved, held.readAt)
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

  /// Whether the list or others hold any of its rows.
  var hasRows: Bool { stored.values.contains { $0.row != nil } }

  func knows(_ row: DataObject) -> Bool { stored[ObjectIdentifier(row)]?.row === row }
}
