package import TideBindings
import TideGraph

/// What a person is busy with: where the keys go, what is open above the rest, which view has the
/// mouse. It is noted before a reload replaces the views, and moved to those that replace them or,
/// when the reload fails, given back.
package struct InteractionState {
  let focused: View?
  let floats: [View]
  let modals: [ModalFocus]
  let pressed: View?
  let pendingFocus: View?
  let popUps: [(view: View, open: OpenPopUps)]
  let contextMenu: ContextMenu.Look?
  /// The view at which the left button was pressed, and those that the mouse is over.
  let clicked: View?
  let hovered: [View]
  /// Restore the state of views that follow what a reload may change.
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

/// What a picker or a menu has open: which title, and what is highlighted and in sight at each
/// depth.
struct OpenPopUps {
  var title = 0
  /// The outermost first.
  var panes: [ChoicePane.Look] = []
  /// Where one is in a calendar.
  var day: CalendarDay?
}

extension Scene {
  /// What a person is busy with now.
  package var interactionState: InteractionState { InteractionState(of: self) }

  /// Shows a new version of the view shown so far: whatever a person has done to views moves to
  /// those that replace them. That is the focus, carets, scroll positions, what is selected and
  /// open, and what was changed in views and is not the model's.
  ///
  /// A view replaces an old one of its class with the same `id`, or else with the same `key`, or
  /// position among its class, below views that replace each other. A view that asked for the focus
  /// before it was shown gets it only where there was none to move.
  ///
  /// It is one person's work that goes on: no field sends that it lost the focus or got it.
  ///
  /// - Throws: `badTree` as `Scene.show` does; the old view then stays with its state.
  package func reconcile(with view: View) throws(TideError) {
    guard let old = shown, old !== view else { return try show(view) }
    let reconciliation = Reconciliation(
      from: old, to: view, focused: host.focusOfOthers?() ?? [])
    let state = InteractionState(of: self)
    detachFocus()
    // What a person does to records goes on.
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
    // A script that gives the focus to its first view would take it away at every save.
    let pending = focus.pending
    focus.pending = nil
    focus.needsAutofocus = false
    // Before anything is laid out: what is modal would take the focus.
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

  /// Shows a view again, as it was when the state was noted: the reload that was to replace it
  /// failed.
  package func restore(_ view: View, _ state: InteractionState) throws(TideError) {
    detachFocus()
    try show(view)
    restore(state)
    moveRecordEdits { [replaced] view in replaced.first { $0.new === view }?.old }
    renderer?.replace(replaced.map { ($0.new, $0.old) })
    replaced = []
  }

  /// Restores views that follow what the reload had changed, after that is as it was.
  package func restoreViews(_ state: InteractionState) {
    // A view that the other version had taken over has come back only now.
    if focused == nil, let focused = state.focused, canFocus(focused) { focus.view = focused }
    for restore in state.restorers { restore() }
    reopenPopUps(of: state)
  }

  private func reopenPopUps(of state: InteractionState) {
    reopenPopUps(of: state) { $0.scene === self ? $0 : nil }
  }

  private func reopenPopUps(of state: InteractionState, at replacement: (View) -> View?) {
    if state.popUps.isEmpty && state.contextMenu == nil { return }
    // They open beside views that have to be laid out before.
    layOut()
    for (view, popUps) in state.popUps { replacement(view)?.reopen(popUps) }
    if let look = state.contextMenu, let owner = replacement(look.owner) {
      reopen(look, of: owner)
    }
  }

  /// Takes the focus away without sending `blur`.
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
      // A question is in no tree, and stays until its task has ended.
      let kept = modal.float.flatMap { $0.scene === self ? $0 : nil }
      guard let float = modal.float.flatMap({ reconciliation.replacement(of: $0) }) ?? kept else {
        return nil
      }
      let previous = modal.previous.flatMap { reconciliation.replacement(of: $0) }
      return modal.moved(to: float, previous: previous)
    }
  }

  /// What had the focus before a modal float may have been in a cell, which is replaced only now.
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
    // Those that replace them are told when the mouse leaves.
    input.hover.views = state.hovered.compactMap { view in
      reconciliation.replacement(of: view).map { HoverState.Reference(view: $0) }
    }
    if focused == nil {
      // What was focused in a cell that is there no more leaves the focus to its list.
      let new =
        newFocus(for: state, reconciliation)
        ?? state.focused?.rowsAround.flatMap { reconciliation.replacement(of: $0) }
      if let new { moveFocus(to: new, from: state) }
    }
    reopenPopUps(of: state) { reconciliation.replacement(of: $0) }
  }

  /// What replaces the view that had the focus, which may itself have moved to the new version.
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
    new.tellAncestorsOfFocus()
  }
}

extension View {
  /// The view of rows in a cell of which this view stands.
  fileprivate var rowsAround: RowsView? {
    var view = parent
    while let current = view {
      if let rows = current as? RowsView { return rows }
      view = current.parent
    }
    return nil
  }
}
