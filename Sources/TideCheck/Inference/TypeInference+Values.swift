import TideBindings
import TideScript

// The types of expressions.
extension TypeInference {
  /// The most declarations that are followed one after another.
  static let budget = 16

  func inferredType(of expression: LuaExpression, _ budget: Int = Self.budget) -> InferredType? {
    if budget <= 0 { return nil }
    switch expression.kind {
    case .name(_, let local?):
      if local.isReassigned { return nil }
      return inferredType(ofLocal: local, budget)
    case .name(let name, nil):
      return globalValues[name].flatMap { inferredType(of: $0, budget - 1) }
    case .parenthesized(let inner):
      return inferredType(of: inner, budget - 1)
    case .string:
      return .text
    case .member(let base, let name, _):
      return inferredType(ofMember: name, base, budget)
    case .index(let base, let key):
      if let name = key.string?.text { return inferredType(ofMember: name, base, budget) }
      return inferredType(of: base, budget - 1).flatMap(element)
    case .call(let callee, let arguments):
      return context.remembered(expression, budget) {
        inferredType(ofCall: expression, callee, arguments, budget)
      }
    case .method(let base, let name, _, let arguments):
      return context.remembered(expression, budget) {
        inferredType(of: base, budget - 1).flatMap {
          inferredType(ofMethod: name, arguments, of: $0, budget)
        }
      }
    default:
      return nil
    }
  }

  private func inferredType(ofLocal local: LuaLocal, _ budget: Int) -> InferredType? {
    if let shape = context.tables[ObjectIdentifier(local)] {
      return .table(shape, name: local.name)
    }
    if let value = local.value { return inferredType(of: value, budget - 1) }
    if let list = local.iterated {
      return local.loopIndex == 1 ? inferredType(ofElementIn: list, budget - 1) : nil
    }
    let origins = context.origins(of: local)
    if origins.isEmpty {
      guard local.parameterOf?.name != nil else { return nil }
      return context.restarted(budget) { budget in
        context.remembered(local, budget) { inferredType(ofParameter: local, budget) }
      }
    }
    return context.remembered(local, budget) {
      var found: InferredType?
      for origin in origins {
        guard let type = inferredType(of: origin, budget - 1),
          let both = found.map({ union($0, type) }) ?? type
        else { return nil }
        found = both
      }
      return found
    }
  }

  private func inferredType(of origin: LocalOrigin, _ budget: Int) -> InferredType? {
    switch origin {
    case .type(let type): return type
    case .element(let list): return inferredType(of: list, budget).flatMap(element)
    case .row(let source): return rows(of: source, budget).map { .held($0) }
    case .rowOf(let controller):
      guard case .controller("list", let rows?)? = inferredType(of: controller, budget) else {
        return nil
      }
      return .held(rows)
    case .property(let object, let path):
      return inferredType(of: object, budget).flatMap { follow(path.steps[...], from: $0, budget) }
    }
  }

  /// The type of the element variable of `ipairs(list)`, `pairs(list)` and `list:each()`.
  private func inferredType(ofElementIn iterator: LuaExpression, _ budget: Int) -> InferredType? {
    if case .method(let list, "each", _, _) = iterator.kind {
      return inferredType(of: list, budget).flatMap(element)
    }
    guard case .call(let callee, let arguments) = iterator.kind, let list = arguments.first,
      ["ipairs", "pairs"].contains(path(of: callee) ?? "")
    else { return nil }
    return inferredType(of: list, budget).flatMap(element)
  }

  /// The type of the elements of a list or an array.
  private func element(of type: InferredType) -> InferredType? {
    switch type {
    case .list(let rows?): .held(rows)
    case .array(let element): element
    default: nil
    }
  }

  private func inferredType(
    ofMember name: String, _ base: LuaExpression, _ budget: Int
  ) -> InferredType? {
    switch path(of: base) {
    case "models": return modelType(name, budget)
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

  /// The type of an object's property; nil if unknown.
  func inferredType(
    ofProperty name: String, in owner: InferredType, _ budget: Int = Self.budget
  ) -> InferredType? {
    if budget <= 0 { return nil }
    switch owner {
    case .table(let shape, _): return inferredType(ofEntry: name, in: shape, budget)
    case .controller(let kind, let rows): return property(name, ofController: kind, rows)
    case .instance(let type):
      return InferredType(annotation: types.fields(of: type)[name], in: types)
    default: break
    }
    guard let shape = shape(of: owner) else { return nil }
    if let type = shape.types[name] { return type }
    return shape.value(of: name).flatMap {
      inferredType(ofDefault: $0, budget - 1) ?? inferredType(ofObject: name, $0, budget - 1)
    }
  }

  /// The type of a plain table's member.
  private func inferredType(
    ofEntry name: String, in shape: LiteralShape, _ budget: Int
  ) -> InferredType? {
    if let type = shape.types[name] { return type }
    guard let value = shape.value(of: name) else { return nil }
    if let fields = value.fields {
      return context.openNames.contains(name) ? nil : table(value, fields, name: name)
    }
    return inferredType(of: value, budget - 1)
  }

  private func property(
    _ name: String, ofController kind: String, _ rows: LiteralShape?
  ) -> InferredType? {
    switch (kind, name) {
    case ("settings", "values"), ("settings", "initialValues"):
      // Settings accept any key.
      return context.openNames.contains(name) ? nil : rows.map { .held($0) }
    case ("list", "arrangedObjects"), ("list", "content"), ("list", "selectedObjects"),
      ("tree", "selectedObjects"), ("object", "selectedObjects"):
      return .list(rows)
    case ("list", "selectedObject"), ("list", "selection"), ("tree", "selection"),
      ("object", "selection"), ("object", "content"):
      return rows.map { .held($0) }
    default: return nil
    }
  }

  /// The model with a name, or the controller, resource or other object with that name.
  func modelType(_ name: String, _ budget: Int = Self.budget) -> InferredType {
    named[name].flatMap { inferredType(of: $0, budget - 1) } ?? .model(name)
  }

  /// The type of a property that is declared with a value.
  func inferredType(ofDefault value: LuaExpression, _ budget: Int) -> InferredType? {
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
      // Another object may replace it.
      case .object(let shape)?, .held(let shape)?: return .held(shape)
      case .list(let rows)?: return .list(rows)
      // A model may hold a value of the API in order to show it.
      case .instance(let name)?: return .instance(name)
      case .controller(let kind, let rows)?: return .controller(kind, rows: rows)
      default: return nil
      }
    }
  }

  /// A plain table becomes a list or an object.
  private func inferredType(
    ofTable table: LuaExpression, _ fields: [LuaField], _ budget: Int
  ) -> InferredType? {
    if fields.isSequence { return .list(rows(of: table, fields, budget)) }
    let shape = literalShapes.shape(of: table)
    return shape.isOpen ? nil : .held(shape)
  }

  /// The most elements of a list that are examined. Properties of later elements are accepted as
  /// well, because the script contains their names.
  static let rowLimit = 64

  /// The common shape of the elements of a list; nil if one of them is unknown.
  private func rows(of list: LuaExpression, _ fields: [LuaField], _ budget: Int) -> LiteralShape? {
    let type = context.remembered(list, budget) {
      .list(fields.isEmpty ? addedRows(to: list, budget) : findRows(of: fields, budget))
    }
    return if case .list(let rows)? = type { rows } else { nil }
  }

  private func findRows(of fields: [LuaField], _ budget: Int) -> LiteralShape? {
    var rows: LiteralShape?
    for field in fields.prefix(Self.rowLimit) {
      guard let shape = shape(ofRow: field.value, budget) else { return nil }
      if rows == nil { rows = shape } else { rows?.formUnion(shape) }
    }
    return rows.flatMap { $0.isOpen ? nil : $0 }
  }

  private func shape(ofRow value: LuaExpression, _ budget: Int) -> LiteralShape? {
    if let fields = value.fields {
      guard case .held(let shape)? = inferredType(ofTable: value, fields, budget) else {
        return nil
      }
      return shape
    }
    switch inferredType(of: value, budget - 1) {
    case .object(let shape)?, .held(let shape)?: return shape
    default: return nil
    }
  }

  // MARK: Lists that are declared empty

  /// The common shape of the rows that scripts add to a list that is declared empty; nil if one of
  /// them is unknown.
  private func addedRows(to list: LuaExpression, _ budget: Int) -> LiteralShape? {
    let additions = context.additions(to: list)
    guard !additions.isEmpty, additions.count <= Self.rowLimit, knowsUnplacedAdditions else {
      return nil
    }
    var rows: LiteralShape?
    for value in additions {
      guard let shape = shape(ofRow: value, budget) else { return nil }
      if rows == nil { rows = shape } else { rows?.formUnion(shape) }
    }
    return rows.flatMap { $0.isOpen ? nil : $0 }
  }

  /// Whether the shapes of all values that scripts add to unknown lists are known.
  private var knowsUnplacedAdditions: Bool {
    if let known = context.knowsUnplacedAdditions { return known }
    // Requests during the computation get the answer false.
    context.knowsUnplacedAdditions = false
    let all = context.unplacedAdditions
    let knows =
      all.count <= Self.rowLimit
      && all.allSatisfy { value in
        if value.constantType != nil { return true }
        switch inferredType(of: value) {
        case .view?, .text?, .plain?: return true
        default: return shape(ofRow: value, Self.budget).map { !$0.isOpen } ?? false
        }
      }
    context.knowsUnplacedAdditions = knows
    return knows
  }

  /// The declaration of an expression's list, if it is declared empty and not replaced: the empty
  /// table, or the call `list()`.
  func emptyList(_ expression: LuaExpression, _ budget: Int = Self.budget) -> LuaExpression? {
    if budget <= 0 { return nil }
    switch expression.kind {
    case .parenthesized(let inner): return emptyList(inner, budget - 1)
    case .table(let fields): return fields.isEmpty ? expression : nil
    case .call(let callee, let arguments) where function(callee) == "list":
      guard let first = arguments.first else { return expression }
      return first.fields?.isEmpty == true ? first : nil
    case .call(let callee, let arguments)
    where function(callee)?.hasPrefix("controller.") == true:
      return arguments.first?.fields?["content"].flatMap { emptyList($0, budget - 1) }
    case .name(_, let local?):
      return local.isReassigned ? nil : local.value.flatMap { emptyList($0, budget - 1) }
    case .member(let base, let name, _):
      guard !context.replacedNames.contains(name) else { return nil }
      let owner: InferredType? =
        path(of: base) == "models" ? nil : inferredType(of: base, budget - 1)
      return owner.flatMap { shape(of: $0) }?.value(of: name).flatMap {
        emptyList($0, budget - 1)
      }
    default: return nil
    }
  }

  /// The type that the options of `property {…}` declare.
  private func inferredType(ofProperty options: [LuaField]?, _ budget: Int) -> InferredType? {
    if options?["enum"] != nil { return .text }
    if let type = options?["type"] {
      guard let named = type.string.flatMap({ ValueType(name: $0.text) }) else { return nil }
      // A dictionary accepts any key.
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
      guard let first = arguments.first else { return .list(addedRows(to: expression, budget)) }
      return .list(first.fields.flatMap { rows(of: first, $0, budget) })
    case "feed": return .list(nil)
    case "concat":
      guard let first = arguments.first, let type = inferredType(of: first, budget - 1) else {
        return .list(nil)
      }
      return arguments.dropFirst().reduce(type) { found, list in
        inferredType(of: list, budget - 1).flatMap { union(found, $0) } ?? .list(nil)
      }
    case let path? where path.hasPrefix("controller."):
      return .controller(
        String(path.dropFirst("controller.".count)), rows: rows(ofController: expression, budget))
    case let path?:
      let result = types.functions[path]?.first?.result
      if let type = InferredType(annotation: result, in: types) { return type }
      if result == "string" { return .text }
    case nil: break
    }
    if let path = path(of: callee), path.contains("."),
      let type = InferredType(annotation: types.functions[path]?.first?.result, in: types)
    {
      return type
    }
    if let path = path(of: callee) {
      if LuaLibrary.functions[path]?.returnsString == true { return .text }
      if path == "table.remove", let list = arguments.first {
        return inferredType(of: list, budget - 1).flatMap(element)
      }
    }
    if context.modules[ObjectIdentifier(expression)] != nil {
      return moduleType(of: expression, budget - 1)
    }
    if case .call(let inner, let names) = callee.kind, function(inner) == "class" {
      var shape = literalShapes.shape(of: arguments.first)
      shape.isOfClass = true
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
    return functionBody(of: callee, budget - 1).flatMap { result(of: $0, budget - 1) }
  }
}
