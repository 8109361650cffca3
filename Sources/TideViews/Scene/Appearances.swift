import TideBindings

/// The views added and removed since `willAppear` and `didDisappear` were last sent.
struct Appearances {
  private var coming: [View] = []
  private var going: [View] = []

  var isEmpty: Bool { coming.isEmpty && going.isEmpty }

  // A view without handlers does not need these events.

  mutating func noteEntry(of view: View) {
    if view.hasHandlers { coming.append(view) } else { view.hasAppeared = true }
  }

  mutating func noteExit(of view: View) {
    if view.hasHandlers { going.append(view) } else { view.hasAppeared = false }
  }

  /// Returns and clears the recorded views.
  fileprivate mutating func take() -> (coming: [View], going: [View]) {
    var taken = Appearances()
    swap(&taken, &self)
    return (taken.coming, taken.going)
  }
}

extension Scene {
  /// Sends `willAppear` and `didDisappear`; these events do not bubble up.
  ///
  /// A view that was removed and added again, for example by a move, receives neither event, nor
  /// does a view that was added and removed again.
  func sendAppearances() {
    while !appearances.isEmpty {
      let (coming, going) = appearances.take()
      // A removed view loses the focus before it disappears.
      if !going.isEmpty, let focused, focused.scene == nil { focus(nil) }
      for view in going where view.scene == nil && view.hasAppeared {
        view.hasAppeared = false
        _ = view.deliver(Event(.didDisappear, sender: view))
      }
      for view in coming where view.scene === self && !view.hasAppeared {
        view.hasAppeared = true
        _ = view.deliver(Event(.willAppear, sender: view))
      }
    }
  }

  /// Shows an empty view because the scene ends: what was entered in the views is written, and they
  /// receive `blur` and `didDisappear`.
  package func endViews() throws {
    for top in [window] + floats.shown {
      for view in Array(TreeWalk(top)) { view.writeDelayedEntry() }
    }
    try show(View(viewClass: .view))
    try commit()
  }

  /// Sends `didDisappear` to all visible views because the app ends. The tree stays unchanged.
  package func endAppearances() {
    sendAppearances()
    var seen: [View] = []
    for top in [window] + floats.all.filter({ $0.scene === self }) {
      var walk = TreeWalk(top)
      while let view = walk.next() {
        if view.hasAppeared { seen.append(view) }
      }
    }
    for view in seen where view.hasAppeared {
      view.hasAppeared = false
      _ = view.deliver(Event(.didDisappear, sender: view))
    }
  }
}
