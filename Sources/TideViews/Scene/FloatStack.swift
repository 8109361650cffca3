import TideBindings

/// What stands above the rest: dialogs, wherever they are in the tree, and pop-ups, which belong to
/// a view that shows them for a while.
///
///     window and its views        drawn first
///     shown[0], shown[1], …       each covers those before it; one that is shown later is higher
///
/// A float is arranged against the whole screen and drawn again whenever something below it is, so
/// that nothing shows through.
struct FloatStack {
  /// All views that float when they are shown, in the order in which they came.
  private(set) var all: [View] = []
  /// Those that are shown, the highest last.
  private(set) var shown: [View] = []
  /// One of those shown has left.
  private(set) var hasLostShown = false
  /// Who acts, where several people share the scene; nil for whoever is at a terminal, and for the
  /// program.
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
    // At once: the next input may come before the next frame.
    shown.removeAll { $0.scene !== scene }
    if shown.count < count { hasLostShown = true }
  }

  /// Shows these; true when they are others than before, or in another order.
  ///
  /// Those that were shown before keep their order; the rest come on top of them.
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

  /// Shows these in this order.
  mutating func restore(_ shown: [View]) { self.shown = shown }

  // MARK: Questions

  /// The float that keeps everything below it from being used.
  ///
  /// One that has just been hidden does not count, though it shows until the next frame, nor does
  /// the question of another person.
  var modal: View? { shown.last { $0.isModal && $0.isShown && isForPerson($0) } }

  /// Whether a view is kept from being used by a modal float.
  func isBlocked(_ view: View) -> Bool {
    if shown.isEmpty { return false }
    let own = float(of: view)
    if let own, !isForPerson(own) { return true }
    let isInTheWay = { (float: View) in float.isModal && float.isShown && isForPerson(float) }
    guard let modal = shown.lastIndex(where: isInTheWay) else { return false }
    guard let own else { return true }
    return !shown[modal...].contains { $0 === own }
  }

  /// The dialogs in the tree that are shown, or will be with the next frame.
  var openDialogs: [DialogView] {
    all.compactMap { float in
      guard float.parent != nil, float.isShown else { return nil }
      return float as? DialogView
    }
  }

  /// A dialog that is hidden is nobody's.
  func releaseHiddenDialogs() {
    for case let dialog as DialogView in all where dialog.parent != nil && !dialog.isShown {
      if dialog.person != nil { dialog.belong(to: nil, whoseFocusIs: nil) }
    }
  }

  /// Whether the present person sees a float: false only for another person's dialog.
  func isForPerson(_ float: View) -> Bool {
    guard let person, let owner = (float as? DialogView)?.person else { return true }
    return owner === person
  }

  /// Whether some have come or gone since they were placed last.
  var isUnplaced: Bool {
    hasLostShown || all.contains { float in float.isShown && !shown.contains { $0 === float } }
  }

  /// The float that a view is in, which may be itself; nil for the window's own.
  func float(of view: View) -> View? {
    if all.isEmpty { return nil }
    var current: View? = view
    while let ancestor = current {
      if ancestor.layout.isFloating { return ancestor }
      current = ancestor.parent
    }
    return nil
  }

  /// What shows at a point: a float, the window, or nothing that may be used.
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
  /// Brings what has come up or gone since the last frame to its place, so that it counts before
  /// somebody acts again.
  package func placeNewFloats() {
    if floats.isUnplaced { layOut() }
  }

  /// Shows a view above the others that is in no tree, until it is dismissed.
  package func present(_ popUp: View) {
    if popUp.scene === self { return }
    popUp.scene?.dismiss(popUp)
    // A question that the program asks by itself is for all.
    if let question = popUp as? QuestionDialog, question.person == nil, let actor, actor !== user {
      question.ask(actor, whoseFocusIs: currentFocus(of: actor))
    }
    enter(popUp)
  }

  package func dismiss(_ popUp: View) {
    if popUp.scene === self { leave(popUp) }
  }

  /// Closes a dialog in place of the person who sees it alone, and who is away.
  package func closeForPerson(_ dialog: DialogView) {
    withinBudget { acting(as: dialog.person) { dialog.close() } }
  }

  /// The dialogs in the tree that one person sees alone.
  package var ownDialogs: [DialogView] { floats.openDialogs.filter { $0.person != nil } }

  /// The views that are shown above the others and are in no tree, the highest first: those that
  /// belong to another view, as the list of a picker does, are not among them.
  package var presented: [View] {
    floats.all.reversed().filter { $0.parent == nil && $0.presenter == nil && $0 !== window }
  }

  /// Closes the highest dialog by a key that no view took; false when there is none.
  ///
  /// The focus may be elsewhere while a dialog shows that is not modal, and where nothing in it can
  /// have the focus it always is: only a mouse could close it.
  func closeDialog(by key: Key) -> Bool {
    floats.shown.last { $0 is DialogView && $0.isUsable && floats.isForPerson($0) }?.handle(key)
      ?? false
  }

  /// Finds out which floats show, and where.
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

  /// A dialog that appears gives the focus to a view that is to have it, also where it is not
  /// modal; a modal one does so when it takes the focus into it.
  private func noteAutofocus(in float: View) {
    guard !isSilent, !float.isModal, focus.pending == nil, !focus.needsAutofocus else { return }
    focus.pending = autofocus(in: float)
  }

  /// Pop-ups do not outlast what they belong to.
  private func closeStrayPopUps() {
    for case let popUp as PopUpView in floats.all {
      guard let anchor = popUp.anchor else {
        popUp.close()
        continue
      }
      let isInSight = anchor is PopUpView || !anchor.layout.visible.isEmpty
      if isInSight { popUp.sizeInSight = size }
      // A screen that was made too small for the anchor does not close the pop-up.
      let isOutOfSight = !isInSight && popUp.sizeInSight == size
      if anchor.scene !== self || !anchor.isUsable || isOutOfSight { popUp.close() }
    }
  }

  /// Whether something floats over a point that belongs to a view.
  func isCovered(_ point: Point, of view: View) -> Bool {
    if floats.shown.isEmpty { return false }
    guard let layer = floats.layer(at: point, above: window) else { return true }
    return layer !== (floats.float(of: view) ?? window)
  }
}

extension View {
  /// Whether it keeps what is below it from being used while it shows.
  var isModal: Bool { layout.isFloating && flag(.modal) }
}
