public import TideBindings
import TideGraph

extension View {
  /// Calls a function on each event of a name: those sent by this view, and those that bubble up
  /// from its subviews unhandled.
  ///
  /// ```swift
  /// let handler = try button.on(.touchUpInside) { view, event in person.age += 1 }
  /// handler.cancel()
  /// ```
  ///
  /// An error that the function throws goes to the scene's `onError`.
  ///
  /// - Throws: `unknownEvent`, with the nearest name, for a name that no class sends, or that a
  ///   view without subviews does not send.
  @discardableResult
  public func on(
    _ name: EventName, _ body: @escaping (_ view: View, _ event: Event) throws -> Void
  ) throws(TideError) -> EventHandler {
    try respond(to: name) { view, event in
      try body(view, event)
      return nil
    }
  }

  /// Like `on(_:_:)`, but the function decides whether the event is handled: true if it is, false
  /// if it bubbles on to the superview, nil for the default (keys bubble on, other events do not).
  ///
  /// - Throws: `unknownEvent`, like `on(_:_:)`.
  @discardableResult
  package func respond(
    to name: EventName, with body: @escaping (_ view: View, _ event: Event) throws -> Bool?
  ) throws(TideError) -> EventHandler {
    try name.check(for: self)
    let handler = EventHandler(name, of: self, body)
    handlers.append(handler)
    if name == .hover { scene?.input.hover.handlers += 1 }
    noteListening(to: name)
    return handler
  }

  /// Calls a function when a key reaches this view and no subview has handled it. The key counts as
  /// handled unless the function returns false.
  @discardableResult
  public func onKey(
    _ key: Key, _ body: @escaping (_ view: View, _ event: Event) throws -> Bool?
  ) -> KeyHandler {
    let handler = KeyHandler(key, of: self, body)
    keyHandlers.append(handler)
    noteListening()
    return handler
  }

  /// Cancels the handlers of the view's `keys`.
  package final func cancelKeysOfTable() {
    for handler in keyHandlers where handler.isOfTable { handler.cancel() }
  }

  // Searches from the end, because the latest handlers are usually cancelled first.
  final func forget(_ handler: EventHandler) {
    guard let index = handlers.lastIndex(where: { $0 === handler }) else { return }
    handlers.remove(at: index)
    if handler.name == .hover { scene?.input.hover.handlers -= 1 }
    noteListening(to: handler.name)
  }

  final func forget(_ handler: KeyHandler) {
    if let index = keyHandlers.lastIndex(where: { $0 === handler }) {
      keyHandlers.remove(at: index)
      noteListening()
    }
  }

  /// Redraws the view for a renderer that shows properties: pages send only the events that have
  /// handlers.
  private func noteListening(to name: EventName = .key) {
    guard name.isOfMouse || [.willShowContextMenu, .key, "move"].contains(name) else { return }
    if let scene, scene.cycle.notesProperties { scene.layout.needsDraw(self) }
  }

  /// Sends an event to this view and then to its superviews until one handles it; returns whether
  /// one did. An event of the mouse stops at the float in which it occurred: for the mouse, a
  /// dialog is not inside its superview.
  ///
  /// An error that a handler throws goes to the scene's `onError`, and the other handlers still
  /// run.
  @discardableResult
  public func send(_ event: Event) -> Bool {
    var view: View? = self
    while let current = view {
      // Computed first, because a handler may remove the view from the tree.
      let above = event.name.isOfMouse && current.layout.isFloating ? nil : current.parent
      if current.deliver(event) { return true }
      view = above
    }
    return false
  }

  /// Throws `unknownEvent`, with the nearest name, unless the view can receive the event.
  package func checkEvent(_ name: EventName) throws(TideError) { try name.check(for: self) }

  /// Throws `unknownEvent`, with the nearest name, unless the view's class sends the event.
  package func checkSends(_ name: EventName) throws(TideError) {
    if viewClass.events.contains(name.text) { return }
    throw TideError(
      .unknownEvent,
      "\(viewClass.name) has no event \"\(name.text.inMessage)\"\(NearestName.hintOrNames(for: name.text, in: viewClass.events))"
    )
  }

  /// Sends an event by name, as controls and components do.
  @discardableResult
  public func send(_ name: EventName, key: Key? = nil, value: Value = .null) -> Bool {
    send(Event(name, sender: self, key: key, value: value))
  }

  /// Runs this view's own handlers; returns whether one handled the event.
  func deliver(_ event: Event) -> Bool {
    if handlers.isEmpty && delegate == nil { return false }
    let isKey = event.name == .key
    var isTaken = false
    for handler in handlers where handler.isEnabled {
      guard handler.name == event.name || handler.name == .any, let body = handler.body else {
        continue
      }
      let answer = attempt { try body(self, event) }
      if handler.name == .any { continue }
      if answer ?? !isKey { isTaken = true }
    }
    if let delegate, delegate.handles(event.name, of: self),
      attempt({ try delegate.handle(event, at: self) }) ?? !isKey
    {
      isTaken = true
    }
    return isTaken
  }

  /// Whether the view has handlers or a delegate.
  var hasHandlers: Bool { !handlers.isEmpty || delegate != nil }

  /// The number of its `hover` handlers.
  var hoverHandlers: Int {
    handlers.isEmpty ? 0 : handlers.count { $0.name == .hover }
  }

  /// Whether a handler or the delegate of this view would receive the event.
  func hasHandler(_ name: EventName) -> Bool {
    handlers.contains { $0.name == name || $0.name == .any }
      || delegate?.handles(name, of: self) == true
  }

  /// Runs this view's handlers for a key; returns whether one handled it.
  func deliver(_ key: Key) -> Bool {
    if keyHandlers.isEmpty { return false }
    let event = Event(.key, sender: self, key: key)
    for handler in keyHandlers where handler.isEnabled && handler.key == key {
      guard let body = handler.body else { continue }
      if attempt({ try body(self, event) }) ?? true { return true }
    }
    return false
  }

  private func attempt(_ body: () throws -> Bool?) -> Bool? {
    do {
      return try graph.as(.write) { try graph.untracked(body) }
    } catch {
      report(error)
      return nil
    }
  }

  /// Reports an error to the scene's `onError`, or, without one, adds it to the graph's list.
  package final func report(_ error: any Error) {
    var error = TideError(wrapping: error, graph: graph, code: .observer)
    error.holder = error.holder ?? ObjectHandle(self)
    if let onError = scene?.onError {
      onError(error)
    } else {
      BindingTable.of(graph).list(error)
    }
  }
}
