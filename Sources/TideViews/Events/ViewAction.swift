import TideBindings
import TideGraph

/// What a person does to a view as a whole, where a renderer shows it by a control of its own and
/// not by cells: there are neither keys nor points then.
///
/// Each class takes what it offers, by `perform`, and behaves as it does for keys and the mouse:
/// the same events come, with the same values.
package enum ViewAction {
  /// A button, a toggle.
  case press
  /// A field has this text now, and this selection in characters.
  case edit(text: String, selection: Range<Int>)
  /// A slider, a stepper, a divider.
  case setValue(Double)
  /// A field for a date, as `2026-03-14` or `2026-03-14T08:30` whatever its pattern is; empty for
  /// none.
  case setDate(String)
  /// An item, a tab, from 0.
  case choose(Int)
  /// A row, from 0.
  case select(row: Int, Key.Modifiers)
  /// A row, as Enter and a second click do.
  case open(row: Int)
  case setOpen(Bool, row: Int)
  case delete(row: Int)
  case move(row: Int, to: Int)
  /// A column, from 0.
  case sort(column: Int)
  /// An item of a menu by the indexes that lead to it, from 0.
  case pick([Int])
  case close
  case click(count: Int, at: PointerPosition)
}

/// Where the mouse is in a view, in cells from its top left corner, and what is held with it.
package struct PointerPosition: Equatable {
  let point: Point
  let modifiers: Key.Modifiers

  package init(_ point: Point, _ modifiers: Key.Modifiers = []) {
    self.point = point
    self.modifiers = modifiers
  }
}

extension Scene {
  /// Does what a person does to a view; false where that cannot be done to it, as to one that is
  /// hidden, disabled or below something modal.
  @discardableResult
  package func perform(_ action: ViewAction, on view: View) -> Bool {
    if case .edit = action { noteTyping(true) } else { noteTyping(false) }
    return act(on: view, by: action.actName(on: view)) {
      if view.isFocusStop { focus(view) }
      return view.perform(action) || performOnAny(action, view)
    }
  }

  /// The same for a key at a view; with nil, for the key of a person without a focus.
  @discardableResult
  package func perform(_ key: Key, on view: View?) -> Bool {
    guard let view else {
      // The focused view may be another person's.
      input.ignoresFocus = true
      defer { input.ignoresFocus = false }
      return send(.key(key))
    }
    guard isReachable(view) else { return false }
    focus(view)
    return send(.key(key))
  }

  /// Whether a person can do something to a view.
  package func isReachable(_ view: View) -> Bool {
    view.scene === self && view.isUsable && !floats.isBlocked(view)
  }

  private func performOnAny(_ action: ViewAction, _ view: View) -> Bool {
    if case .pick(let path) = action { return view.performContextMenu(path) }
    guard case .click(let count, let position) = action else { return false }
    var isTaken = view.send(event(.click, at: position, of: view))
    if count == 2, view.scene === self {
      isTaken = view.send(event(.doubleClick, at: position, of: view)) || isTaken
    }
    return isTaken
  }

  /// The mouse is over a view, without a button; nil for over none. What it cannot be used at, it
  /// is not over.
  package func hover(over view: View?, at position: PointerPosition?) {
    let innermost = view.flatMap { isReachable($0) ? $0 : nil }
    if !isHoverHeard { return }
    handle(as: PersonInput(gesture: input.nextGesture()), named: "the mouse", isHeld: true) {
      hover(over: innermost, innermost.map { event(.hover, at: position, of: $0) })
      return true
    }
  }

  /// A person gives a view the focus in a page. What is done there next is for what stands there
  /// now, so edits end with the next frame.
  package func focusByHand(_ view: View?) {
    if let view { forgetLostEdit(of: view) }
    noteFocus(goingTo: view)
    handle(
      as: PersonInput(gesture: input.nextGesture()), named: "a move of the focus", isHeld: true
    ) { focus(view) }
  }

  /// A person asks for the context menu of a view: by the mouse where that is given, which selects
  /// the row that it is at. Gives the view whose menu is to be shown, and nil where none has one.
  package func prepareContextMenu(of view: View, at position: PointerPosition?) -> View? {
    var owner: View?
    _ = act(on: view, by: "asking for the context menu of \(view.actedName)") {
      let asked = position == nil && view === focused ? contextMenuTarget : view
      owner = contextMenuOwner(for: asked, at: position)
      // The items may be others now, of which the view itself knows nothing.
      if let owner { layout.needsDraw(owner) }
      return owner != nil
    }
    return owner.flatMap { $0.contextMenuItems.isEmpty ? nil : $0 }
  }

  func act(
    on view: View, by name: @autoclosure () -> String, _ body: () -> Bool
  ) -> Bool {
    guard isReachable(view) else { return false }
    let title = (view as? PressableView)?.text(.title)
    let act = PersonInput(
      gesture: input.gesture(ofActionOn: view, by: person ?? user),
      title: title.flatMap { $0.isEmpty ? nil : $0 }, isTyping: view is TextInputView)
    return handle(as: act, named: name()) {
      markUsedCells(around: view)
      return body()
    }
  }

  @discardableResult
  private func handle(
    as act: PersonInput, named name: @autoclosure () -> String, isHeld: Bool = false,
    _ body: () -> Bool
  ) -> Bool {
    var isTaken = false
    withinBudget {
      perform(act) { isTaken = handlingInput(isHeld: isHeld) { asAct(name(), body) } }
    }
    return isTaken
  }
}
