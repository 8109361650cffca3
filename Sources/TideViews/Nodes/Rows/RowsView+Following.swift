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
      let row = graph.untracked { content?.index(of: object) }
      // What was selected and is gone is not waited for.
      if row == nil && wasSelected { select(nil) } else { adopt(row, of: .selectedObject) }
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
    select(row ?? rowAfterLost(edits))
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
    let row = object == .null ? rowOfSelectedIndex : content?.index(of: object)
    guard let row, row >= 0, row < count else { return }
    select(row)
    revealSelection()
  }
}
