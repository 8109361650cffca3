import TideGraph

extension Scene {
  /// Hands input to the view that it is meant for, and upwards until one takes it.
  ///
  /// Gives false when no view did; Tab and Shift-Tab then have moved the focus already, if there is
  /// a view to move it to, and count as taken.
  @discardableResult
  public func send(_ event: InputEvent) -> Bool {
    var isTaken = false
    withinBudget {
      isTaken = window.graph.as(.input) {
        switch event {
        case .key(let key): send(key)
        case .paste(let text): sendPaste(text)
        case .mouse(let mouse): send(mouse)
        case .resize(let size): resizes(to: size)
        }
      }
    }
    return isTaken
  }

  private func resizes(to size: Size) -> Bool {
    resize(size)
    return true
  }

  /// Sends keys by name, as in `"Tab a b Enter"`. Throws `badKey` before any is sent.
  public func send(keys: String) throws {
    for key in try Key.sequence(keys) { send(.key(key)) }
  }

  /// A view's `keys`, then what its class does, then its handlers of the event `key`; then the same
  /// of its superview.
  @discardableResult
  private func send(_ key: Key) -> Bool {
    if let keyTaker, keyTaker.scene === self, keyTaker.handle(key) { return true }
    let first = target
    noteUse(of: first)
    let modal = modal
    var view: View? = first
    while let current = view {
      let above = current === modal ? nil : current.parent
      if current.flag(.enabled) {
        if current.deliver(key) || current.handle(key) { return true }
        if current.deliver(Event(.key, sender: first, key: key)) { return true }
      }
      view = above
    }
    if sendToMenus(key) { return true }
    switch key {
    case Key(.tab): return moveFocus()
    case Key(.tab, modifiers: .shift): return moveFocus(forward: false)
    case Key(.escape): return closeDialog(by: key)
    default: return focused == nil && scrollFirst(key)
    }
  }

  /// The keys that views which can be used listen to, in the order of the tree. Those of menus are in
  /// `keyHelp`, with what they do.
  public var keys: [Key] {
    var keys: [Key] = []
    var known: Set<Key> = []
    var walk = TreeWalk(modal ?? window)
    while let view = walk.next() {
      if view.flag(.hidden) || !view.flag(.enabled) {
        walk.skipSubviews(of: view)
      } else {
        for handler in view.keyHandlers where known.insert(handler.key).inserted {
          keys.append(handler.key)
        }
      }
    }
    return keys
  }

  /// Gives a key to the menus, whose items may have keys of their own.
  private func sendToMenus(_ key: Key) -> Bool {
    menus.contains { ($0 as? MenuView)?.act(onShortcut: key) == true }
  }

  /// Scrolls the first view that can be, when nothing has the focus.
  private func scrollFirst(_ key: Key) -> Bool {
    var walk = TreeWalk(modal ?? root ?? window)
    while let view = walk.next() {
      if view.layout.visible.isEmpty { walk.skipSubviews(of: view) }
      if view is ScrollView && isUsable(view) && view.handle(key) { return true }
    }
    return false
  }

  /// Where keys arrive first: the focused view, else the modal one, else the view in the window.
  private var target: View {
    if let focused, canFocus(focused) { return focused }
    return modal ?? root ?? window
  }

  private func noteUse(of view: View) {
    var current: View? = view
    while let ancestor = current {
      (ancestor as? CellView)?.wasUsed = true
      current = ancestor.parent
    }
  }

  private func sendPaste(_ text: String) -> Bool {
    let modal = modal
    noteUse(of: target)
    var view: View? = target
    while let current = view {
      let above = current === modal ? nil : current.parent
      if current.flag(.enabled) && current.handlePaste(text) { return true }
      view = above
    }
    return false
  }

  private func send(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press:
      if closePopUps(at: mouse.position) { return true }
      // What is below a modal float is not there for the mouse.
      guard let layer = layer(at: mouse.position) else { return true }
      let hit = view(at: mouse.position, in: layer)
      if layer.presenter == nil { focusNearest(hit) }
      noteUse(of: hit)
      pressed = offer(mouse, from: hit)
      return pressed != nil
    case .drag, .release:
      let view = pressed
      if case .release = mouse.kind { pressed = nil }
      guard let view, view.scene === self else { return false }
      return offer(mouse, to: view)
    case .scroll:
      guard let layer = layer(at: mouse.position) else { return true }
      return offer(mouse, from: view(at: mouse.position, in: layer)) != nil
    }
  }

  /// A press beside a pop-up closes it, and does nothing else.
  private func closePopUps(at point: Point) -> Bool {
    let popUps = shownFloats.compactMap { $0 as? PopUpView }
    if popUps.isEmpty || popUps.contains(where: { $0.layout.visible.contains(point) }) {
      return false
    }
    for popUp in popUps { popUp.close() }
    return true
  }

  private func focusNearest(_ view: View) {
    var current: View? = view
    while let candidate = current {
      if canFocus(candidate) {
        focus(candidate)
        return
      }
      current = candidate.parent
    }
  }

  private func offer(_ mouse: MouseEvent, from view: View) -> View? {
    var current: View? = view
    while let candidate = current {
      let above = candidate.parent
      if offer(mouse, to: candidate) { return candidate }
      current = above
    }
    return nil
  }

  private func offer(_ mouse: MouseEvent, to view: View) -> Bool {
    guard isUsable(view) else { return false }
    var mouse = mouse
    mouse.position.x -= view.layout.place.x
    mouse.position.y -= view.layout.place.y
    return view.handle(mouse)
  }

  /// The innermost view that shows at a place of the frame.
  public func view(at point: Point) -> View { view(at: point, in: layer(at: point) ?? window) }

  private func view(at point: Point, in layer: View) -> View {
    var view = layer
    while let inner = view.children.last(where: {
      $0.layout.isInFlow && $0.layout.visible.contains(point)
    }) {
      view = inner
    }
    return view
  }
}
