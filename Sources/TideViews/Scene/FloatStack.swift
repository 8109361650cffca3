import TideBindings

/// The views that float above the rest: dialogs, which may be anywhere in the tree, and pop-ups,
/// which are shown temporarily by another view.
///
///     window and its views        drawn first
///     shown[0], shown[1], …       each covers the previous ones; the latest is on top
///
/// A float is arranged relative to the whole screen, and redrawn whenever anything below it is, so
/// that nothing shows through.
struct FloatStack {
  /// All floating views of the scene, in the order in which they were added.
  private(set) var all: [View] = []
  /// The visible floats, the topmost last.
  private(set) var shown: [View] = []
  /// Whether a visible float has left the scene.
  private(set) var hasLostShown = false
  /// The person acting, if several share the scene; nil for the user of a terminal and for the
  /// program itself.
  var person: ScenePerson?

  var isEmpty: Bool { all.isEmpty && shown.isEmpty && !hasLostShown }

  mutating func add(_ view: View) {
    view.layout.isFloating = true
    all.append(view)
  }

  /// Removes the views that have left the scene; the caller still holds them.
  mutating func removeViews(outside scene: Scene) {
    all.removeAll { $0.scene !== scene }
    let count = shown.count
    // Done at once, because the next input may arrive before the next frame.
    shown.removeAll { $0.scene !== scene }
    if shown.count < count { hasLostShown = true }
  }

  /// Sets the visible floats; returns whether they or their order have changed.
  ///
  /// Floats that were visible before keep their order; new ones are placed on top.
  mutating func show(_ wanted: [View]) -> Bool {
    let identities = Set(wanted.map { ObjectIdentifier($0) })
    var new = shown.filter { identities.contains(ObjectIdentifier($0)) }
    let kept = Set(new.map { ObjectIdentifier($0) })
    new += wanted.filter { !kept.contains(ObjectIdentifier($0)) }
    if !hasLostShown && new.elementsEqual(shown, by: ===) { return false }
    hasLostShown = false
    shown = new
    return true
  }

  /// Sets the visible floats in the given order.
  mutating func restore(_ shown: [View]) { self.shown = shown }

  // MARK: Modal floats

  /// The float that blocks everything below it.
  ///
  /// A float that has just been hidden is excluded, although it is visible until the next frame. So
  /// is another person's dialog.
  var modal: View? { shown.last { $0.isModal && $0.isShown && isForPerson($0) } }

  /// Whether a modal float blocks a view.
  func isBlocked(_ view: View) -> Bool {
    if shown.isEmpty { return false }
    let own = float(of: view)
    if let own, !isForPerson(own) { return true }
    let isInTheWay = { (float: View) in float.isModal && float.isShown && isForPerson(float) }
    guard let modal = shown.lastIndex(where: isInTheWay) else { return false }
    guard let own else { return true }
    return !shown[modal...].contains { $0 === own }
  }

  /// The dialogs in the tree that are visible or will be in the next frame.
  var openDialogs: [DialogView] {
    all.compactMap { float in
      guard float.parent != nil, float.isShown else { return nil }
      return float as? DialogView
    }
  }

  /// Removes the person from hidden dialogs.
  func releaseHiddenDialogs() {
    for case let dialog as DialogView in all where dialog.parent != nil && !dialog.isShown {
      if dialog.person != nil { dialog.belong(to: nil, whoseFocusIs: nil) }
    }
  }

  /// Whether the acting person sees a float; false only for another person's dialog.
  func isForPerson(_ float: View) -> Bool {
    guard let person, let owner = (float as? DialogView)?.person else { return true }
    return owner === person
  }

  /// Whether floats were added or removed since the last layout.
  var isUnplaced: Bool {
    hasLostShown || all.contains { float in float.isShown && !shown.contains { $0 === float } }
  }

  /// The float that contains a view or is the view; nil for a view of the window.
  func float(of view: View) -> View? {
    if all.isEmpty { return nil }
    var current: View? = view
    while let ancestor = current {
      if ancestor.layout.isFloating { return ancestor }
      current = ancestor.parent
    }
    return nil
  }

  /// The layer at a point: a float or the window; nil if a modal float blocks the point.
  func layer(at point: Point, above window: View) -> View? {
    for float in shown.reversed() {
      if !float.isShown { continue }
      if float.layout.visible.contains(point) { return float }
      if float.isModal { return nil }
    }
    return window
  }
}

extension Scene {
  /// Lays out new floats and removes old ones, so that the next input reaches the right view.
  package func placeNewFloats() {
    if floats.isUnplaced { layOut() }
  }

  /// Shows a view that is not in the tree above the others, until it is dismissed.
  package func present(_ popUp: View) {
    if popUp.scene === self { return }
    popUp.scene?.dismiss(popUp)
    // A question that the program asks outside any person's action is shown to everyone.
    if let question = popUp as? QuestionDialog, question.person == nil, let actor, actor !== user {
      question.ask(actor, whoseFocusIs: currentFocus(of: actor))
    }
    enter(popUp)
  }

  package func dismiss(_ popUp: View) {
    if popUp.scene === self { leave(popUp) }
  }

  /// Closes a dialog that belongs to a person who has left.
  package func closeForPerson(_ dialog: DialogView) {
    withinBudget { acting(as: dialog.person) { dialog.close() } }
  }

  /// The dialogs in the tree that are shown to one person only.
  package var ownDialogs: [DialogView] { floats.openDialogs.filter { $0.person != nil } }

  /// The views above the others that are not in a tree, topmost first. Views that belong to another
  /// view, such as the list of a picker, are excluded.
  package var presented: [View] {
    floats.all.reversed().filter { $0.parent == nil && $0.presenter == nil && $0 !== window }
  }

  /// Closes the topmost dialog by an unhandled key; false if there is none.
  ///
  /// While a dialog that is not modal is open, the focus may be elsewhere. If the dialog contains
  /// no focusable view, only the mouse could close it otherwise.
  func closeDialog(by key: Key) -> Bool {
    floats.shown.last { $0 is DialogView && $0.isUsable && floats.isForPerson($0) }?.handle(key)
      ?? false
  }

  /// Determines the visible floats and their rectangles.
  func placeFloats() {
    if floats.isEmpty { return }
    closeStrayPopUps()
    var wanted: [View] = []
    for float in floats.all {
      if float.isShown { wanted.append(float) }
      if layout.isLate(at: float) { return }
    }
    floats.releaseHiddenDialogs()
    let before = floats.shown
    if floats.show(wanted) {
      layout.needsDraw(window)
      if focus.hasAutofocus {
        for float in floats.shown where !before.contains(where: { $0 === float }) {
          noteAutofocus(in: float)
        }
      }
    }
    let screen = Rect(size)
    for float in floats.shown {
      let rect = float.floatingRect(on: screen, by: layout)
      let visible = rect.intersection(screen)
      if rect == float.layout.rect && visible == float.layout.visible { continue }
      float.layout.rect = rect
      float.layout.visible = visible
      layout.needsBounds(float)
      layout.needsArrange(float)
      layout.needsDraw(window)
    }
  }

  /// Gives the focus to the `autofocus` view of a new dialog that is not modal. A modal dialog does
  /// so when it takes the focus.
  private func noteAutofocus(in float: View) {
    guard !isSilent, !float.isModal, focus.pending == nil, !focus.needsAutofocus else { return }
    focus.pending = autofocus(in: float)
  }

  /// Closes pop-ups whose anchor is gone.
  private func closeStrayPopUps() {
    for case let popUp as PopUpView in floats.all {
      guard let anchor = popUp.anchor else {
        popUp.close()
        continue
      }
      let isInSight = anchor is PopUpView || !anchor.layout.visible.isEmpty
      if isInSight { popUp.sizeInSight = size }
      // A pop-up stays open if its anchor is hidden because the screen has become too small.
      let isOutOfSight = !isInSight && popUp.sizeInSight == size
      if anchor.scene !== self || !anchor.isUsable || isOutOfSight { popUp.close() }
    }
  }

  /// Whether a float covers a point of a view.
  func isCovered(_ point: Point, of view: View) -> Bool {
    if floats.shown.isEmpty { return false }
    guard let layer = floats.layer(at: point, above: window) else { return true }
    return layer !== (floats.float(of: view) ?? window)
  }
}

extension View {
  /// Whether it blocks the views below it while it is visible.
  var isModal: Bool { layout.isFloating && flag(.modal) }
}
