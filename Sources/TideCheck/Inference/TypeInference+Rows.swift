import TideBindings
import TideScript

// The types of rows, and of the values at the end of paths.
extension TypeInference {
  /// The type of a method's result.
  func inferredType(
    ofMethod name: String, _ arguments: [LuaExpression], of owner: InferredType, _ budget: Int
  ) -> InferredType? {
    switch owner {
    case .list(let rows):
      switch name {
      case "filter", "sorted", "slice": return owner
      case "remove": return rows.map { .held($0) }
      case "totable": return rows.map { .array(.held($0)) }
      case "group":
        var shape = LiteralShape(names: ["key"])
        shape.add("items", as: owner)
        return .list(shape)
      case "map":
        let body = arguments.first.flatMap { functionBody(of: $0, budget - 1) }
        switch body.flatMap({ result(of: $0, budget - 1) }) {
        case .object(let shape)?, .held(let shape)?: return .list(shape)
        default: return .list(nil)
        }
      case "observe": return .userdata("handle")
      default: return nil
      }
    case .store: return inferredType(ofQuery: name, arguments, budget)
    case .userdata: return name == "connect" ? owner : nil
    case .text: return LuaLibrary.functions["string.\(name)"]?.returnsString == true ? .text : nil
    case .instance(let type):
      return InferredType(annotation: types.methods(of: type)[name]?.result, in: types)
    case .controller, .view, .plain: return nil
    case .constructor, .array: return nil
    case .model, .object, .held, .table:
      return functionBody(named: name, in: owner, budget - 1)
        .flatMap { result(of: $0, budget - 1) }
    }
  }

  // MARK: Rows

  /// The shape of the rows of a view's items, or of a controller's content.
  func rows(of source: RowSource, _ budget: Int = Self.budget) -> LiteralShape? {
    let type: InferredType? =
      switch source {
      case .expression(let list):
        if let text = list.string, let path = try? Path.parse(text.text) {
          follow(rootedIn: path, budget)
        } else {
          inferredType(of: list, budget) ?? inferredType(ofRows: list, budget)
        }
      case .path(let path): follow(rootedIn: path, budget)
      }
    switch type {
    case .list(let rows)?: return rows
    case .array(.held(let rows))?, .array(.object(let rows))?: return rows
    case .controller("list", let rows)?, .controller("tree", let rows)?: return rows
    default: return nil
    }
  }

  /// A plain table of rows becomes a list when it is assigned to a view.
  private func inferredType(ofRows table: LuaExpression, _ budget: Int) -> InferredType? {
    guard let fields = table.fields, fields.isSequence else { return nil }
    return inferredType(ofDefault: table, budget)
  }

  /// The shape of the rows of `content` or of `objectClass`; for settings, that of the initial
  /// values.
  private func rows(ofController arguments: [LuaExpression], _ budget: Int) -> LiteralShape? {
    guard let fields = arguments.first?.fields else { return nil }
    if let initial = fields["initialValues"] {
      var shape = literalShapes.shape(of: initial)
      shape.isUntyped = true
      return shape.isOpen ? nil : shape
    }
    if let rows = fields["content"].flatMap({ rows(ofContent: $0, budget) }) { return rows }
    guard let made = fields["objectClass"],
      case .constructor(let shape)? = inferredType(of: made, budget - 1)
    else { return nil }
    return shape
  }

  /// The shape of the rows of a controller that a call creates, from its options or from the
  /// content that statements assign.
  func rows(ofController call: LuaExpression, _ budget: Int = Self.budget) -> LiteralShape? {
    guard case .call(_, let arguments) = call.kind else { return nil }
    if let rows = rows(ofController: arguments, budget) { return rows }
    var found: LiteralShape?
    for content in context.contents(of: call) {
      guard let rows = rows(ofContent: content, budget) else { return nil }
      if found == nil { found = rows } else { found?.formUnion(rows) }
    }
    return found
  }

  /// The call that creates the controller of an expression.
  func controllerCall(
    _ expression: LuaExpression, _ budget: Int = Self.budget
  ) -> LuaExpression? {
    if budget == 0 { return nil }
    switch expression.kind {
    case .parenthesized(let inner): return controllerCall(inner, budget - 1)
    case .call(let callee, _):
      return function(callee)?.hasPrefix("controller.") == true ? expression : nil
    case .name(_, let local?):
      return local.isReassigned ? nil : local.value.flatMap { controllerCall($0, budget - 1) }
    case .name(let name, nil):
      return globalValues[name].flatMap { controllerCall($0, budget - 1) }
    case .member(let base, let name, _):
      if path(of: base) == "models" {
        return named[name].flatMap { controllerCall($0, budget - 1) }
      }
      return inferredType(of: base, budget - 1).flatMap { shape(of: $0) }?.value(of: name)
        .flatMap { controllerCall($0, budget - 1) }
    default: return nil
    }
  }

  /// The arguments with which a binding was created: `binding("name -> title", options)`.
  func bindingArguments(
    of expression: LuaExpression, _ budget: Int = Self.budget
  ) -> [LuaExpression]? {
    if budget == 0 { return nil }
    switch expression.kind {
    case .parenthesized(let inner): return bindingArguments(of: inner, budget - 1)
    case .call(let callee, let arguments): return function(callee) == "binding" ? arguments : nil
    case .method(let base, "connect", _, _): return bindingArguments(of: base, budget - 1)
    case .name(_, let local?):
      return local.isReassigned ? nil : local.value.flatMap { bindingArguments(of: $0, budget - 1) }
    default: return nil
    }
  }

  private func rows(ofContent content: LuaExpression, _ budget: Int) -> LiteralShape? {
    switch type(ofContent: content, budget) {
    case .list(let rows)?: rows
    case .held(let shape)?, .object(let shape)?: shape
    case .model(let name)?: shapes[name]
    default: nil
    }
  }

  private func type(ofContent content: LuaExpression, _ budget: Int) -> InferredType? {
    if let text = content.string {
      return (try? Path.parse(text.text)).flatMap { follow(rootedIn: $0, budget - 1) }
    }
    return inferredType(of: content, budget - 1) ?? inferredType(ofRows: content, budget - 1)
  }

  // MARK: Paths

  /// The type at the end of a path that begins with the name of a model.
  func follow(rootedIn path: Path, _ budget: Int) -> InferredType? {
    guard let root = path.steps.first?.propertyName, shapes[root] != nil || named[root] != nil
    else {
      return nil
    }
    return follow(path.steps.dropFirst(), from: modelType(root, budget - 1), budget)
  }

  /// The type at the end of some steps; nil if unknown.
  func follow(
    _ steps: ArraySlice<PathStep>, from start: InferredType, _ budget: Int
  ) -> InferredType? {
    var type = start
    for step in steps {
      let next: InferredType? =
        switch step {
        case .property(let name): inferredType(ofProperty: name, in: type, budget - 1)
        case .element(let name, _):
          if case .list(let rows?)? = inferredType(ofProperty: name, in: type, budget - 1) {
            .held(rows)
          } else {
            nil
          }
        case .view, .collection: nil
        }
      guard let next else { return nil }
      type = next
    }
    return type
  }

  // MARK: Queries

  /// The type of a database method's result for a literal query.
  private func inferredType(
    ofQuery name: String, _ arguments: [LuaExpression], _ budget: Int
  ) -> InferredType? {
    switch name {
    case "value": return .instance("StoreValue")
    case "list", "row":
      let columns = arguments.first.flatMap(literalText).flatMap {
        context.queries.names(of: $0)
      }
      guard let columns else { return name == "list" ? .list(nil) : nil }
      var shape = LiteralShape(names: columns)
      shape.isExact = true
      let options = arguments.dropFirst(2).first
      if arguments.count > 2, options?.fields?["class"] != nil || options?.fields == nil {
        // A row of a class also has the properties of the class.
        guard let name = options?.fields?["class"]?.string?.text,
          case .constructor(let made)? = classes[name].flatMap({ inferredType(of: $0, budget - 1) })
        else { return .list(nil) }
        shape.formUnion(made)
        shape.isExact = true
      } else {
        shape.isReadOnly = true
      }
      if name == "list" { return .list(shape) }
      shape.add("error", nil)
      return .held(shape)
    default: return nil
    }
  }

  /// The string of a literal, or of a variable that holds one.
  func literalText(_ expression: LuaExpression) -> String? {
    if let text = expression.string?.text { return text }
    guard case .name(_, let local?) = expression.kind, !local.isReassigned else { return nil }
    return local.value?.string?.text
  }
}
