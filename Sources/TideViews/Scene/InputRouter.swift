import TideGraph

/// The input state of a scene, apart from the focus.
struct InputRouter {
  let clipboard = Clipboard()
  /// The view that handled the press of a mouse button, until the release.
  weak var pressed: View?
  /// The open menu, which receives keys before the focused view.
  weak var openMenu: OpenMenu?
  /// Whether keys come from a person without a focus, while another person may have one.
  var ignoresFocus = false
  /// The open context menu.
  var contextMenu: ContextMenu?
  /// A press on a button or a toggle of a record, until the release.
  var heldPress: HeldPress?
  /// What the focused control showed in the latest frames of a terminal.
  var seen = SeenControls()
  /// The view over which the left button was pressed, until the release.
  weak var clicked: View?
  /// The state of `hover` events.
  var hover = HoverState()
  /// The menus in the tree, in the order in which they were added; their items may have shortcuts.
  private(set) var menus: [MenuView] = []
  /// The nesting depth of the inputs being handled.
  var depth = 0
  /// Buttons that have or had a waiting handler.
  var busyButtons: [UpdateCycle.WeakView] = []
  /// The person whose action is being handled.
  var actor: ScenePerson?
  /// The program from which the input comes; nil for input of a person.
  var program: String?
  private var gestures = 0
  private var mouseGesture = 0
  /// The fields that people are typing in, one for each person.
  private var typings: [Typing] = []

  private struct Typing {
    weak var person: ScenePerson?
    weak var field: TextInputView?
    let gesture: Int
  }

  /// Numbers the gestures of a person. Typing into one field is one gesture, until the edit ends or
  /// the person edits another field. Pressing, dragging and releasing the mouse is also one
  /// gesture.
  mutating func gesture(of event: InputEvent, in focused: View?, by person: ScenePerson) -> Int {
    switch event {
    case .mouse(let mouse):
      switch mouse.kind {
      case .drag, .release: return mouseGesture
      case .press, .scroll, .scrollSideways, .move:
        mouseGesture = nextGesture()
        return mouseGesture
      }
    case .key(let key):
      guard let field = focused as? TextInputView, key.isTyping else { return nextGesture() }
      return typingGesture(in: field, by: person)
    case .paste, .resize: return nextGesture()
    }
  }

  /// The number of the gesture for an action on a whole view.
  mutating func gesture(ofActionOn view: View, by person: ScenePerson) -> Int {
    guard let field = view as? TextInputView else { return nextGesture() }
    return typingGesture(in: field, by: person)
  }

  /// The number of a person's typing gesture in a field; nil if there is none.
  func gesture(ofTypingIn field: TextInputView, by person: ScenePerson) -> Int? {
    typings.first { $0.person === person && $0.field === field }?.gesture
  }

  /// Whether other people have typed in a field and still have their focus there.
  func isTyped(in field: TextInputView, byOthersThan person: ScenePerson?) -> Bool {
    typings.contains { typing in
      guard let other = typing.person, typing.field === field else { return false }
      return other !== person && other.heir == nil && other.focus === field
    }
  }

  private mutating func typingGesture(in field: TextInputView, by person: ScenePerson) -> Int {
    if let known = gesture(ofTypingIn: field, by: person) { return known }
    typings.removeAll { $0.person == nil || $0.person === person || $0.field == nil }
    let typing = Typing(person: person, field: field, gesture: nextGesture())
    typings.append(typing)
    return typing.gesture
  }

  mutating func nextGesture() -> Int {
    gestures += 1
    return gestures
  }

  /// Ends a person's typing gestures, except in the given view. Those of other people continue,
  /// even if this person takes the focus from their fields.
  mutating func endTyping(of person: ScenePerson, exceptIn view: View?) {
    typings.removeAll { $0.person === person && $0.field !== view }
  }

  /// Makes a person's typing gesture in a field that of another person.
  mutating func passTyping(in field: TextInputView, from former: ScenePerson, to heir: ScenePerson)
  {
    guard
      let index = typings.firstIndex(where: { $0.person === former && $0.field === field })
    else { return }
    let gesture = typings.remove(at: index).gesture
    typings.removeAll { $0.person === heir }
    typings.append(Typing(person: heir, field: field, gesture: gesture))
  }

  /// Ends all typing gestures in a field.
  mutating func endTyping(in field: TextInputView) { typings.removeAll { $0.field === field } }

  /// Continues typing gestures in the fields that replace the old ones.
  mutating func moveTyping(to replacement: (View) -> View?) {
    for (index, typing) in typings.enumerated() {
      guard let field = typing.field, let new = replacement(field) as? TextInputView else {
        continue
      }
      typings[index].field = new
    }
  }

  mutating func add(_ menu: MenuView) { menus.append(menu) }

  /// Removes the menus that have left the scene; the caller still holds them.
  mutating func removeMenus(outside scene: Scene) { menus.removeAll { $0.scene !== scene } }
}

extension Scene {
  /// The clipboard of the text inputs.
  package var clipboard: Clipboard { input.clipboard }

  /// Sends input to its target view, from which it bubbles up until a view handles it.
  ///
  /// Returns false if no view handles it. An unhandled Tab or Shift-Tab moves the focus, and counts
  /// as handled if there is a view to move it to.
  @discardableResult
  public func send(_ event: InputEvent) -> Bool {
    if takesForPicking(event) { return true }
    if case .key(let key) = event, isShielded(from: key) { return true }
    noteTyping(by: event)
    var isTaken = false
    noteButton(in: event)
    let gesture = input.gesture(of: event, in: focused, by: person ?? user)
    withinBudget {
      perform(
        PersonInput(
          gesture: gesture, title: titleOfAction(of: event),
          isTyping: focused is TextInputView && event.entersText)
      ) {
        isTaken = handlingInput(isHeld: !event.endsAct) {
          asAct(actName(of: event)) {
            switch event {
            case .key(let key): send(key)
            case .paste(let text): sendPaste(text)
            case .mouse(let mouse): send(mouse)
            case .resize(let size): sendResize(size)
            }
          }
        }
      }
    }
    return isTaken
  }

  /// Passes a person's input to the host, which calls the function.
  func perform(_ input: @autoclosure () -> PersonInput, _ body: () -> Void) {
    guard let handle = host.handleInput else { return body() }
    handle(input(), body)
  }

  /// The title of the button that the input presses.
  private func titleOfAction(of event: InputEvent) -> String? {
    let view: View?
    switch event {
    case .key(Key(.enter)), .key(Key(.space)): view = focused
    case .mouse(let mouse):
      guard case .release = mouse.kind else { return nil }
      view = input.pressed
    default: return nil
    }
    guard let title = (view as? PressableView)?.text(.title), !title.isEmpty else { return nil }
    return title
  }

  private func sendResize(_ size: Size) -> Bool {
    resize(size)
    return true
  }

  /// Sends keys by name, as in `"Tab a b Enter"`.
  ///
  /// - Throws: `badKey` for the first invalid name, before any key is sent.
  public func send(keys: String) throws {
    for key in try Key.sequence(keys) { send(.key(key)) }
  }

  /// Offers a key to the view's `keys`, then to its class, then to its handlers of `key`, and then
  /// to its superview in the same way.
  @discardableResult
  private func send(_ key: Key) -> Bool {
    if let menu = input.openMenu, menu.view?.scene === self, menu.handle(key) { return true }
    let first = target
    markUsedCells(around: first)
    let modal = floats.modal
    var view: View? = first
    while let current = view {
      let above = current === modal ? nil : current.parent
      if current.flag(.enabled) {
        if current.deliver(key) || current.handle(key) { return true }
        if current.deliver(Event(.key, sender: first, key: key)) { return true }
        if current.performContextMenu(key) { return true }
        if current === first, current.discardsRefused(key) { return true }
      }
      view = above
    }
    if input.menus.contains(where: { $0.act(onShortcut: key) }) { return true }
    switch key {
    case Key(.tab): return moveFocus()
    case Key(.tab, modifiers: .shift): return moveFocus(forward: false)
    case Key(.escape): return closeDialog(by: key)
    case Key(Character("f"), modifiers: .control): return openFindBar()
    case Key(.function(10), modifiers: .shift):
      return showContextMenu(for: contextMenuTarget, at: nil)
    default: return focused == nil && scrollFirst(key)
    }
  }

  /// The keys handled by enabled, visible views, in the order of the tree. Shortcuts of menus are
  /// in `keyHelp`, with their titles.
  public var keys: [Key] {
    var keys: [Key] = []
    var known: Set<Key> = []
    var walk = TreeWalk(floats.modal ?? window)
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

  /// Scrolls the first scrollable view while no view has the focus.
  private func scrollFirst(_ key: Key) -> Bool {
    var walk = TreeWalk(floats.modal ?? root ?? window)
    while let view = walk.next() {
      if view.layout.visible.isEmpty { walk.skipSubviews(of: view) }
      if view is ScrollView && view.isUsable && view.handle(key) { return true }
    }
    return false
  }

  /// The first view to receive keys: the focused view, or else the modal float, or else the root.
  var target: View {
    if !input.ignoresFocus, let focused, canFocus(focused) { return focused }
    return floats.modal ?? root ?? window
  }

  func markUsedCells(around view: View) {
    var current: View? = view
    while let ancestor = current {
      (ancestor as? CellView)?.wasUsed = true
      current = ancestor.parent
    }
  }

  private func sendPaste(_ text: String) -> Bool {
    let modal = floats.modal
    markUsedCells(around: target)
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
    case .press(let button): return press(button, mouse)
    case .drag: return offerToPressed(mouse)
    case .release(let button):
      let isTaken = offerToPressed(mouse)
      if button == .left { endHeldPress() }
      input.pressed = nil
      let isClick = button == .left && sendClick(mouse)
      hover(mouse)
      return isTaken || isClick
    case .move:
      hover(mouse)
      return true
    case .scroll, .scrollSideways:
      guard let layer = floats.layer(at: mouse.position, above: window) else { return true }
      return offer(mouse, from: view(at: mouse.position, in: layer)) != nil
    }
  }

  private func press(_ button: MouseEvent.Button, _ mouse: MouseEvent) -> Bool {
    input.clicked = nil
    // A press of the right button also opens the next context menu.
    if closePopUps(at: mouse.position), button != .right { return true }
    // For the mouse, views below a modal float do not exist.
    guard let layer = floats.layer(at: mouse.position, above: window) else { return true }
    let hit = view(at: mouse.position, in: layer)
    if layer.presenter == nil { focusNearest(hit) }
    markUsedCells(around: hit)
    if button == .left { input.clicked = nearestUsable(from: hit) }
    input.pressed = offer(mouse, from: hit)
    input.heldPress = button == .left ? input.pressed.flatMap(HeldPress.init) : nil
    if input.pressed == nil, button == .right, layer.presenter == nil, hit.scene === self {
      return showContextMenu(for: hit, at: mouse)
    }
    return input.pressed != nil
  }

  private func offerToPressed(_ mouse: MouseEvent) -> Bool {
    guard let view = input.pressed, view.scene === self else { return false }
    return offer(mouse, to: view)
  }

  /// Sends `click`, and for the second click also `doubleClick`, if the button was released over
  /// the view in which it was pressed.
  private func sendClick(_ mouse: MouseEvent) -> Bool {
    guard let view = input.clicked else { return false }
    input.clicked = nil
    guard view.scene === self, view.isUsable, Rect(size).contains(mouse.position),
      let layer = floats.layer(at: mouse.position, above: window),
      self.view(at: mouse.position, in: layer).isWithin(view)
    else { return false }
    var isTaken = view.send(event(.click, at: mouse, of: view))
    if mouse.clicks == 2, view.scene === self {
      isTaken = view.send(event(.doubleClick, at: mouse, of: view)) || isTaken
    }
    return isTaken
  }

  /// A mouse event at a view, with the row that contains the view.
  func event(_ name: EventName, at mouse: MouseEvent, of view: View) -> Event {
    let corner = view.layout.rect.origin
    let point = Point(x: mouse.position.x - corner.x, y: mouse.position.y - corner.y)
    return event(name, at: PointerPosition(point, mouse.modifiers), of: view)
  }

  /// Like `event(_:at:of:)` for a position in the view, or without a position.
  func event(_ name: EventName, at position: PointerPosition?, of view: View) -> Event {
    var event = Event(name, sender: view)
    event.position = position?.point
    event.modifiers = position?.modifiers ?? []
    if let cell = view.rowCell {
      event.cell = cell
      event.index = cell.row
      event.value = cell.shownObject
    }
    return event
  }

  /// The view, or its nearest superview that is neither hidden nor disabled.
  func nearestUsable(from view: View) -> View? {
    var usable: View? = view
    var current: View? = view
    while let ancestor = current {
      if ancestor.isOutOfUse { usable = ancestor.parent }
      current = ancestor.parent
    }
    return usable
  }

  /// A press outside the pop-ups only closes them.
  private func closePopUps(at point: Point) -> Bool {
    let popUps = floats.shown.compactMap { $0 as? PopUpView }
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
        forgetLostEdit(of: candidate)
        focus(candidate)
        return
      }
      current = candidate.parent
    }
  }

  private func offer(_ mouse: MouseEvent, from view: View) -> View? {
    var current: View? = view
    while let candidate = current {
      // Mouse events on a float do not reach its superview.
      let above = candidate.layout.isFloating ? nil : candidate.parent
      if offer(mouse, to: candidate) { return candidate }
      current = above
    }
    return nil
  }

  private func offer(_ mouse: MouseEvent, to view: View) -> Bool {
    guard view.isUsable else { return false }
    var mouse = mouse
    mouse.position.x -= view.layout.rect.x
    mouse.position.y -= view.layout.rect.y
    return view.handle(mouse)
  }

  /// The innermost visible view at a point of the frame.
  public func view(at point: Point) -> View {
    view(at: point, in: floats.layer(at: point, above: window) ?? window)
  }

  func view(at point: Point, in layer: View) -> View {
    var view = layer
    while let inner = view.children.last(where: {
      $0.layout.isInFlow && $0.layout.visible.contains(point)
    }) {
      view = inner
    }
    return view
  }
}
