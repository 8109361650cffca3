import TideBindings
import TideScript

// What expressions give.
extension TypeInference {
  func inferredType(of expression: LuaExpression, _ budget: Int = 12) -> InferredType? {
    if budget == 0 { return nil }
    switch expression.kind {
    case .name(_, let local?):
      if local.isReassigned { return nil }
      if let type = selfTypes[local] { return type }
      return local.value.flatMap { inferredType(of: $0, budget - 1) }
    case .parenthesized(let inner):
      return inferredType(of: inner, budget - 1)
    case .string:
      return .text
    case .member(let base, let name, _):
      return inferredType(ofMember: name, base, budget)
    case .index(let base, let key):
      if let name = key.string?.text { return inferredType(ofMember: name, base, budget) }
      guard case .list(let rows?)? = inferredType(of: base, budget - 1) else { return nil }
      return .held(rows)
    case .call(let callee, let arguments):
      return inferredType(ofCall: expression, callee, arguments, budget)
    case .method(let base, let name, _, _):
      guard name == "connect", case let owner = inferredType(of: base, budget - 1),
        case .userdata? = owner
      else { return nil }
      return owner
    default:
      return nil
    }
  }

  private func inferredType(
    ofMember name: String, _ base: LuaExpression, _ budget: Int
  ) -> InferredType? {
    switch path(of: base) {
    case "models": return .model(name)
    case "views":
      guard let classes = ids[name], classes.count == 1, let viewClass = classes.first ?? nil
      else { return .view(nil) }
      return .view(viewClass)
    default: break
    }
    return inferredType(of: base, budget - 1).flatMap {
      inferredType(ofProperty: name, in: $0, budget - 1)
    }
  }

  /// What a property of an object holds, for all that can be known.
  func inferredType(ofProperty name: String, in owner: InferredType, _ budget: Int = 12)
    -> InferredType?
  {
    let shape: LiteralShape? =
      switch owner {
      case .model(let model): shapes[model]
      case .object(let shape), .held(let shape): shape
      default: nil
      }
    guard budget > 0, let value = shape?.value(of: name) else { return nil }
    return inferredType(ofDefault: value, budget - 1)
  }

  /// What a property holds that is declared so.
  private func inferredType(ofDefault value: LuaExpression, _ budget: Int) -> InferredType? {
    if budget == 0 { return nil }
    switch value.kind {
    case .string: return .text
    case .constant: return value.constantType.map { .plain($0) }
    case .unary("-", let inner): return inferredType(ofDefault: inner, budget - 1)
    case .parenthesized(let inner): return inferredType(ofDefault: inner, budget - 1)
    case .table(let fields): return inferredType(ofTable: value, fields, budget)
    case .call(let callee, let arguments) where function(callee) == "property":
      return inferredType(ofProperty: arguments.first?.fields, budget)
    default:
      switch inferredType(of: value, budget - 1) {
      // The next one may be another.
      case .object(let shape)?: return .held(shape)
      case .list(let rows)?: return .list(rows)
      default: return nil
      }
    }
  }

  /// A plain table becomes a list or an object.
  private func inferredType(
    ofTable table: LuaExpression, _ fields: [LuaField], _ budget: Int
  ) -> InferredType? {
    if fields.isSequence { return .list(rows(of: fields, budget)) }
    let shape = literalShapes.shape(of: table)
    return shape.isOpen ? nil : .held(shape)
  }

  /// How many elements of a list are looked at. What others have, the script has written out, and
  /// who asks takes it for possible.
  private static let rowLimit = 64

  /// All that the elements of a list have; nil where one of them is not known.
  private func rows(of fields: [LuaField], _ budget: Int) -> LiteralShape? {
    var rows: LiteralShape?
    for field in fields.prefix(Self.rowLimit) {
      let shape: LiteralShape
      if let inner = field.value.fields {
        guard case .held(let own)? = inferredType(ofTable: field.value, inner, budget) else {
          return nil
        }
        shape = own
      } else {
        switch inferredType(of: field.value, budget - 1) {
        case .object(let own)?, .held(let own)?: shape = own
        default: return nil
        }
      }
      if rows == nil { rows = shape } else { rows?.formUnion(shape) }
    }
    return rows.flatMap { $0.isOpen ? nil : $0 }
  }

  /// What the options of `property {…}` tell.
  private func inferredType(ofProperty options: [LuaField]?, _ budget: Int) -> InferredType? {
    if options?["enum"] != nil { return .text }
    if let type = options?["type"] {
      guard let named = type.string.flatMap({ ValueType(name: $0.text) }) else { return nil }
      // A dict has whatever key it is given.
      if named == .any || named == .dictionary { return nil }
      if let type = InferredType(named), named != .list { return type }
    }
    return options?["default"].flatMap { inferredType(ofDefault: $0, budget - 1) }
  }

  private func inferredType(
    ofCall expression: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression],
    _ budget: Int
  ) -> InferredType? {
    if let declaration = declaration(expression), declaration.fields != nil {
      return .model(declaration.name.text)
    }
    if let made = viewClass(of: expression) { return .view(made.name) }
    switch function(callee) {
    case "object": return .object(literalShapes.shape(of: arguments.first))
    case "list":
      guard let first = arguments.first else { return .list(nil) }
      return .list(first.fields.flatMap { rows(of: $0, budget) })
    case "feed", "concat": return .list(nil)
    case "store.open": return .store
    case "bind", "binding": return .userdata("binding")
    case "observe", "effect", "on", "after", "every": return .userdata("handle")
    case "spawn": return .userdata("task")
    case let path? where path.hasPrefix("controller."):
      return .controller(String(path.dropFirst("controller.".count)))
    default: break
    }
    if case .call(let inner, let names) = callee.kind, function(inner) == "class" {
      var shape = literalShapes.shape(of: arguments.first)
      if names.count > 1 {
        if case .constructor(let base)? = inferredType(of: names[1], budget - 1) {
          shape.formUnion(base)
        } else {
          shape.isOpen = true
        }
      }
      return .constructor(shape)
    }
    if case .constructor(let shape)? = inferredType(of: callee, budget - 1) {
      return .object(shape)
    }
    return nil
  }
}
