import TideBindings

/// Views that came and went since `willAppear` and `didDisappear` were sent last.
struct Appearances {
  private var coming: [View] = []
  private var going: [View] = []

  var isEmpty: Bool { coming.isEmpty && going.isEmpty }

  // A view without handlers need not wait for its events.

  mutating func noteEntry(of view: View) {
    if view.hasHandlers { coming.append(view) } else { view.hasAppeared = true }
  }

  mutating func noteExit(of view: View) {
    if view.hasHandlers { going.append(view) } else { view.hasAppeared = false }
  }

  /// Gives what has come and gone, and begins anew.
  fileprivate mutating func take() -> (coming: [View], going: [View]) {
    var taken = Appearances()
    swap(&taken, &self)
    return (taken.coming, taken.going)
  }
}

extension Scene {
  /// Sends `willAppear` and `didDisappear`, to the views themselves alone.
  ///
  /// A view that went and came back meanwhile, as one that is moved does, has been there all the
  /// time; one that came and went has not been there at all.
  func sendAppearances() {
    while !appearances.isEmpty {
      let (coming, going) = appearances.take()
      // A view that is taken out lets go of the focus before it has disappeared.
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

  /// Sends `didDisappear` to all views that are seen, because the app ends. The tree stays.
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
