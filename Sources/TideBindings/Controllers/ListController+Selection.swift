public import TideGraph

extension ListController {
  /// The selected rows, up to date. The read is recorded.
  package final var selectedRows: RowSet {
    graph.readListing(slot(.state))
    return rows.rows
  }

  /// The index of the first selected row, from 0; nil for none. While `avoidsEmptySelection` is
  /// true, setting an index beyond the end selects the last row.
  ///
  /// The property of the same name, which scripts and bindings see, counts from 1. If a pending
  /// edit cannot be committed, the selection does not change.
  public final var selectionIndex: Int? {
    get { selectedRows.first }
    set { put("selectionIndex", newValue.map { .integer($0.number) } ?? .null) }
  }

  /// The indexes of the selected rows, from 0 and ascending. Setting it ignores indexes without a
  /// row.
  ///
  /// The property of the same name, which scripts and bindings see, counts from 1.
  public final var selectionIndexes: [Int] {
    get { selectedRows.rows }
    set { put("selectionIndexes", .object(ValueList(newValue.map { .integer($0.number) }))) }
  }

  /// The first selected object; nil for none.
  public final var selectedObject: Value? {
    get { selectedRows.first.map { arranged.storage[$0] } }
    set { put("selectedObject", newValue ?? .null) }
  }

  /// Selects exactly these objects. Ignores objects that are not among the arranged ones.
  public final func select(_ objects: [Value]) {
    put("selectedObjects", .object(ValueList(objects)))
  }

  /// Adds rows to the selection, by their indexes from 0.
  ///
  /// - Throws: `WorkError` when the running turn has no time or memory left. A pending edit that
  ///   the model refuses leaves the selection as it is, without an error.
  public final func addSelectionIndexes(_ indexes: [Int]) throws {
    try change { [arranged] in $0.formUnion(RowSet(indexes, among: arranged.storage.count)) }
  }

  /// Removes rows from the selection, by their indexes from 0.
  ///
  /// - Throws: as `addSelectionIndexes` does.
  public final func removeSelectionIndexes(_ indexes: [Int]) throws {
    try change { [arranged] in $0.subtract(RowSet(indexes, among: arranged.storage.count)) }
  }

  /// Adds objects to the selection.
  ///
  /// - Throws: as `addSelectionIndexes` does.
  public final func addSelectedObjects(_ objects: [Value]) throws {
    let found = try rows(of: objects)
    try change { $0.formUnion(found) }
  }

  /// Removes objects from the selection; they stay in the content.
  ///
  /// - Throws: as `addSelectionIndexes` does.
  public final func deselect(_ objects: [Value]) throws {
    let found = try rows(of: objects)
    try change { $0.subtract(found) }
  }

  /// Selects every arranged object.
  ///
  /// - Throws: as `addSelectionIndexes` does.
  public final func selectAll() throws {
    try change { [arranged] in $0 = RowSet(0..<arranged.storage.count) }
  }

  /// Selects the row after the last selected one, or the first row if none is selected. Returns
  /// false at the end, and if a pending edit cannot be committed.
  ///
  /// - Throws: as `addSelectionIndexes` does.
  @discardableResult
  public final func selectNext() throws -> Bool { try step(by: 1) }

  /// Selects the row before the first selected one, or the last row if none is selected. Returns
  /// false at the beginning, and if a pending edit cannot be committed.
  ///
  /// - Throws: as `addSelectionIndexes` does.
  @discardableResult
  public final func selectPrevious() throws -> Bool { try step(by: -1) }

  /// Whether `selectNext()` has a row to select.
  public final var canSelectNext: Bool { mayStep(by: 1) }
  /// Whether `selectPrevious()` has a row to select.
  public final var canSelectPrevious: Bool { mayStep(by: -1) }

  // MARK: Stepping

  private func row(steppingBy distance: Int) -> Int? {
    let selected = selectedRows
    let count = arranged.storage.count
    let row =
      distance > 0 ? selected.last.map { $0 + 1 } ?? 0 : selected.first.map { $0 - 1 } ?? count - 1
    return row >= 0 && row < count ? row : nil
  }

  final func mayStep(by distance: Int) -> Bool {
    arranged.beginReading()
    return row(steppingBy: distance) != nil
  }

  private func step(by distance: Int) throws -> Bool {
    guard try commitBeforeSelecting(),
      let row = graph.untracked({ row(steppingBy: distance) })
    else { return false }
    return select(RowSet(row..<row + 1))
  }

  // MARK: Selecting

  /// Commits pending edits. Returns false if the model refuses one, whose field then shows the
  /// error.
  final func commitBeforeSelecting() throws -> Bool {
    guard graph.untracked({ isEditing }) else { return true }
    do {
      try commitEdits()
      return true
    } catch is TideError {
      return false
    }
  }

  /// Selects the rows of a value written to `selectionIndexes`: a list, or nil for none.
  final func selectIndexes(in value: Value) throws {
    if case .object(let list as RowList) = value, let numbered = list.numbered {
      var rows = numbered
      rows.clip(
        to: graph.untracked { () -> Int in
          arranged.beginReading()
          return arranged.storage.count
        })
      select(rows)
    } else {
      try select(indexes: elements(value))
    }
  }

  /// Selects rows by indexes written to a property, which count from 1.
  final func select(indexes: [Value]) throws {
    var wanted: [Int] = []
    for value in indexes {
      switch value {
      case .integer(let index): wanted.append(index)
      case .number(let number):
        guard let index = Int(exactly: number) else { fallthrough }
        wanted.append(index)
      default:
        throw TideError(
          .wrongType, "an index is a whole number, not \(value.typeAndPreview)")
      }
    }
    let count = graph.untracked { () -> Int in
      arranged.beginReading()
      return arranged.storage.count
    }
    var rows = RowSet(wanted.map(\.position), among: count)
    let avoidsEmpty = graph.untracked { self["avoidsEmptySelection"] == true }
    // All requested rows are out of range, so the nearest one is selected.
    if rows.isEmpty, count > 0, avoidsEmpty, let first = wanted.first {
      rows = RowSet(first < 1 ? 0..<1 : count - 1..<count)
    }
    select(rows)
  }

  final func select(objects: [Value]) throws {
    select(try rows(of: objects))
  }

  private func rows(of objects: [Value]) throws -> RowSet {
    try graph.untracked {
      try RowSelection.rows(of: objects.map(\.asElement), in: arranged.values)
    }
  }

  /// Selects rows for a view that shows them. A pending edit that the model refuses leaves the
  /// selection as it is.
  package final func selectRows(_ rows: RowSet) throws {
    try change { $0 = rows }
  }

  private func change(_ body: (inout RowSet) -> Void) throws {
    guard try commitBeforeSelecting() else { return }
    var wanted = graph.untracked { selectedRows }
    body(&wanted)
    wanted.clip(to: arranged.storage.count)
    select(wanted)
  }

  /// Selects rows that exist.
  @discardableResult
  final func select(_ wanted: RowSet) -> Bool {
    if isSelected(wanted) { return true }
    guard isEditingRecord else {
      selectAgain(wanted)
      return true
    }
    // Selects by the current positions, then releases the edited rows to their own positions.
    selectAgain(wanted)
    endRecordEditsAfterSelection()
    return true
  }

  /// Selects rows without ending the edits of records, as after a reload.
  final func selectAgain(_ wanted: RowSet) {
    if isSelected(wanted) { return }
    rows.select(wanted)
    bump(.command)
  }

  /// Whether the rows are selected already. False for no rows, because an empty selection that is
  /// on purpose differs from one for lack of rows.
  private func isSelected(_ wanted: RowSet) -> Bool {
    !wanted.isEmpty && wanted == graph.untracked { selectedRows }
  }
}
