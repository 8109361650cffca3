import TideBindings
import TideGraph

// The names of user actions, which appear as causes in `why`.
extension Scene {
  /// Runs a function as a named action of the user; changes made during it have the action as their
  /// cause.
  func asAct<Result>(_ name: @autoclosure () -> String, _ body: () -> Result) -> Result {
    let suffix = input.program.map { " (\($0))" } ?? ""
    return BindingTable.of(graph).acting(as: name() + suffix) { graph.as(.input, body) }
  }

  func actName(of event: InputEvent) -> String {
    switch event {
    case .key(let key):
      if let field = target as? TextInputView, key.isTyping {
        return "typing into \(field.actedName)"
      }
      let place = target === window || target === root ? "" : " on \(target.actedName)"
      return "a press of \(key)\(place)"
    case .paste: return "a paste into \(target.actedName)"
    case .resize: return "another size"
    case .mouse(let mouse):
      let name = (input.pressed ?? viewInUse(at: mouse.position)).actedName
      switch mouse.kind {
      case .press, .release: return "a click on \(name)"
      case .drag: return "dragging in \(name)"
      case .move: return "the mouse over \(name)"
      case .scroll, .scrollSideways: return "the wheel over \(name)"
      }
    }
  }

  /// The innermost view at a point that has a name or can have the focus.
  private func viewInUse(at point: Point) -> View {
    let hit = view(at: point)
    var view: View? = hit
    while let current = view {
      if current.displayName != nil || current.isFocusStop { return current }
      view = current.parent
    }
    return hit
  }
}

extension View {
  /// The view's class with its id, or else with its title.
  final var actedName: String {
    let title = displayName == nil ? (self as? PressableView)?.text(.title) ?? "" : ""
    return title.isEmpty
      ? callName : "\(callName) \(TransformCall.quoted(String(title.prefix(40))))"
  }
}

extension ViewAction {
  /// The name of the action, in the same words as for a key or the mouse.
  func actName(on view: View) -> String {
    let name = view.actedName
    return switch self {
    case .press, .click: "a click on \(name)"
    case .edit: "typing into \(name)"
    case .setValue, .setDate: "a change of \(name)"
    case .choose, .select, .open, .pick: "a choice in \(name)"
    case .setOpen(let isOpen, _): "\(isOpen ? "opening" : "closing") a row of \(name)"
    case .delete: "deleting a row of \(name)"
    case .move: "moving a row of \(name)"
    case .sort: "sorting \(name)"
    case .close: "closing \(name)"
    }
  }
}
