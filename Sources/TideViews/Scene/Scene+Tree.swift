import TideBindings
import TideGraph

extension Scene {
  /// Takes a view and all below it into the picture.
  func enter(_ top: View) {
    let shownWindow = isSilent || !window.viewClass.inherits(from: .window) ? nil : window
    graph.batch {
      var walk = TreeWalk(top)
      while let view = walk.next() {
        view.scene = self
        view.depth = view.parent.map { $0.depth + 1 } ?? 0
        view.layout.place = .zero
        view.layout.visible = .zero
        view.layout.flags = [.boxChanged, .lookChanged, .arrange, .stateChanged]
        layout.needsMeasure(view)
        if view.floats && view !== window { noteFloat(view) }
        if view is MenuView && !isSilent { menus.append(view) }
        stateful.append(view)
        watch(view)
        if shownWindow != nil { view.setWindowSlot(shownWindow, replacing: nil) }
        if !isSilent { noteAppearance(of: view) }
        if view.wantsFocus && !isSilent { focusWhenShown = view }
        if !view.isNoted && !isSilent { view.noteDeclared() }
        if onID != nil { tellID(of: view) }
      }
    }
    if let parent = top.parent { needsLayout(ofSubviewsOf: parent) }
  }

  private func tellID(of view: View) {
    if let id = view.peek(.id, as: String?.self) { onID?(id) }
  }

  /// Has the graph tell of what changes the picture.
  private func watch(_ view: View) {
    for (index, impact) in view.viewClass.impacts.enumerated() where !impact.isEmpty {
      graph.watch(view.slot(index))
    }
  }

  /// Lets go of a view that was taken out, and of all below it.
  func leave(_ top: View) {
    graph.batch {
      var (hadFloats, hadMenus) = (false, false)
      var walk = TreeWalk(top)
      while let view = walk.next() {
        hadFloats = hadFloats || view.layout.isFloating
        hadMenus = hadMenus || view is MenuView
        release(view)
        if !isSilent { noteDisappearance(of: view) }
        if onID != nil { tellID(of: view) }
      }
      if hadFloats { forgetFloats() }
      if hadMenus { menus.removeAll { $0.scene !== self } }
    }
  }

  func release(_ view: View) {
    view.scene = nil
    view.layout.flags = []
    view.layout.isFloating = false
    if !isSilent && window.viewClass.inherits(from: .window) {
      view.setWindowSlot(nil, replacing: window)
    }
  }

  /// The subviews of a view are others than before, or in another order.
  func needsLayout(ofSubviewsOf view: View) {
    layout.needsMeasure(view)
    layout.needsArrange(view)
    layout.needsDraw(view)
  }

  // A view that has no handlers need not wait to be told.
  private func noteAppearance(of view: View) {
    if view.hasHandlers { appeared.append(view) } else { view.hasAppeared = true }
  }

  private func noteDisappearance(of view: View) {
    if view.hasHandlers { disappeared.append(view) } else { view.hasAppeared = false }
  }

  /// Sends `willAppear` and `didDisappear`, to the views themselves alone.
  ///
  /// A view that went and came back meanwhile, as one that is moved does, has been there all the
  /// time; one that came and went has not been there at all.
  func tellAppearances() {
    while !appeared.isEmpty || !disappeared.isEmpty {
      var coming: [View] = []
      var going: [View] = []
      swap(&coming, &appeared)
      swap(&going, &disappeared)
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
    tellAppearances()
    var seen: [View] = []
    for top in [window] + floats.filter({ $0.scene === self }) {
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
