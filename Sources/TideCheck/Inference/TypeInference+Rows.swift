import TideBindings
import TideScript

// The types of rows, and of the values that paths lead to.
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
    case .controller, .instance, .view, .text, .plain: return nil
    case .constructor, .array: return nil
    case .model, .object, .held, .table:
      return functionBody(named: name, in: owner, budget - 1)
        .flatMap { result(of: $0, budget - 1) }
    }
  }

  // MARK: Rows

  /// The rows of the items of a view, or of a controller's content.
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
    case .controller("list", let rows)?: return rows
    default: return nil
    }
  }

  /// A plain table of rows becomes a list when a view gets it.
  private func inferredType(ofRows table: LuaExpression, _ budget: Int) -> InferredType? {
    guard let fields = table.fields, fields.isSequence else { return nil }
    return inferredType(ofDefault: table, budget)
  }

  /// The rows of `content`, or of `objectClass`; for settings the initial values.
  func rows(ofController arguments: [LuaExpression], _ budget: Int) -> LiteralShape? {
    guard let fields = arguments.first?.fields else { return nil }
    if let initial = fields["initialValues"] {
      let shape = literalShapes.shape(of: initial)
      return shape.isOpen ? nil : shape
    }
    if let content = fields["content"] {
      if case .list(let rows?)? = type(ofContent: content, budget) { return rows }
      if case .held(let shape)? = type(ofContent: content, budget) { return shape }
      if case .object(let shape)? = type(ofContent: content, budget) { return shape }
      if case .model(let name)? = type(ofContent: content, budget) { return shapes[name] }
    }
    guard let made = fields["objectClass"],
      case .constructor(let shape)? = inferredType(of: made, budget - 1)
    else { return nil }
    return shape
  }

  private func type(ofContent content: LuaExpression, _ budget: Int) -> InferredType? {
    if let text = content.string {
      return (try? Path.parse(text.text)).flatMap { follow(rootedIn: $0, budget - 1) }
    }
    return inferredType(of: content, budget - 1) ?? inferredType(ofRows: content, budget - 1)
  }

  // MARK: Paths

  /// The type of a path that begins with the name of a model.
  func follow(rootedIn path: Path, _ budget: Int) -> InferredType? {
    guard let root = path.steps.first?.propertyName, shapes[root] != nil || named[root] != nil
    else {
      return nil
    }
    return follow(path.steps.dropFirst(), from: modelType(root, budget - 1), budget)
  }

  /// The type that steps lead to, if known.
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
        QueryColumns(of: $0).names(in: context.columns)
      }
      guard let columns else { return name == "list" ? .list(nil) : nil }
      // A row of a class also has the properties of the class.
      let options = arguments.dropFirst(2).first
      if arguments.count > 2, options?.fields?["class"] != nil || options?.fields == nil {
        return name == "list" ? .list(nil) : nil
      }
      var shape = LiteralShape(names: columns)
      shape.isExact = true
      if name == "list" { return .list(shape) }
      shape.add("error", nil)
      return .held(shape)
    default: return nil
    }
  }

  /// The string of a literal.
  func literalText(_ expression: LuaExpression) -> String? {
    if let text = expression.string?.text { return text }
    guard case .name(_, let local?) = expression.kind, !local.isReassigned else { return nil }
    return local.value?.string?.text
  }
}
