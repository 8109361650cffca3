public import TideBindings
import TideGraph

extension RowsView {
  /// Whether the controller of the rows owns the selection. If so, the view does not select another
  /// row after a removal.
  final var isSelectionOfController: Bool {
    content?.isOfController == true && isSelectionBound
  }

  /// Whether a binding determines the selection.
  final var isSelectionBound: Bool {
    isChoiceBound || isBound(.selectedIndexes) || isBound(.selectedObjects)
  }

  /// The row that the bound property requests.
  final var wantedRow: Int? {
    if isBound(.selectedIndexes) || isBound(.selectedObjects) { return wantedRows.first }
    if isBound(.selectedIndex) { return rowOfSelectedIndex }
    let object = peek(.selectedObject, as: Value.self)
    return object == .null ? nil : graph.untracked { content?.index(of: object) }
  }

  /// Whether a row is selected.
  final func isSelected(_ row: Int) -> Bool {
    mode == .many ? marks.rows.contains(row) : row == selection
  }

  /// All selected rows.
  final var selectedRows: RowSet {
    mode == .many ? marks.rows : selection.map { RowSet($0..<$0 + 1) } ?? RowSet()
  }

  final var firstSelected: Int? { mode == .many ? marks.rows.first : selection }

  final var rowOfSelectedIndex: Int? {
    peek(.selectedIndex, as: Int?.self).flatMap { $0 > 0 ? $0.position : nil }
  }

  /// Sets the selection properties to a row; nil clears them.
  final func select(_ row: Int?) {
    let count = count
    if mode == .many {
      let row = row.flatMap { $0 >= 0 && $0 < count ? $0 : nil }
      return mark(row.map { RowSet($0..<$0 + 1) } ?? RowSet(), current: row, anchor: row)
    }
    let row = mode == .none ? nil : row
    marks.forgetGiven()
    selection = row.flatMap { $0 >= 0 && $0 < count ? $0 : nil }
    isSyncing = true
    putSelection()
    if isSelectionOfController, wantedRow != selection {
      // The controller may keep a row that is being edited.
      selection = wantedRow
      putSelection()
    }
    isSyncing = false
    selectionChanged()
    showSelection()
  }

  /// Selects the row that a property requests. If the row does not exist yet, the property keeps
  /// its value, and so does the model that is bound to it.
  final func adopt(_ row: Int?, of property: ViewProperty) {
    if let row, row >= 0, row < count { return select(row) }
    if property == .selectedIndex && row == nil { return select(nil) }
    selection = nil
    marks.clear()
    isSyncing = true
    for other in [ViewProperty.selectedIndex, .selectedObject, .selectedValue]
    where other != property {
      put(other, .null)
    }
    putLists()
    isSyncing = false
    selectionChanged()
    showSelection()
  }

  final func putSelection() {
    // The rows are missing because a binding failed, so the selection has not changed.
    if firstSelected == nil && lacksRows { return }
    graph.batch {
      put(.selectedIndex, firstSelected.map { .integer($0.number) } ?? .null)
      let object = firstSelected.flatMap { content?.row($0) } ?? .null
      put(.selectedObject, object)
      put(.selectedValue, key(of: object))
      putLists()
    }
  }

  final func redrawSelection() {
    for cell in cells where cell.flag(.selected) { cell.setNeedsDraw() }
    setNeedsDraw()
  }

  final func followSelectedIndex() {
    if isSyncing { return }
    followItems()
    let isMoved = followEdits()
    let row = rowOfSelectedIndex
    // Nil has no effect if nothing is selected, but an index beyond the end must be reset.
    if !isMoved, row == firstSelected, row != nil || peek(.selectedIndex, as: Int?.self) == nil {
      return
    }
    if row.map({ $0 < count }) ?? true, let selecting = selectInController(row) {
      show(selecting)
    } else if !showsController() {
      adopt(row, of: .selectedIndex)
    }
    revealSelection()
  }

  /// Shows the selection of the rows' controller.
  private func show(_ selecting: SelectingController) {
    if mode == .many { takeFound(selecting.rows) } else { select(selecting.rows.first) }
  }

  /// Shows the controller's selection in a view with multiple selection; false if there is no
  /// controller.
  private func showsController() -> Bool {
    guard mode == .many, let selecting = selectingController else { return false }
    followSelectingController()
    show(selecting)
    return true
  }

  final func followSelectedObject() {
    if isSyncing { return }
    followItems()
    followEdits()
    let object = peek(.selectedObject, as: Value.self)
    if let row = firstSelected, content?.row(row) == object { return }
    if object == .null && firstSelected == nil { return }
    let row = row(of: object, in: content)
    if row != nil || object == .null, let selecting = selectInController(row) {
      show(selecting)
    } else if !showsController() {
      if object == .null { select(nil) } else { adopt(row, of: .selectedObject) }
    }
    revealSelection()
  }

  final func followSelectedValue() {
    if isSyncing { return }
    followItems()
    followEdits()
    let value = peek(.selectedValue, as: Value.self)
    if let row = firstSelected, let item = content?.row(row), key(of: item) == value { return }
    if value == .null && firstSelected == nil { return }
    if value == .null {
      select(nil)
    } else {
      adopt(row(ofKey: value, in: content), of: .selectedValue)
    }
    revealSelection()
  }

  final func revealSelection() {
    revealsSelection = true
    setNeedsLayout()
  }

  /// Selects the nearest existing row on behalf of the user, and scrolls to it. Returns its index
  /// afterwards; nil if it is gone.
  @discardableResult
  final func choose(_ row: Int, _ key: Key?) -> Int? {
    if mode == .none { return row }
    let row = max(0, min(row, count - 1))
    let isNew = row != selection || mode == .many && !(marks.rows.count == 1 && isSelected(row))
    let chosen = isNew ? index(of: row, after: { select(row) }) : row
    revealsSelection = true
    noteSight(isAtEnd: row == count - 1)
    scene?.layout.needsArrange(self)
    if isNew, let chosen { sendSelection(chosen, key) }
    return chosen
  }

  /// The index of a row after selecting it, which may end an edit that has kept other rows at their
  /// positions; nil if the row is gone.
  final func index(of row: Int, after select: () -> Void) -> Int? {
    let element = graph.untracked { content?.row(row) ?? .null }
    select()
    return self.row(showing: element, at: row)
  }

  final func sendSelection(_ row: Int, _ key: Key?) {
    send(event(.didSelect, row, key))
  }

  /// Makes an event of a row.
  final func event(_ name: EventName, _ row: Int, _ key: Key? = nil) -> Event {
    Event(
      name, sender: self, key: key, index: row, value: content?.row(row) ?? .null,
      cell: cells.first { $0.row == row })
  }

  /// Selects the row that has the focus, unless the selection is to stay.
  final func followFocus(keepsSelection: Bool) {
    if !pool.leaving.isEmpty { scene?.layout.needsArrange(self) }
    let cell = cellWithFocus
    if cell !== pool.focused {
      pool.focused?.setNeedsDraw()
      cell?.setNeedsDraw()
      pool.focused = cell
    }
    guard !keepsSelection, mode != .none, let row = cell.flatMap(presentRow), row != selection
    else { return }
    if mode == .many, isSelected(row) {
      selection = row
      return redrawSelection()
    }
    if let row = index(of: row, after: { select(row) }) { sendSelection(row, nil) }
  }

  /// The present index of the row that a cell shows; nil if it was removed since the last frame.
  final func presentRow(of cell: CellView) -> Int? { row(showing: cell.shownObject, at: cell.row) }

  private var cellWithFocus: CellView? {
    var view = scene?.focused
    while let current = view, current !== self {
      if current.parent === self {
        return pool.leaving.contains { $0 === current } ? nil : current as? CellView
      }
      view = current.parent
    }
    return nil
  }

  // MARK: For programs

  /// The selected rows, from 0 in ascending order; reads are tracked. When set, rows beyond the end
  /// are ignored.
  public final var selectedIndexes: [Int] {
    get {
      _ = self[ViewKey<Value>("selectedIndexes")]
      return selectedRows.rows
    }
    set {
      let numbers = newValue.map { Value.integer($0.number) }
      do { try set("selectedIndexes", .object(ValueList(numbers))) } catch { report(error) }
    }
  }

  /// The objects of the selected rows; reads are tracked.
  public final var selectedObjects: [Value] {
    get {
      guard case .object(let list as ValueList) = self[ViewKey<Value>("selectedObjects")] else {
        return []
      }
      return list.values
    }
    set {
      do { try set("selectedObjects", .object(ValueList(newValue))) } catch { report(error) }
    }
  }
}
