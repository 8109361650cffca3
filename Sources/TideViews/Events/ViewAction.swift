import TideBindings
import TideGraph

/// What a person does to a view as a whole, where a renderer shows it by a control of its own and not
/// by cells: there are neither keys nor points then.
///
/// Each class takes what it offers, by `perform`, and behaves as it does for keys and the mouse: the
/// same events come, with the same values.
package enum ViewAction {
  /// A button, a toggle.
  case press
  /// A field has this text now, and this selection in characters.
  case edit(text: String, selection: Range<Int>)
  /// A slider, a stepper, a divider.
  case setValue(Double)
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
  case click(count: Int)
}

extension Scene {
  /// Does what a person does to a view; false where that cannot be done to it, as to one that is
  /// hidden, disabled or below something modal.
  @discardableResult
  package func perform(_ action: ViewAction, on view: View) -> Bool {
    act(on: view) {
      if view.isFocusStop { focus(view) }
      return view.perform(action) || performOnAny(action, view)
    }
  }

  /// The same for a key at a view, or without one at what has the focus.
  @discardableResult
  package func perform(_ key: Key, on view: View?) -> Bool {
    if let view {
      guard isReachable(view) else { return false }
      focus(view)
    }
    return send(.key(key))
  }

  /// Whether a person can do something to a view.
  package func isReachable(_ view: View) -> Bool {
    view.scene === self && view.isUsable && !floats.isBlocked(view)
  }

  private func performOnAny(_ action: ViewAction, _ view: View) -> Bool {
    if case .pick(let path) = action { return view.performContextMenu(path) }
    guard case .click(let count) = action else { return false }
    var isTaken = view.send(event(.click, at: nil, of: view))
    if count == 2, view.scene === self {
      isTaken = view.send(event(.doubleClick, at: nil, of: view)) || isTaken
    }
    return isTaken
  }

  private func act(on view: View, _ body: () -> Bool) -> Bool {
    guard isReachable(view) else { return false }
    var isTaken = false
    let gesture = input.gesture(ofActionOn: view)
    withinBudget {
      let title = (view as? PressableView)?.text(.title)
      host.inputBegan?(gesture, title.flatMap { $0.isEmpty ? nil : $0 })
      markUsedCells(around: view)
      isTaken = graph.as(.input, body)
      host.inputEnded?()
    }
    return isTaken
  }
}
