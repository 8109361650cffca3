package import TideBindings
import TideGraph

/// The interaction state of a scene: focus, open floats, and the views involved in mouse gestures.
/// It is saved before a reload replaces the views, then transferred to the new views, or restored
/// if the reload fails.
package struct InteractionState {
  let focused: View?
  let floats: [View]
  let modals: [ModalFocus]
  let pressed: View?
  let pendingFocus: View?
  let popUps: [(view: View, open: OpenPopUps)]
  let contextMenu: ContextMenu.Look?
  /// The view over which the left button was pressed, and the views under the mouse.
  let clicked: View?
  let hovered: [View]
  /// Restore the state of views that depends on data the reload may change.
  let restorers: [() -> Void]

  init(of scene: Scene) {
    restorers = TreeWalk(scene.window).compactMap { $0.stateRestorer() }
    focused = scene.focused
    floats = scene.floats.shown
    modals = scene.focusRecovery.modals
    pressed = scene.input.pressed
    pendingFocus = scene.focus.pending
    contextMenu = scene.input.contextMenu?.look
    clicked = scene.input.clicked
    hovered = scene.input.hover.views.compactMap(\.view)
    var anchors: [View] = []
    for case let popUp as PopUpView in scene.floats.all {
      guard let anchor = popUp.anchor, !(anchor is PopUpView),
        !anchors.contains(where: { $0 === anchor })
      else { continue }
      anchors.append(anchor)
    }
    popUps = anchors.compactMap { view in view.openPopUps.map { (view, $0) } }
  }
}

/// The open part of a picker or a menu: the open title, and the highlighted item and scroll
/// position at each depth.
struct OpenPopUps {
  var title = 0
  /// The outermost pane first.
  var panes: [ChoicePane.Look] = []
  /// The day cursor of an open calendar.
  var day: CalendarDay?
}

extension Scene {
  /// The current interaction state.
  package var interactionState: InteractionState { InteractionState(of: self) }

  /// Shows a new version of the current view, and transfers the user's state to the new views: the
  /// focus, carets, scroll positions, selections, open pop-ups, and changes made in views that are
  /// not in the model.
  ///
  /// A new view replaces an old one of the same class with the same `id`, or else with the same
  /// `key` or the same position among siblings of its class, below views that replace each other. A
  /// view that requested the focus before it was shown gets it only if there was no focus to
  /// transfer.
  ///
  /// The transfer is not a change of focus: fields send neither `blur` nor `focus`.
  ///
  /// - Throws: `badTree`, like `Scene.show`; in that case the old view stays with its state.
  package func reconcile(with view: View) throws(TideError) {
    guard let old = shown, old !== view else { return try show(view) }
    let reconciliation = Reconciliation(
      from: old, to: view, focused: host.focusOfOthers?() ?? [])
    let state = InteractionState(of: self)
    detachFocus()
    // Edits of records continue.
    input.depth += 1
    defer { input.depth -= 1 }
    do {
      try show(view)
    } catch {
      restore(state)
      throw error
    }
    moveRecordEdits { reconciliation.replacement(of: $0) }
    for pair in reconciliation.pairs { pair.new.adoptState(of: pair.old, reconciliation) }
    // A script that focuses its first view would move the focus at every reload.
    let pending = focus.pending
    focus.pending = nil
    focus.needsAutofocus = false
    // Must precede the layout, in which modal floats would take the focus.
    adoptFloats(state, by: reconciliation)
    if let new = newFocus(for: state, reconciliation) { moveFocus(to: new, from: state) }
    if reconciliation.hasPendingCells {
      layOut()
      reconciliation.adoptCells()
      moveRecordEdits { reconciliation.replacement(of: $0) }
      adoptFocusBeforeModals(state, by: reconciliation)
    }
    adoptRest(state, by: reconciliation)
    if focused == nil {
      focus.pending = pending
      focus.needsAutofocus = true
    } else {
      pending?.wantsFocus = false
    }
    reconciliation.finish()
    replaced = reconciliation.pairs
    renderer?.replace(replaced)
  }

  /// Shows the old view with its saved state, because the reload that was to replace it has failed.
  package func restore(_ view: View, _ state: InteractionState) throws(TideError) {
    detachFocus()
    try show(view)
    restore(state)
    moveRecordEdits { [replaced] view in replaced.first { $0.new === view }?.old }
    renderer?.replace(replaced.map { ($0.new, $0.old) })
    replaced = []
  }

  /// Restores views that depend on data the reload had changed, after that data was restored.
  package func restoreViews(_ state: InteractionState) {
    // A view that had moved to the new version may have returned only now.
    if focused == nil, let focused = state.focused, canFocus(focused) { focus.view = focused }
    for restore in state.restorers { restore() }
    reopenPopUps(of: state)
  }

  private func reopenPopUps(of state: InteractionState) {
    reopenPopUps(of: state) { $0.scene === self ? $0 : nil }
  }

  private func reopenPopUps(of state: InteractionState, at replacement: (View) -> View?) {
    if state.popUps.isEmpty && state.contextMenu == nil { return }
    // Pop-ups are positioned relative to their anchors, which must be laid out first.
    layOut()
    for (view, popUps) in state.popUps { replacement(view)?.reopen(popUps) }
    if let look = state.contextMenu, let owner = replacement(look.owner) {
      reopen(look, of: owner)
    }
  }

  /// Removes the focus without sending `blur`.
  private func detachFocus() {
    focus.detach()
    focusRecovery.gap = nil
    focusRecovery.hiddenView = nil
  }

  private func restore(_ state: InteractionState) {
    floats.restore(state.floats.filter { $0.scene === self })
    focusRecovery.modals = state.modals
    input.pressed = state.pressed
    input.clicked = state.clicked
    focus.pending = state.pendingFocus
    focus.needsAutofocus = false
    if let focused = state.focused, focused.scene === self { focus.view = focused }
    reopenPopUps(of: state)
  }

  private func adoptFloats(_ state: InteractionState, by reconciliation: Reconciliation) {
    let adopted = state.floats.compactMap { reconciliation.replacement(of: $0) }
    var seen: Set<ObjectIdentifier> = []
    floats.restore(
      (adopted + floats.shown).filter {
        $0.scene === self && $0.layout.isFloating && seen.insert(ObjectIdentifier($0)).inserted
          && $0.isShown
      })
    focusRecovery.modals = state.modals.compactMap { modal in
      // A question is not in a tree, and stays until its task has ended.
      let kept = modal.float.flatMap { $0.scene === self ? $0 : nil }
      guard let float = modal.float.flatMap({ reconciliation.replacement(of: $0) }) ?? kept else {
        return nil
      }
      let previous = modal.previous.flatMap { reconciliation.replacement(of: $0) }
      return modal.moved(to: float, previous: previous)
    }
  }

  /// The view focused before a modal float may be in a cell, and cells are replaced only now.
  private func adoptFocusBeforeModals(
    _ state: InteractionState, by reconciliation: Reconciliation
  ) {
    for modal in state.modals {
      guard
        let float = modal.float.flatMap({
          reconciliation.replacement(of: $0) ?? ($0.scene === self ? $0 : nil)
        }),
        let index = focusRecovery.modals.firstIndex(where: {
          $0.float === float && $0.previous == nil
        })
      else { continue }
      focusRecovery.modals[index].previous =
        modal.previous.flatMap { reconciliation.replacement(of: $0) }
    }
  }

  private func adoptRest(_ state: InteractionState, by reconciliation: Reconciliation) {
    input.pressed = state.pressed.flatMap { reconciliation.replacement(of: $0) }
    input.clicked = state.clicked.flatMap { reconciliation.replacement(of: $0) }
    input.moveTyping { reconciliation.replacement(of: $0) }
    // The new views must be notified when the mouse leaves.
    input.hover.views = state.hovered.compactMap { view in
      reconciliation.replacement(of: view).map { HoverState.Reference(view: $0) }
    }
    if focused == nil {
      // If the cell with the focus no longer exists, its list gets the focus.
      let new =
        newFocus(for: state, reconciliation)
        ?? state.focused?.rowsAround.flatMap { reconciliation.replacement(of: $0) }
      if let new { moveFocus(to: new, from: state) }
    }
    reopenPopUps(of: state) { reconciliation.replacement(of: $0) }
  }

  /// The view that replaces the focused one, or the focused view itself if the new version contains
  /// it.
  private func newFocus(for state: InteractionState, _ reconciliation: Reconciliation) -> View? {
    guard let old = state.focused else { return nil }
    return old.scene === self ? old : reconciliation.replacement(of: old)
  }

  private func moveFocus(to new: View, from state: InteractionState) {
    guard let old = state.focused, canFocus(new) else { return }
    focus.view = new
    if new === old { return }
    new.put(.focused, true)
    new.setNeedsDraw()
    new.focusMoved(from: old)
    new.tellAncestorsOfFocus(keepsSelection: true)
  }
}

extension View {
  /// The view of rows that has this view in one of its cells.
  fileprivate var rowsAround: RowsView? {
    var view = parent
    while let current = view {
      if let rows = current as? RowsView { return rows }
      view = current.parent
    }
    return nil
  }
}
