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

  /// How the open transaction has given the key of a removed row to another one; nil if it has not.
  func replacement(of held: Stored, in store: Store) -> InsertedRows.Origin? {
    guard let table = identity?.table, store.inserted.has(table, after: held.readAt) else {
      return nil
    }
    // The key of most tables is the rowid.
    if keys.count == 1, case .integer(let key) = held.values[keys[0]],
      store.inserted.origin(of: key, in: table, after: held.readAt) == nil
    {
      return nil
    }
    guard let number = try? writing(held)?.rowID(in: store) else { return nil }
    return store.inserted.origin(of: number, in: table, after: held.readAt)
  }

  /// What became of a row that has left its table.
  enum Removal {
    case removed
    /// A row with another key has got its key.
    case replaced
  }

  /// Checks whether the row has left its table, and marks it as removed until a rollback. Edits of a
  /// removed row are refused, even if another row has its key.
  ///
  /// - Parameter looksUp: whether to look the row up. Otherwise, only rows that were inserted in its
  ///   place are found.
  /// - Returns: nil if the row is there, or the last call has found it removed.
  func noteRemoval(of row: DataObject, in store: Store, looksUp: Bool) -> Removal? {
    guard var held = stored[ObjectIdentifier(row)], held.row === row,
      let writing = writing(held)
    else { return nil }
    let replacement = replacement(of: held, in: store)
    if held.isRemoved { return replacement == .moved ? .replaced : nil }
    let isRemoved =
      replacement != nil || looksUp && (try? writing.exists(in: store)) == false
    if !isRemoved { return nil }
    restoreOnRollback(&held, row, in: store)
    held.isRemoved = true
    stored[ObjectIdentifier(row)] = held
    return replacement == .moved ? .replaced : .removed
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
