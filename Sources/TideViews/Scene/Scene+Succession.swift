public import TideBindings
import TideGraph

extension Scene {
  /// Shows a new version of the view shown so far: whatever a person has done to views moves to those
  /// that stand for them. That is the focus, carets, scroll positions, what is selected and open, and
  /// what was changed in views and is not the model's.
  ///
  /// A view stands for an old one of its class with the same `id`, or else with the same `key`, or
  /// place among its class, below views that stand for each other. A view that asked for the focus
  /// before it was shown gets it only where there was none to move.
  ///
  /// It is one person's work that goes on: no field tells that it was left, or that it was come to.
  public func succeed(with view: View) throws(TideError) {
    guard let old = shown, old !== view else { return try show(view) }
    let succession = Succession(from: old, to: view)
    let stage = Stage(of: self)
    detachFocus()
    do {
      try show(view)
    } catch {
      restore(stage)
      throw error
    }
    for pair in succession.pairs { pair.new.takeState(of: pair.old, succession) }
    // A script that gives the focus to its first view would take it away at every save.
    let wanted = focusWhenShown
    focusWhenShown = nil
    // Before anything is laid out: what is modal would take the focus.
    takeFloats(stage, by: succession)
    if let heir = heir(of: stage, succession) { passFocus(to: heir, from: stage) }
    if succession.wantsCells {
      layOut()
      succession.passCells()
      findFocusBeforeModals(stage, by: succession)
    }
    takeRest(stage, by: succession)
    if focused == nil { focusWhenShown = wanted } else { wanted?.wantsFocus = false }
    succession.end()
  }

  /// Shows a view again, as it was when the stage was noted: a version that was to succeed it is no
  /// good.
  package func goBack(to view: View, _ stage: Stage) throws(TideError) {
    detachFocus()
    try show(view)
    restore(stage)
  }

  /// Lets views be what they were, after what they follow is as it was.
  package func restoreStates(of stage: Stage) {
    // A view that the other version had taken over has come back only now.
    if focused == nil, let focused = stage.focused, canFocus(focused) { self.focused = focused }
    for keeper in stage.keepers { keeper() }
    reopenPopUps(of: stage)
  }

  private func reopenPopUps(of stage: Stage) {
    if stage.popUps.isEmpty { return }
    // They open beside what has a place.
    layOut()
    for (view, popUps) in stage.popUps where view.scene === self { view.reopen(popUps) }
  }

  /// What a person is about to use, for as long as another version is tried.
  package var stage: Stage { Stage(of: self) }

  /// Nobody has the focus, and nobody is told.
  private func detachFocus() {
    focused = nil
    revealsFocus = false
    focusGap = nil
    viewLosingFocus = nil
  }

  private func restore(_ stage: Stage) {
    shownFloats = stage.floats.filter { $0.scene === self }
    modalStack = stage.modals
    pressed = stage.pressed
    focusWhenShown = stage.focusWhenShown
    if let focused = stage.focused, focused.scene === self { self.focused = focused }
    reopenPopUps(of: stage)
  }

  private func takeFloats(_ stage: Stage, by succession: Succession) {
    let floats = stage.floats.compactMap { succession.heir(of: $0) }
    let shown = Set((floats + shownFloats).map { ObjectIdentifier($0) })
    var seen: Set<ObjectIdentifier> = []
    shownFloats = (floats + shownFloats).filter {
      $0.scene === self && $0.layout.isFloating && shown.contains(ObjectIdentifier($0))
        && seen.insert(ObjectIdentifier($0)).inserted && isShown($0)
    }
    modalStack = stage.modals.compactMap { turn in
      guard let float = turn.float.flatMap({ succession.heir(of: $0) }) else { return nil }
      return ModalTurn(float: float, before: turn.before.flatMap { succession.heir(of: $0) })
    }
  }

  /// Who had the focus before a modal float may have been in a cell, which has an heir only now.
  private func findFocusBeforeModals(_ stage: Stage, by succession: Succession) {
    for turn in stage.modals {
      guard let float = turn.float.flatMap({ succession.heir(of: $0) }),
        let index = modalStack.firstIndex(where: { $0.float === float && $0.before == nil })
      else { continue }
      modalStack[index].before = turn.before.flatMap { succession.heir(of: $0) }
    }
  }

  private func takeRest(_ stage: Stage, by succession: Succession) {
    pressed = stage.pressed.flatMap { succession.heir(of: $0) }
    if focused == nil {
      // What was focused in a cell that is there no more leaves the focus to its list.
      let rows = stage.focused?.rowsAround
      let heir = heir(of: stage, succession) ?? rows.flatMap { succession.heir(of: $0) }
      if let heir { passFocus(to: heir, from: stage) }
    }
    if stage.popUps.isEmpty { return }
    // They open beside what has a place.
    layOut()
    for (view, popUps) in stage.popUps { succession.heir(of: view)?.reopen(popUps) }
  }

  /// What stands for the view that had the focus, which may itself have moved to the new version.
  private func heir(of stage: Stage, _ succession: Succession) -> View? {
    guard let old = stage.focused else { return nil }
    return old.scene === self ? old : succession.heir(of: old)
  }

  private func passFocus(to heir: View, from stage: Stage) {
    guard let old = stage.focused, canFocus(heir) else { return }
    focused = heir
    if heir === old { return }
    heir.put(.focused, true)
    heir.setNeedsDraw()
    heir.focusPassed(from: old)
    var above = heir.parent
    while let ancestor = above {
      above = ancestor.parent
      ancestor.focusWithinChanged()
    }
  }
}

/// What a person is about to use: where the keys go, what is open above the rest, which view has the
/// mouse.
package struct Stage {
  let focused: View?
  let floats: [View]
  let modals: [ModalTurn]
  let pressed: View?
  let focusWhenShown: View?
  let popUps: [(view: View, open: OpenPopUps)]
  /// For those that follow what a version that is tried may change.
  let keepers: [() -> Void]

  init(of scene: Scene) {
    keepers = TreeWalk(scene.window).compactMap { $0.stateKeeper() }
    focused = scene.focused
    floats = scene.shownFloats
    modals = scene.modalStack
    pressed = scene.pressed
    focusWhenShown = scene.focusWhenShown
    var anchors: [View] = []
    for case let popUp as PopUpView in scene.floats {
      guard let anchor = popUp.anchor, !(anchor is PopUpView),
        !anchors.contains(where: { $0 === anchor })
      else { continue }
      anchors.append(anchor)
    }
    popUps = anchors.compactMap { view in view.openPopUps.map { (view, $0) } }
  }
}

/// What a picker or a menu has open: which title, and what is lit and in sight at each depth.
struct OpenPopUps {
  var title = 0
  /// The outermost first.
  var panes: [ChoicePane.Look] = []
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
