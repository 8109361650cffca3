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
    /// Whether the row is no longer in its table. Another row may have its key since.
    var isRemoved = false
    /// Detects changes of the row; nil if nobody follows them.
    var mark: RowMark?
    /// Increases with each row, so that rows are written in the order of their first read.
    let number: Int
  }

  private struct Overwritten {
    let value: SQLiteValue
    /// Whether this program wrote it.
    let isOwn: Bool
  }

  private var lastNumber = 0
  /// Called when a property of a row has changed; nil if nobody follows the rows.
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
      held.mark = newMark(of: row)
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

  /// Follows the rows: calls a function with a row of which a property has changed.
  func follow(_ changed: @escaping (DataObject) -> Void) {
    self.changed = changed
    for (key, held) in stored { stored[key]?.mark = held.row.flatMap(newMark) }
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

  /// The place of a row in the order of their first reads.
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
    restoreOnRollback(held, row, in: store)
    for index in columns.indices where isEdited(held, index) && isGivenUp(columns[index]) {
      held.converted[index] = properties[index].map { row.slot($0).load() }
      held.overwritten[index] = nil
    }
    stored[ObjectIdentifier(row)] = held
  }

  private func restoreOnRollback(_ held: Stored, _ row: DataObject, in store: Store) {
    store.onRollback { [weak self] in self?.stored[ObjectIdentifier(row)] = held }
  }

  // MARK: Removed rows

  /// Notes that the database no longer has a row, until a rollback. Edits of it are refused from now
  /// on, also when another row has its key.
  ///
  /// - Returns: whether the row has been removed since the last call.
  func noteRemoval(of row: DataObject, in store: Store) -> Bool {
    guard let held = stored[ObjectIdentifier(row)], held.row === row, !held.isRemoved,
      let writing = writing(held), (try? writing.exists(in: store)) == false
    else { return false }
    restoreOnRollback(held, row, in: store)
    stored[ObjectIdentifier(row)]?.isRemoved = true
    return true
  }

  /// Writes to the row of the table that the keys name; nil if they are no columns of a table.
  private func writing(_ held: Stored) -> RowWriting? {
    guard let first = keys.first, let table = columns[first].table else { return nil }
    return RowWriting(
      table, keys.map { .init(column: columns[$0].origin ?? "", value: held.values[$0]) })
  }

  /// The error for the edits of a row that is no longer in its table; nil without edits.
  func removal(of row: DataObject) -> TideError? {
    let edits = edits(of: row)
    guard let first = keys.first, !edits.isEmpty else { return nil }
    let texts = edits.map { "\"\($0.column.name.inMessage)\": \($0.text)" }
    return TideError(
      .unwritten,
      "the row is not in \((columns[first].table ?? "a table").inMessage) any more: somebody has removed it; "
        + "not written: \(texts.joined(separator: ", "))")
  }

  /// Adopts the values of the database. An unwritten edit is merged with them if both change
  /// different parts of a text. Otherwise the edit stays, to become the later commit.
  ///
  /// - Parameter isOwn: whether this program has written them.
  func update(_ row: DataObject, _ values: [SQLiteValue], isOwn: Bool) throws {
    var known = stored[ObjectIdentifier(row)]
    if known == nil { lastNumber += 1 }
    var held = Stored(row: row, values: values, number: known?.number ?? lastNumber)
    held.mark = known?.mark ?? newMark(of: row)
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
        known.overwritten[index] = former.flatMap { held.overwritten[$0] }
      }
      known.isRemoved = held.isRemoved
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

  // MARK: Writing

  /// Why edits of a column cannot be written, whatever the database holds; nil if they can.
  private func refusal(of column: SQLiteStatement.Column) -> String? {
    guard let table = columns[keys[0]].table else {
      return "the key of these rows is no column of a table; change them by db:run"
    }
    if column.table == table { return nil }
    if column.origin != nil {
      return
        "only columns of \(table.inMessage), which has the key, can be written; change those of other "
        + "tables by db:run"
    }
    return
      "\"\(column.name.inMessage)\" is an expression of the query, and not a column that can be "
      + "written; change what it is computed from, by db:run"
  }

  /// Gives up the edits of a row that can never be written: of expressions, and of values that no
  /// column holds.
  ///
  /// - Parameter checksTable: whether to give up columns that the table has lost.
  /// - Returns: the reason; nil if there are none.
  func abandonUnwritableEdits(
    of row: DataObject, in store: Store, checksTable: Bool = false
  ) throws -> TideError? {
    guard let held = stored[ObjectIdentifier(row)], held.row === row else { return nil }
    let table = columns[keys[0]].table ?? ""
    let names = checksTable ? try RowWriting.columns(of: table, in: store) : nil
    var reason: TideError?
    var lost: Set<String> = []
    for (index, column) in columns.enumerated() where isEdited(held, index) {
      guard let property = properties[index] else { continue }
      do {
        if let refusal = refusal(of: column) { throw TideError(.store, refusal) }
        let value = try SQLiteValue(row.slot(property).load(), of: column)
        if names?.contains(column.origin?.lowercased() ?? "") == false {
          throw TideError(
            .unwritten,
            "\(table.inMessage) has no column \"\((column.origin ?? "").inMessage)\" any more; not written: "
              + "\"\(column.name.inMessage)\": \(value.preview)")
        }
      } catch {
        reason = reason ?? error as? TideError
        lost.insert(column.name)
      }
    }
    if reason != nil { abandonEdits(of: row, in: store) { lost.contains($0.name) } }
    return reason
  }

  /// Writes the changes of a row. Concurrent commits of others are merged; a value that is
  /// overwritten unseen is reported to its author.
  ///
  /// - Parameter isOwn: whether this program has written what the list has not read yet.
  func write(_ row: DataObject, to store: Store, isOwn: Bool) throws {
    guard var before = stored[ObjectIdentifier(row)], before.row === row else { return }
    var changed: [(column: Int, value: SQLiteValue)] = []
    for (index, column) in columns.enumerated() where isEdited(before, index) {
      guard let property = properties[index] else { continue }
      let value = try SQLiteValue(row.slot(property).load(), of: column)
      if value == before.values[index] {
        // The same in another form, such as 1 for true.
        noteConversion(&before, index)
      } else {
        changed.append((index, value))
      }
    }
    // A reverted edit overwrites nothing.
    before.overwritten = before.overwritten.filter { entry in
      changed.contains { $0.column == entry.key }
    }
    stored[ObjectIdentifier(row)] = before
    if changed.isEmpty { return }
    let ours = changed.filter { refusal(of: columns[$0.column]) == nil }
    if !ours.isEmpty { try write(ours, of: row, before, to: store, isOwn: isOwn) }
    if let reason = changed.lazy.compactMap({ self.refusal(of: self.columns[$0.column]) }).first {
      throw TideError(.store, reason)
    }
  }

  private func write(
    _ changed: [(column: Int, value: SQLiteValue)], of row: DataObject, _ before: Stored,
    to store: Store, isOwn: Bool
  ) throws {
    guard let writing = writing(before) else { return }
    var written: [(column: String, value: SQLiteValue)] = []
    var lost: [RowLosses.Loss] = []
    try store.transaction {
      restoreOnRollback(before, row, in: store)
      (written, lost) = try write(changed, of: row, before, writing, to: store, isOwn: isOwn)
      store.onCommit { [unowned store] in
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
    }
  }

  /// - Returns: the written values, and the losses that they cause.
  private func write(
    _ changed: [(column: Int, value: SQLiteValue)], of row: DataObject, _ before: Stored,
    _ writing: RowWriting, to store: Store, isOwn: Bool
  ) throws -> (written: [(column: String, value: SQLiteValue)], lost: [RowLosses.Loss]) {
    let names = changed.map { columns[$0.column].origin ?? "" }
    let present = before.isRemoved ? nil : try writing.present(names, in: store)
    guard let present else {
      throw removal(of: row) ?? TideError(.unwritten, writing.removedText)
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
          overwritten = Overwritten(value: theirs, isOwn: isOwn)
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
