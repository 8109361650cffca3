import TideBindings
import TideGraph

// The rows of what `items` holds, and what is selected and in sight as they come and go.
extension RowsView {
  /// Takes over another list in `items`.
  final func followItems() {
    let items = peek(.items, as: Value.self)
    if items == shownItems { return }
    shownItems = items
    replaceSource()
    firstRow = 0
    flexible?.window.skipped = 0
  }

  /// Finds the rows anew.
  final func findSource() {
    content = graph.untracked { makeSource(shownItems) }
    forgetHeights()
    (content as? ListFollowing)?.notesRemovals = mode == .many
  }

  /// Finds the rows anew, and the selected one among them.
  ///
  /// A selection among the first rows is scrolled to, whichever of the two was set first.
  final func replaceSource() {
    let isFirst = content == nil
    defer { if isFirst, selection != nil { revealsSelection = true } }
    noteGiven()
    if mode == .many { return replaceSourceOfMany() }
    let object = peek(.selectedObject, as: Value.self)
    findSource()
    let wasSelected = selection != nil
    if marks.given != nil && (marks.isAwaited || isFirst) {
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
    if marks.isAwaited { return adoptGiven() }
    if selection == nil { return selectAwaited() }
    // Somebody has asked for another row, among those that are there by now.
    if !isSyncing, rowOfSelectedIndex != selection { return followSelectedIndex() }
    let object = peek(.selectedObject, as: Value.self)
    var row = selection
    var isReplaced = false
    for edit in edits {
      if case .replacement(let range) = edit, let row, range.contains(row) { isReplaced = true }
      row = row.flatMap { edit.index(of: $0) }
    }
    if object != .null, row.map({ content?.row($0) != object }) ?? true {
      // Taken out and put back elsewhere, as a new order may be reported.
      row = content?.index(of: object) ?? (isReplaced ? row : nil)
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

  /// Shows what is selected among other rows than before: at a row, or where the model has it. The
  /// model is not written. What was selected and is gone is not waited for where none is bound.
  private func refill(_ row: Int?) {
    guard isChoiceBound, !isSelectionOfController else { return select(row) }
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
    // Where many may be selected, these are followed by what they remove.
    if mode == .many { return false }
    let edits = content?.takePending() ?? []
    if edits.isEmpty { return false }
    moveSight(edits)
    for edit in edits { selection = selection.flatMap { edit.index(of: $0) } }
    return true
  }

  /// Selects what a property has been asking for, if it has come.
  final func selectAwaited() {
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
