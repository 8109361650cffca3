import TideBindings
import TideGraph

extension Scene {
  /// Adds a view and its descendants to the scene.
  func enter(_ top: View) {
    let shownWindow = isSilent || !window.viewClass.inherits(from: .window) ? nil : window
    graph.batch {
      var walk = TreeWalk(top)
      while let view = walk.next() {
        view.scene = self
        if !isSilent { view.wasShown = true }
        view.depth = view.parent.map { $0.depth + 1 } ?? 0
        view.layout.rect = .zero
        view.layout.visible = .zero
        view.layout.flags = [.boxChanged, .lookChanged, .arrange, .stateChanged]
        layout.needsMeasure(view)
        layout.needsBounds(view)
        if view.isFloat && view !== window { floats.add(view) }
        if !isSilent, let menu = view as? MenuView { input.add(menu) }
        if let bar = view as? KeyBarView { keyBars.append(bar) }
        cycle.staleViews.append(view)
        watch(view)
        if shownWindow != nil { view.setWindowSlot(shownWindow, replacing: nil) }
        if !isSilent { appearances.noteEntry(of: view) }
        if view.wantsFocus && !isSilent { focus.pending = view }
        input.hover.handlers += view.hoverHandlers
        if view.flag(.autofocus) { focus.hasAutofocus = true }
        if !view.declared.isNoted && !isSilent { view.noteDeclared() }
        reportID(of: view)
      }
    }
    // The superview of a scene's top view belongs to no scene.
    if let parent = top.parent, parent.isShown(in: self) { needsLayout(ofSubviewsOf: parent) }
  }

  /// Starts observing all properties, if the renderer shows them.
  func noteProperties(for renderer: any Renderer) {
    if renderer.showsProperties == cycle.notesProperties { return }
    cycle.notesProperties = renderer.showsProperties
    if !cycle.notesProperties { return }
    for top in [window] + floats.all {
      for view in TreeWalk(top) { watch(view) }
    }
  }

  /// Called when a view with an id was added or removed, or got another id.
  func reportID(of view: View) {
    if let onID = host.onID, let id = view.peek(.id, as: String?.self) { onID(id, view) }
  }

  /// Makes the graph record changes of the properties that affect drawing.
  private func watch(_ view: View) {
    for (index, impact) in view.viewClass.impacts.enumerated()
    where !impact.isEmpty || cycle.notesProperties {
      graph.watch(view.slot(index))
    }
  }

  /// Removes a view and its descendants from the scene.
  func leave(_ top: View) {
    graph.batch {
      var (hadFloats, hadMenus, hadKeyBars) = (false, false, false)
      var walk = TreeWalk(top)
      while let view = walk.next() {
        hadFloats = hadFloats || view.layout.isFloating
        hadMenus = hadMenus || view is MenuView
        hadKeyBars = hadKeyBars || view is KeyBarView
        release(view)
        if !isSilent { appearances.noteExit(of: view) }
        reportID(of: view)
      }
      if hadFloats { floats.removeViews(outside: self) }
      if !animation.views.isEmpty { animation.removeViews(outside: self) }
      if hadMenus { input.removeMenus(outside: self) }
      if hadKeyBars { keyBars.removeAll { $0.scene !== self } }
    }
    if !isSilent { BindingTable.of(graph).viewsWereRemoved() }
  }

  func release(_ view: View) {
    input.hover.handlers -= view.hoverHandlers
    view.scene = nil
    view.layout.flags = []
    view.layout.isFloating = false
    view.leftScene()
    if !isSilent && window.viewClass.inherits(from: .window) {
      view.setWindowSlot(nil, replacing: window)
    }
  }

  /// Called when the subviews of a view or their order have changed.
  func needsLayout(ofSubviewsOf view: View) {
    layout.needsMeasure(view)
    layout.needsArrange(view)
    layout.needsDraw(view)
  }
}
