public import TideBindings
import TideGraph

extension View {
  /// Calls a function on each event of that name, with this view's subviews' events that they did
  /// not take themselves.
  ///
  /// ```swift
  /// let handler = try button.on(.touchUpInside) { view, event in person.age += 1 }
  /// handler.cancel()
  /// ```
  ///
  /// What the function throws goes to the scene's `onError`.
  ///
  /// - Throws: `unknownEvent` for a name that no class sends, or that a view without subviews does
  ///   not send, with the nearest one.
  @discardableResult
  public func on(
    _ name: EventName, _ body: @escaping (_ view: View, _ event: Event) throws -> Void
  ) throws(TideError) -> EventHandler {
    try respond(to: name) { view, event in
      try body(view, event)
      return nil
    }
  }

  /// As `on(_:_:)`, with a say in whether the event goes on to the superview: true when it is
  /// taken, false when not, nil for the rule (a key is not taken, anything else is).
  ///
  /// - Throws: `unknownEvent`, as `on(_:_:)` does.
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

  /// Calls a function when a key arrives at this view that no subview took. The key is taken,
  /// unless the function gives false.
  @discardableResult
  public func onKey(
    _ key: Key, _ body: @escaping (_ view: View, _ event: Event) throws -> Bool?
  ) -> KeyHandler {
    let handler = KeyHandler(key, of: self, body)
    keyHandlers.append(handler)
    noteListening()
    return handler
  }

  /// Ends the handlers of the view's `keys`.
  package final func cancelKeysOfTable() {
    for handler in keyHandlers where handler.isOfTable { handler.cancel() }
  }

  // From the end, because what was made last is mostly ended first.
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

  /// A renderer of properties shows what is listened to: pages send no other events.
  private func noteListening(to name: EventName = .key) {
    guard name.isOfMouse || [.willShowContextMenu, .key, "move"].contains(name) else { return }
    if let scene, scene.cycle.notesProperties { scene.layout.needsDraw(self) }
  }

  /// Sends an event from this view upwards until a view takes it; true when one did. An event of
  /// the mouse goes no further than the float that it happened on: a dialog is not in the view
  /// around it for the mouse.
  ///
  /// What a handler throws goes to the scene's `onError`, and the others run.
  @discardableResult
  public func send(_ event: Event) -> Bool {
    var view: View? = self
    while let current = view {
      // Found before, because a handler may take the view out of the tree.
      let above = event.name.isOfMouse && current.layout.isFloating ? nil : current.parent
      if current.deliver(event) { return true }
      view = above
    }
    return false
  }

  /// Throws `unknownEvent`, with the nearest name, unless the view could receive such an event.
  package func checkEvent(_ name: EventName) throws(TideError) { try name.check(for: self) }

  /// Throws `unknownEvent`, with the nearest name, unless the view's class sends such an event.
  package func checkSends(_ name: EventName) throws(TideError) {
    if viewClass.events.contains(name.text) { return }
    throw TideError(
      .unknownEvent,
      "\(viewClass.name) has no event \"\(name.text.inMessage)\"\(NearestName.hintOrNames(for: name.text, in: viewClass.events))"
    )
  }

  /// Sends an event of that name, as a control or a component does.
  @discardableResult
  public func send(_ name: EventName, key: Key? = nil, value: Value = .null) -> Bool {
    send(Event(name, sender: self, key: key, value: value))
  }

  /// Runs this view's own handlers; true when one took the event.
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

  /// Whether anybody listens to the view.
  var hasHandlers: Bool { !handlers.isEmpty || delegate != nil }

  /// How many handlers of `hover` it has.
  var hoverHandlers: Int {
    handlers.isEmpty ? 0 : handlers.count { $0.name == .hover }
  }

  /// Whether anybody would hear the event here.
  func hasHandler(_ name: EventName) -> Bool {
    handlers.contains { $0.name == name || $0.name == .any }
      || delegate?.handles(name, of: self) == true
  }

  /// Runs this view's handlers for a key; true when one took it.
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

  /// Reports an error to the host of the scene, else lists it with the graph's.
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
