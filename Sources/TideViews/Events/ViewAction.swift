import TideBindings
import TideGraph

/// A user action on a whole view, from a renderer that shows a native control instead of cells.
/// Such a renderer has neither keys nor points to send.
///
/// Each class implements the actions that it supports in `perform`. They send the same events with
/// the same values as keys and the mouse.
package enum ViewAction {
  /// Presses a button or a toggle.
  case press
  /// Sets the text of a field, and its selection in characters.
  case edit(text: String, selection: Range<Int>)
  /// Sets a slider, a stepper or a divider.
  case setValue(Double)
  /// Sets a date field, as `2026-03-14` or `2026-03-14T08:30` regardless of its pattern; empty
  /// clears it.
  case setDate(String)
  /// Selects an item or a tab, from 0.
  case choose(Int)
  /// Selects a row, from 0.
  case select(row: Int, Key.Modifiers)
  /// Opens a row, like Enter and a double click.
  case open(row: Int)
  case setOpen(Bool, row: Int)
  case delete(row: Int)
  case move(row: Int, to: Int)
  /// Sorts by a column, from 0.
  case sort(column: Int)
  /// Chooses a menu item by the indexes on the path to it, from 0.
  case pick([Int])
  case close
  case click(count: Int, at: PointerPosition)
}

/// The mouse position in a view, in cells from its top left corner, and the modifier keys held.
package struct PointerPosition: Equatable {
  let point: Point
  let modifiers: Key.Modifiers

  package init(_ point: Point, _ modifiers: Key.Modifiers = []) {
    self.point = point
    self.modifiers = modifiers
  }
}

extension Scene {
  /// Performs a user action on a view. Returns false if the view does not support it, or is hidden,
  /// disabled or blocked by something modal.
  @discardableResult
  package func perform(_ action: ViewAction, on view: View) -> Bool {
    var isTyping = false
    if case .edit = action { isTyping = true }
    noteTyping(isTyping)
    return act(on: view, by: action.actName(on: view), isTyping: isTyping) {
      if view.isFocusStop { focus(view) }
      return view.perform(action) || performOnAny(action, view)
    }
  }

  /// Sends a key to a view, which gets the focus; with nil, sends the key of a user without a
  /// focus.
  @discardableResult
  package func perform(_ key: Key, on view: View?) -> Bool {
    guard let view else {
      // The focused view may belong to another user.
      input.ignoresFocus = true
      defer { input.ignoresFocus = false }
      return send(.key(key))
    }
    guard isReachable(view) else { return false }
    focus(view)
    return send(.key(key))
  }

  /// Whether a user can act on a view.
  package func isReachable(_ view: View) -> Bool {
    view.scene === self && view.isUsable && !floats.isBlocked(view)
  }

  /// Whether the acting person can type in a view. This includes a view that another person has
  /// hidden while it had this person's focus.
  package func takesTyping(_ view: View) -> Bool {
    if isReachable(view) { return true }
    return view.scene === self && person?.focus === view && view.isEnabledWithAncestors
      && !floats.isBlocked(view)
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

  /// The mouse moved, without a button, over a view, or over none. A view that does not accept
  /// input counts as none.
  package func hover(over view: View?, at position: PointerPosition?) {
    let innermost = view.flatMap { isReachable($0) ? $0 : nil }
    if !isHoverHeard { return }
    handle(as: PersonInput(gesture: input.nextGesture()), named: "the mouse", isHeld: true) {
      hover(over: innermost, innermost.map { event(.hover, at: position, of: $0) })
      return true
    }
  }

  /// The user focused a view in a page. The next action there refers to the content now shown, so
  /// lost edits are forgotten.
  package func focusByHand(_ view: View?) {
    if let view { forgetLostEdit(of: view) }
    noteFocus(goingTo: view)
    handle(
      as: PersonInput(gesture: input.nextGesture()), named: "a move of the focus", isHeld: true
    ) { focus(view) }
  }

  /// The user asked for the context menu of a view. A mouse position also selects the row there.
  /// Returns the view whose menu is to be shown, or nil if there is none.
  package func prepareContextMenu(of view: View, at position: PointerPosition?) -> View? {
    var owner: View?
    _ = act(on: view, by: "asking for the context menu of \(view.actedName)") {
      let asked = position == nil && view === focused ? contextMenuTarget : view
      owner = contextMenuOwner(for: asked, at: position)
      // The items may have changed, which the view itself does not observe.
      if let owner { layout.needsDraw(owner) }
      return owner != nil
    }
    return owner.flatMap { $0.contextMenuItems.isEmpty ? nil : $0 }
  }

  func act(
    on view: View, by name: @autoclosure () -> String, isTyping: Bool = false, _ body: () -> Bool
  ) -> Bool {
    guard isTyping ? takesTyping(view) : isReachable(view) else { return false }
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
