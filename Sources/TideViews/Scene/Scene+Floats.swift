import TideBindings

// What stands above the rest: dialogs, wherever they are in the tree, and pop-ups, which belong to a
// view that shows them for a while.
//
//     window and its views          drawn first
//     floats[0], floats[1], …       each covers those before it; one that is shown later is higher
//
// A float is arranged against the whole screen and drawn again whenever something below it is, so
// that nothing shows through.
extension Scene {
  /// Takes note of a view that floats.
  func noteFloat(_ view: View) {
    view.layout.isFloating = true
    floats.append(view)
  }

  /// Lets go of those that have left.
  func forgetFloats() {
    floats.removeAll { $0.scene !== self }
    let count = shownFloats.count
    // At once: the next input may come before the next frame.
    shownFloats.removeAll { $0.scene !== self }
    if shownFloats.count < count { floatsChanged = true }
  }

  /// Shows a view above the others that is in no tree, until it is dismissed.
  func present(_ popUp: View) {
    if popUp.scene === self { return }
    popUp.scene?.dismiss(popUp)
    enter(popUp)
  }

  func dismiss(_ popUp: View) {
    if popUp.scene === self { leave(popUp) }
  }

  /// The float that keeps everything below it from being used.
  var modal: View? { shownFloats.last { isModalNow($0) } }

  /// One that has just been hidden does not count, though it shows until the next frame.
  private func isModalNow(_ float: View) -> Bool { float.isModal && isShown(float) }

  /// Closes the highest dialog by a key that nobody had a use for; whether there is one.
  ///
  /// The keys may be elsewhere while one shows that is not modal, and where nothing in it can have
  /// the focus they always are: only a mouse could close it.
  func closeDialog(by key: Key) -> Bool {
    shownFloats.last { $0 is DialogView && isUsable($0) }?.handle(key) ?? false
  }

  /// Finds out which floats show, and where.
  func placeFloats() {
    if floats.isEmpty && shownFloats.isEmpty && !floatsChanged { return }
    closeStrayPopUps()
    // Those that showed already keep their order; the rest come on top of them.
    var wanted: [View] = []
    for float in floats {
      if isShown(float) { wanted.append(float) }
      if layout.isLate(at: float) { return }
    }
    let identities = Set(wanted.map { ObjectIdentifier($0) })
    var shown = shownFloats.filter { identities.contains(ObjectIdentifier($0)) }
    let former = Set(shown.map { ObjectIdentifier($0) })
    shown += wanted.filter { !former.contains(ObjectIdentifier($0)) }
    if floatsChanged || !shown.elementsEqual(shownFloats, by: ===) {
      floatsChanged = false
      shownFloats = shown
      layout.needsDraw(window)
    }
    let screen = Rect(size)
    for float in shown {
      let place = float.floatingPlace(on: screen, by: layout)
      let visible = place.intersection(screen)
      if place == float.layout.place && visible == float.layout.visible { continue }
      float.layout.place = place
      float.layout.visible = visible
      layout.needsArrange(float)
      layout.needsDraw(window)
    }
  }

  /// Pop-ups do not outlast what they belong to.
  private func closeStrayPopUps() {
    for case let popUp as PopUpView in floats {
      guard let anchor = popUp.anchor else {
        popUp.close()
        continue
      }
      if anchor.scene !== self || !isUsable(anchor)
        || anchor.layout.visible.isEmpty && !(anchor is PopUpView)
      {
        popUp.close()
      }
    }
  }

  /// Whether neither the view nor one above it is hidden or put out of sight.
  func isShown(_ view: View) -> Bool {
    var current: View? = view
    while let shown = current {
      if shown.flag(.hidden) || shown.parent?.conceals(shown) == true { return false }
      current = shown.parent
    }
    return true
  }

  /// The float that a view is in, which may be itself; nil for the window's own.
  func float(of view: View) -> View? {
    if floats.isEmpty { return nil }
    var current: View? = view
    while let ancestor = current {
      if ancestor.layout.isFloating { return ancestor }
      current = ancestor.parent
    }
    return nil
  }

  /// Whether a view is kept from being used by a modal float.
  func isBlocked(_ view: View) -> Bool {
    if shownFloats.isEmpty { return false }
    guard let modal = shownFloats.lastIndex(where: { isModalNow($0) }) else { return false }
    guard let own = float(of: view) else { return true }
    return !shownFloats[modal...].contains { $0 === own }
  }

  /// What shows at a place: a float, the window, or nothing that may be used.
  func layer(at point: Point) -> View? {
    for float in shownFloats.reversed() {
      if !isShown(float) { continue }
      if float.layout.visible.contains(point) { return float }
      if float.isModal { return nil }
    }
    return window
  }

  /// Whether something floats over a place that belongs to a view.
  func isCovered(_ point: Point, of view: View) -> Bool {
    if shownFloats.isEmpty { return false }
    guard let layer = layer(at: point) else { return true }
    return layer !== (float(of: view) ?? window)
  }
}

extension View {
  /// Whether it keeps what is below it from being used while it shows.
  var isModal: Bool { layout.isFloating && flag(.modal) }
}
