import CSQLite
import TideBindings
import TideGraph
import TideScript

// Writing the edits of rows to the database.
extension RowClass {
  /// Why edits of a column cannot be written, whatever the database holds; nil if they can.
  private func refusal(of index: Int) -> String? {
    let column = columns[index]
    guard let table = columns[keys[0]].table else {
      return "the key of these rows is no column of a table; change them by db:run"
    }
    if mixed.contains(index) { return RowOrigin.refusal(of: column, in: table) }
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
        if let refusal = refusal(of: index) { throw TideError(.store, refusal) }
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
  /// - Parameters:
  ///   - isOwn: whether this program has written what the list has not read yet.
  ///   - origin: finds columns of other rows; nil for rows of a former query.
  func write(
    _ row: DataObject, to store: Store, isOwn: Bool, _ origin: RowOrigin?
  ) throws {
    guard var before = stored[ObjectIdentifier(row)], before.row === row else { return }
    var changed: [(column: Int, value: SQLiteValue)] = []
    for (index, column) in columns.enumerated() where isEdited(before, index) {
      guard let property = properties[index] else { continue }
      let value = try SQLiteValue(row.slot(property).load(), of: column)
      if value == before.values[index] {
        // The column holds the same value in another form, such as 1 for true.
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
    let ours = changed.filter { refusal(of: $0.column) == nil }
    if !ours.isEmpty { try write(ours, of: row, before, to: store, isOwn, origin) }
    if let reason = changed.lazy.compactMap({ self.refusal(of: $0.column) }).first {
      throw TideError(.store, reason)
    }
  }

  private func write(
    _ changed: [(column: Int, value: SQLiteValue)], of row: DataObject, _ before: Stored,
    to store: Store, _ isOwn: Bool, _ origin: RowOrigin?
  ) throws {
    guard let writing = writing(before) else { return }
    var before = before
    var written: [(column: String, value: SQLiteValue)] = []
    var lost: [RowLosses.Loss] = []
    try store.transaction {
      restoreOnRollback(&before, row, in: store)
      (written, lost) = try write(changed, of: row, before, writing, to: store, isOwn, origin)
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
    _ writing: RowWriting, to store: Store, _ isOwn: Bool, _ origin: RowOrigin?
  ) throws -> (written: [(column: String, value: SQLiteValue)], lost: [RowLosses.Loss]) {
    let names = changed.map { columns[$0.column].origin ?? "" }
    let isRemoved = before.isRemoved || replacement(of: before, in: store) != nil
    let present = isRemoved ? nil : try writing.present(names, in: store)
    guard let present else {
      throw removal(of: row) ?? TideError(.unwritten, writing.removedText)
    }
    let indexes = changed.map(\.column)
    try refuseMixed(indexes, of: before, present, origin, writing, in: store)
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
          noteMerge(of: before, index, theirs)
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
    if let present = try writing.present(names, in: store) {
      try refuseMixed(indexes, of: held, present, origin, writing, in: store)
    }
    // The list may not show the row any more, so nothing else updates the known values. Views are
    // refreshed after the transaction.
    stored[ObjectIdentifier(row)] = held
    return (sets, lost)
  }

  /// The row has adopted another commit's text, and shows it after a rollback too. It is then part
  /// of the base of the edit, so that the next write does not merge it again.
  private func noteMerge(of before: Stored, _ index: Int, _ theirs: SQLiteValue) {
    let base = before.values[index]
    var next = before.restore
    while let restore = next {
      let known = restore.held.values[index]
      if known == base {
        restore.held.values[index] = theirs
      } else if let merged = Self.merged(base, columns[index].value(theirs), known) {
        // An outer transaction has written the row before.
        restore.held.values[index] = .text(merged)
      }
      restore.held.converted[index] = nil
      next = restore.held.restore
    }
  }

  /// Refuses columns that do not show the values of the row that the key names.
  private func refuseMixed(
    _ indexes: [Int], of held: Stored, _ present: [SQLiteValue], _ origin: RowOrigin?,
    _ writing: RowWriting, in store: Store
  ) throws {
    guard let origin, try origin.isDoubtful(writing.table, in: store) else { return }
    let keys = keys.map { ($0, held.values[$0]) }
    let found = try origin.mixed(indexes, present, keys, in: store)
    guard let first = found.first else { return }
    mixed.formUnion(found)
    throw TideError(.store, RowOrigin.refusal(of: columns[first], in: writing.table))
  }
}
