import CSQLite
import TideBindings
import TideScript

// Edits of rows that have left their table. Such edits must not go into other rows.
extension RowClass {
  /// The table that the keys name, and the columns that identify a row of it; nil if the keys are no
  /// columns of a table.
  private var identity: (table: String, columns: Set<String>)? {
    guard let first = keys.first, let table = columns[first].table else { return nil }
    let names = keys.compactMap { columns[$0].origin?.lowercased() }
    return (table.lowercased(), Set(names + ["rowid"]))
  }

  /// Whether statements may have removed rows, or given them other keys.
  func losesRows(by tables: StatementTables) -> Bool {
    guard let (table, columns) = identity else { return false }
    return tables.deleted.contains(table) || tables.assigns(columns, of: table)
  }

  /// Whether statements may give the key of a removed row to another one, and ``InsertedRows`` does
  /// not know of it.
  func reusesKeys(by tables: StatementTables, in store: Store) -> Bool {
    guard let (table, columns) = identity else { return false }
    return tables.assigns(columns, of: table)
      || tables.inserted.contains(table) && !hasRowIDs(in: store)
  }

  /// Whether the table has rowids.
  private func hasRowIDs(in store: Store) -> Bool {
    if let knownRowIDs { return knownRowIDs }
    guard let table = identity?.table else { return false }
    let found = RowWriting(table, []).hasRowIDs(in: store)
    knownRowIDs = found
    return found
  }

  /// Whether the open transaction has inserted the row that now has the key of a removed one.
  func isReplaced(_ held: Stored, in store: Store) -> Bool {
    guard let table = identity?.table, store.inserted.has(table, after: held.readAt) else {
      return false
    }
    // The key of most tables is the rowid.
    if keys.count == 1, case .integer(let key) = held.values[keys[0]],
      !store.inserted.contains(key, in: table, after: held.readAt)
    {
      return false
    }
    guard let number = try? writing(held)?.rowID(in: store) else { return false }
    return store.inserted.contains(number, in: table, after: held.readAt)
  }

  /// Checks whether the row has left its table, and marks it as removed until a rollback. Edits of a
  /// removed row are refused, even if another row has its key.
  ///
  /// - Parameter looksUp: whether to look the row up. Otherwise, only rows that were inserted in its
  ///   place are found.
  /// - Returns: whether the row has been removed since the last call.
  func noteRemoval(of row: DataObject, in store: Store, looksUp: Bool) -> Bool {
    guard var held = stored[ObjectIdentifier(row)], held.row === row, !held.isRemoved,
      let writing = writing(held)
    else { return false }
    let isRemoved =
      isReplaced(held, in: store) || looksUp && (try? writing.exists(in: store)) == false
    if !isRemoved { return false }
    restoreOnRollback(&held, row, in: store)
    held.isRemoved = true
    stored[ObjectIdentifier(row)] = held
    return true
  }

  func isRemoved(_ row: DataObject) -> Bool { stored[ObjectIdentifier(row)]?.isRemoved ?? false }

  /// The write to the table row that the keys identify; nil if the keys are not columns of a table.
  func writing(_ held: Stored) -> RowWriting? {
    guard let first = keys.first, let table = columns[first].table else { return nil }
    return RowWriting(
      table, keys.map { .init(column: columns[$0].origin ?? "", value: held.values[$0]) })
  }

  /// The error for the edits of a row that has left its table; nil for a row without edits.
  func removal(of row: DataObject) -> TideError? {
    let edits = edits(of: row)
    guard let first = keys.first, !edits.isEmpty else { return nil }
    let texts = edits.map { "\"\($0.column.name.inMessage)\": \($0.text)" }
    return TideError(
      .unwritten,
      "\(RowWriting(columns[first].table ?? "a table", []).removedText); not written: "
        + texts.joined(separator: ", "))
  }
}
