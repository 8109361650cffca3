import TideBindings
import TideGraph

extension View {
  /// Removes subviews permanently, before their bindings and handlers end.
  ///
  /// Commits the user's input in them, then sends `editingDidEnd`, `blur` and `didDisappear`. The
  /// focus moves to the next row.
  ///
  /// - Parameters:
  ///   - gone: the removed subviews.
  ///   - rows: all rows before the removal; empty if the subviews are not rows.
  ///   - remaining: the rows after the removal.
  package final func dismiss(_ gone: [View], of rows: [View] = [], leaving remaining: [View] = []) {
    if gone.isEmpty { return }
    if let scene, !scene.host.isTryingReload {
      let areRows = rows.count > 1 || !remaining.isEmpty
      if areRows { scene.noteRows(gone, of: rows, leaving: remaining) }
      let leaving = gone.filter { $0.parent === self }
      let views = leaving.flatMap { Array(TreeWalk($0)) }
      for view in views { view.endEntry() }
      if let top = leaving.first(where: { scene.focused?.isWithin($0) == true }) {
        // The position of the removed row among the remaining ones.
        let before = rows.prefix { $0 !== top }.filter { row in gone.contains { $0 === row } }
        let index = max(0, index(of: top) - before.count)
        scene.noteFocusGap(
          of: top, in: self, at: index,
          isOfInputRow: areRows && scene.focused?.isInput == true)
        scene.focus(nil)
      }
      for view in leaving { view.remove() }
      for view in views where view.scene == nil && view.hasAppeared {
        view.hasAppeared = false
        _ = view.deliver(Event(.didDisappear, sender: view))
      }
    } else {
      for view in gone where view.parent === self { view.remove() }
    }
  }

  /// Commits the input, or notifies the user of refused input, because the view is removed
  /// permanently.
  private func endEntry() {
    guard flag(.focusable) else { return }
    if let field = self as? TextInputView, field.isBeingEdited { field.endEditing() }
    writeDelayedEntry()
    guard let entry = unwrittenEntry, !entry.isEmpty else { return }
    let passage = passage
    if !passage.records.isEmpty {
      BindingTable.of(graph).recordsToEdit.lose(entry, of: self, passage)
    }
  }
}
