import TideBindings
import TideGraph

// Keeps the rows, the selection and the visible part in step with the list in `items`.
extension RowsView {
  /// Adopts a new list in `items`.
  final func followItems() {
    let items = peek(.items, as: Value.self)
    if items == shownItems { return }
    shownItems = items
    replaceSource()
    firstRow = 0
    flexible?.window.skipped = 0
  }

  /// Makes a new row source.
  final func findSource() {
    content = graph.untracked { makeSource(shownItems) }
    forgetHeights()
    (content as? ListFollowing)?.notesRemovals = mode == .many
  }

  /// Makes a new row source and finds the selected row in it.
  ///
  /// An initial selection is scrolled to, whether the items or the selection were set first.
  final func replaceSource() {
    let isFirst = content == nil
    defer { if isFirst, selection != nil { revealsSelection = true } }
    noteGiven()
    if mode == .many { return replaceSourceOfMany() }
    let object = peek(.selectedObject, as: Value.self)
    findSource()
    let wasSelected = selection != nil
    if marks.isAwaited {
      withoutChoosing { adoptGiven() }
    } else if marks.given != nil && isFirst {
      adoptGiven()
    } else if object != .null {
      let row = row(of: object, in: content)
      if row.map({ content?.row($0) == object }) ?? !wasSelected {
        adopt(row, of: .selectedObject)
      } else {
        refill(row)
      }
    } else if let row = rowOfSelectedValue {
      adopt(row, of: .selectedValue)
    } else if rowOfSelectedIndex == nil, let row = rowOfModel(in: content) {
      refill(row)
    } else {
      adopt(rowOfSelectedIndex, of: .selectedIndex)
    }
    setNeedsLayout()
  }

  final func rowsChanged(_ edits: [RowEdit]) {
    moveSight(edits)
    if mode == .many { return followMarks(edits) }
    if isSelectionOfController { return select(wantedRow) }
    if marks.isAwaited { return withoutChoosing { adoptGiven() } }
    if selection == nil { return selectAwaited() }
    // The program has requested another row, which exists by now.
    if !isSyncing, rowOfSelectedIndex != selection { return followSelectedIndex() }
    let object = peek(.selectedObject, as: Value.self)
    var row = selection
    var isReplaced = false
    for edit in edits {
      if case .replacement(let range) = edit, let row, range.contains(row) { isReplaced = true }
      row = row.flatMap { edit.index(of: $0) }
    }
    if object != .null, row.map({ content?.row($0) != object }) ?? true {
      // A reordering may be reported as a removal and an insertion.
      let same = content?.index(of: object)
      if same == nil, isReplaced, isSelectionBound {
        return refill(self.row(of: object, in: content))
      }
      row = same ?? (isReplaced ? row : nil)
    }
    if let row = row ?? rowAfterLost(edits) {
      select(row)
    } else if let row = self.row(of: object, in: content) {
      refill(row)
    } else if isRefill(edits, of: content) {
      refill(nil)
    } else {
      select(nil)
    }
  }

  /// Shows the selection among changed rows: at the given row, or where the model's value is. The
  /// model is not written. If the selection is not bound, a removed row is simply deselected.
  private func refill(_ row: Int?) {
    if isSelectionOfController { return select(row) }
    if awaitsModelRows() { return }
    guard isChoiceBound else { return select(row) }
    withoutChoosing { select(row ?? rowOfModel(in: content)) }
  }

  private var rowOfSelectedValue: Int? {
    row(ofKey: peek(.selectedValue, as: Value.self), in: content)
  }

  /// The row to select after the selected one was removed while the view has the focus: the next
  /// row, else the last. Nil if rows were inserted too, since the next row is then ambiguous.
  private func rowAfterLost(_ edits: [RowEdit]) -> Int? {
    guard flag(.focused), goesOnAfterLost, var row = selection, count > 0 else { return nil }
    for edit in edits {
      if case .insertion = edit { return nil }
      row = edit.nearestIndex(of: row)
    }
    return min(row, count - 1)
  }

  /// Applies edits that have not been delivered yet, so that an index refers to the present rows.
  /// Returns whether there were any.
  @discardableResult
  final func followEdits() -> Bool {
    // With multiple selection, edits must be processed together with the elements that they remove.
    if mode == .many { return false }
    let edits = content?.takePending() ?? []
    if edits.isEmpty { return false }
    moveSight(edits)
    for edit in edits { selection = selection.flatMap { edit.index(of: $0) } }
    return true
  }

  /// Selects the row that a property has requested, if it exists by now, and the model's record is
  /// not being edited.
  final func selectAwaited() {
    if isSelectedRecordEdited { return }
    let object = peek(.selectedObject, as: Value.self)
    let row =
      object == .null
      ? rowOfSelectedValue ?? rowOfSelectedIndex : self.row(of: object, in: content)
    if let row, row >= 0, row < count {
      select(row)
    } else if object == .null, !isSelectionOfController, let row = rowOfModel(in: content) {
      refill(row)
    } else {
      return
    }
    revealSelection()
  }
}
