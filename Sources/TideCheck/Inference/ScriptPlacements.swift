import TideBindings
import TideScript

/// The places of views that one script alone determines, and the calls that need the whole app.
///
/// An app has thousands of views, and most are created in the table of another view. Their places
/// do not change while other scripts are edited.
struct ScriptPlacements {
  let hidden: CalleeFacts.Hidden
  /// The calls that `PlacementCollector` has to examine with the whole app.
  private(set) var calls: [LuaExpression] = []

  init(_ script: Script, _ app: AppIndex) {
    hidden = app.inference.hidden
    for call in script.calls { call.viewPlace = nil }
    for call in script.calls where !isSettled(call, app) { calls.append(call) }
  }

  /// Whether the call has no role in its app, or a role that its script alone determines.
  private func isSettled(_ call: LuaExpression, _ app: AppIndex) -> Bool {
    switch call.kind {
    case .method(_, let name, _, _): return !Self.methods.contains(name)
    case .call(let callee, let arguments):
      if app.inference.viewClass(of: call) != nil { return settle(call, arguments.first, app) }
      if case .call = callee.kind { return false }
      guard let function = app.inference.function(callee) else {
        if case .member(_, "insert", _) = callee.kind { return false }
        return true
      }
      return !Self.functions.contains(function) && !function.hasPrefix("controller.")
        && !arguments.contains { $0.functionBody != nil }
    default: return true
    }
  }

  private static let methods: Set<String> =
    PlacementCollector.additions.union(["filter", "map", "sorted", "group", "observe"])
  private static let functions: Set<String> = [
    "on", "observe", "object", "property", "view.component", "model", "shared",
  ]

  /// Records the place of a view whose subviews are all literals in its table.
  private func settle(_ call: LuaExpression, _ table: LuaExpression?, _ app: AppIndex) -> Bool {
    guard let name = app.inference.viewClass(of: call)?.name, app.viewClasses.contains(name),
      !app.rowViews.contains(name)
    else { return false }
    let fields = table?.fields ?? []
    var children: [LuaExpression] = []
    var dataObject: LuaExpression?
    for field in fields {
      if field.isElement {
        guard app.inference.viewClass(of: field.value) != nil else { return false }
        children.append(field.value)
        continue
      }
      switch field.name?.text {
      case "dataObject": if dataObject == nil { dataObject = field.value }
      case "on", "keys": return false
      default: break
      }
    }
    if let own = fields["bindTo"]?.fields?["dataObject"] { dataObject = own }
    place(of: call).settle(name, dataObject)
    for child in children { place(of: child).superview = call }
    return true
  }

  private func place(of call: LuaExpression) -> ViewPlace {
    if let known = call.viewPlace { return known }
    let made = ViewPlace(hidden)
    call.viewPlace = made
    return made
  }
}

/// The place of a view, as far as its own script determines it.
final class ViewPlace {
  let hidden: CalleeFacts.Hidden
  private(set) var viewClass: String?
  private(set) var dataObject: LuaExpression?
  /// The call that creates the superview.
  weak var superview: LuaExpression?

  init(_ hidden: CalleeFacts.Hidden) { self.hidden = hidden }

  func settle(_ viewClass: String, _ dataObject: LuaExpression?) {
    self.viewClass = viewClass
    self.dataObject = dataObject
  }
}
