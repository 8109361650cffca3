import TideViews
import TideScript

/// Infers the types of a script's expressions from its text.
///
/// A local variable has the type of its initial value, unless it is reassigned.
struct TypeInference {
  let api: Set<String>
  /// The globals that the app assigns itself, which hide those of the API.
  let assigned: Set<String>
  /// The names of the API that the app hides. With the script they determine the meaning of
  /// callees.
  let hidden: CalleeFacts.Hidden
  /// The classes of views by their ids, and the models' shapes; see `SymbolTable`.
  var ids: [String: Set<String?>] = [:]
  var shapes: [String: LiteralShape] = [:]
  /// The declarations of controllers, resources and similar objects, by the names that paths use.
  var named: [String: LuaExpression] = [:]
  /// The values of the app's global variables that are assigned once.
  var globalValues: [String: LuaExpression] = [:]
  /// The calls that declare classes, by the names of the classes.
  var classes: [String: LuaExpression] = [:]
  /// A cache of the shapes of literal tables.
  let literalShapes = LiteralShapes()
  /// The types of names that scripts use without declaring them.
  var types = APITypes.shared
  /// The facts about the rest of the app.
  var context = InferenceContext()

  init(
    api: Set<String>, assigned: Set<String>, ids: [String: Set<String?>] = [:],
    shapes: [String: LiteralShape] = [:]
  ) {
    self.api = api
    self.assigned = assigned
    self.ids = ids
    self.shapes = shapes
    hidden = CalleeFacts.Hidden(
      assigned.filter { api.contains($0) || $0 == "_G" || $0 == "require" })
  }

  /// The path by which an expression reaches a name of the API or a global of the library: `bind`,
  /// `view.label`, `string.format`.
  func path(of expression: LuaExpression, _ budget: Int = 12) -> String? {
    if budget == 0 { return nil }
    switch expression.kind {
    case .name(let name, nil):
      return assigned.contains(name) ? nil : name
    case .name(_, let local?):
      guard !local.isReassigned, let value = local.value else { return nil }
      return path(of: value, budget - 1)
    case .member(let base, let name, _):
      guard let path = path(of: base, budget - 1) else { return nil }
      return path == "tidelock" || path == "_G" ? name : "\(path).\(name)"
    case .parenthesized(let inner):
      return path(of: inner, budget - 1)
    case .call(let callee, let arguments):
      guard case .name("require", nil) = callee.kind, let name = arguments.first?.string?.text,
        name == "tidelock" || Runtime.libraryNames.contains(name)
      else { return nil }
      return name
    default:
      return nil
    }
  }

  /// The fields of a literal table, or of a variable's initial table.
  func table(of expression: LuaExpression, _ budget: Int = 8) -> [LuaField]? {
    if let fields = expression.fields { return fields }
    guard budget > 0, case .name(_, let local?) = expression.kind, !local.isReassigned else {
      return nil
    }
    return local.value.flatMap { table(of: $0, budget - 1) }
  }

  /// The name of the API's function that a callee refers to, also through variables.
  func function(_ callee: LuaExpression) -> String? { facts(of: callee).function }

  /// The facts about a callee, computed once.
  private func facts(of callee: LuaExpression) -> CalleeFacts {
    if let known = callee.calleeFacts, known.hidden == hidden { return known }
    let function = findFunction(callee)
    let facts = CalleeFacts(
      hidden: hidden, function: function, viewClass: function.flatMap(Self.viewClass))
    callee.calleeFacts = facts
    return facts
  }

  private static func viewClass(_ function: String) -> String? {
    guard function.hasPrefix("view."), case let name = String(function.dropFirst(5)),
      !name.contains("."), !Runtime.viewMakers.contains(name)
    else { return nil }
    return name
  }

  private func findFunction(_ callee: LuaExpression) -> String? {
    guard let path = path(of: callee) else { return nil }
    let root = path.split(separator: ".", maxSplits: 1).first.map(String.init) ?? path
    return api.contains(root) ? path : nil
  }

  /// The view class of a call such as `view.label {…}`, with the offset of its name.
  func viewClass(of expression: LuaExpression) -> (name: String, offset: Int)? {
    guard case .call(let callee, _) = expression.kind, let name = facts(of: callee).viewClass
    else { return nil }
    if case .member(_, _, let offset) = callee.kind { return (name, offset) }
    return (name, callee.range.lowerBound)
  }

  /// The name and the table of a declared model: `model "name" {…}`, or the same with `shared`,
  /// which also accepts both arguments in one call. The table is nil if it is missing.
  func declaration(
    _ expression: LuaExpression
  ) -> (keyword: String, name: LuaToken, fields: LuaExpression?)? {
    guard case .call(let callee, let arguments) = expression.kind else { return nil }
    if let keyword = modelKeyword(callee), let name = arguments.first?.string {
      return (keyword, name, keyword == "shared" ? arguments.dropFirst().first : nil)
    }
    guard case .call(let inner, let names) = callee.kind, let keyword = modelKeyword(inner),
      let name = names.first?.string
    else { return nil }
    return (keyword, name, arguments.first)
  }

  private func modelKeyword(_ callee: LuaExpression) -> String? {
    function(callee).flatMap { ["model", "shared"].contains($0) ? $0 : nil }
  }
}

/// The meaning of an expression as a callee. It depends only on the script, and on the names of the
/// API that the app hides.
struct CalleeFacts {
  /// The names of the API that the app assigns to; nearly always none.
  struct Hidden: Equatable {
    private let names: Set<String>?

    init(_ names: Set<String>) { self.names = names.isEmpty ? nil : names }
  }

  let hidden: Hidden
  /// The path of the API's function.
  let function: String?
  /// The class of the view that a call creates.
  let viewClass: String?
}

/// A cache of the shapes of literal tables, because a large table's shape may be needed at every
/// use of its variable.
final class LiteralShapes {
  private var shapes: [ObjectIdentifier: LiteralShape] = [:]

  func forget() { shapes = [:] }

  /// The shape of a table; an open one if it is not a literal.
  func shape(of table: LuaExpression?) -> LiteralShape {
    guard let table, let fields = table.fields else { return .unknown }
    if let known = shapes[ObjectIdentifier(table)] { return known }
    let shape = LiteralShape(fields)
    shapes[ObjectIdentifier(table)] = shape
    return shape
  }
}
