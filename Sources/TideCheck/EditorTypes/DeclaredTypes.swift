import TideBindings
import TideScript

/// The editor types of properties, from their declarations.
struct DeclaredTypes {
  private let inference: TypeInference
  private let comments: SourceComments
  /// The classes that were added, and the objects in their properties.
  private(set) var classes: [AppTypes.Class] = []

  init(_ inference: TypeInference, _ comments: SourceComments) {
    self.inference = inference
    self.comments = comments
  }

  mutating func add(
    _ name: String, _ fields: [LuaField], _ comment: [String], parent: String? = nil
  ) {
    let own = self.fields(fields, of: name)
    var made = AppTypes.Class(name: name, fields: own, comment: comment)
    if let parent { made.parent = parent }
    classes.append(made)
  }

  mutating func fields(_ fields: [LuaField], of owner: String) -> [AppTypes.Field] {
    var seen: Set<String> = []
    var made: [AppTypes.Field] = []
    for field in fields {
      guard let name = field.name, name.text.isLuaName, seen.insert(name.text).inserted else {
        continue
      }
      made.append(
        AppTypes.Field(
          name: name.text, type: type(of: field.value, named: "\(owner).\(name.text)", in: owner),
          comment: comments.beside(name.start, field.value.range.upperBound)))
    }
    return made
  }

  /// The class of a constructor, such as `class.Person`.
  func className(of expression: LuaExpression, _ budget: Int = 12) -> String? {
    if budget == 0 { return nil }
    switch expression.kind {
    case .name(_, let local?):
      return local.isReassigned ? nil : local.value.flatMap { className(of: $0, budget - 1) }
    case .parenthesized(let inner): return className(of: inner, budget - 1)
    case .call(let callee, _):
      guard case .call(let inner, let names) = callee.kind, inference.function(inner) == "class",
        let name = names.first?.string?.text, name.isLuaName
      else { return nil }
      return "class.\(name)"
    default: return nil
    }
  }

  // MARK: Values

  /// - Parameters:
  ///   - name: the name of the class for an object in the value.
  ///   - owner: the class that has the property.
  private mutating func type(
    of value: LuaExpression, named name: String, in owner: String
  ) -> String {
    switch value.kind {
    case .string, .constant: return value.constantType ?? "any"
    case .unary("-", let inner): return type(of: inner, named: name, in: owner)
    case .unary("not", _): return "boolean"
    case .parenthesized(let inner):
      return type(of: inner, named: name, in: owner)
    case .function(let body): return method(body, owner)
    case .table(let fields): return table(fields, named: name, in: owner)
    case .name, .member:
      if case .model(let model)? = inference.inferredType(of: value), model.isLuaName {
        return "model.\(model)"
      }
      return "any"
    case .call(let callee, let arguments):
      if let made = className(of: callee) { return made }
      return type(
        ofCall: inference.function(callee), arguments, named: name, in: owner)
    default: return "any"
    }
  }

  /// A method, with its parameters.
  private func method(_ body: LuaFunctionBody, _ owner: String) -> String {
    let parameters = body.parameters.enumerated().map { index, parameter in
      "\(parameter.name): \(index == 0 && parameter.name == "self" ? owner : "any")"
    }
    return "fun(\(parameters.joined(separator: ", "))): any"
  }

  private mutating func table(
    _ fields: [LuaField], named name: String, in owner: String
  ) -> String {
    if fields.isSequence { return list(of: fields, named: name, in: owner) }
    guard fields.contains(where: { $0.name?.text.isLuaName == true }) else {
      return "tidelock.DataObject"
    }
    add(name, fields, [])
    return name
  }

  /// The type of a list, from the types of its first elements.
  private mutating func list(
    of fields: [LuaField], named name: String, in owner: String
  ) -> String {
    let rows = fields.prefix(100).map(\.value)
    var types: [String] = []
    let tables = rows.compactMap(\.fields)
    if !tables.isEmpty, tables.count == rows.count {
      // A field of one row may occur in the other rows as well.
      let type = table(tables.flatMap { $0 }, named: "\(name).row", in: owner)
      types = [type]
    } else {
      for row in rows {
        let type = type(of: row, named: "\(name).row", in: owner)
        if !types.contains(type) { types.append(type) }
      }
    }
    return types.count == 1 && types[0] != "any" ? "tidelock.List<\(types[0])>" : "tidelock.List"
  }

  private mutating func type(
    ofCall function: String?, _ arguments: [LuaExpression], named name: String, in owner: String
  ) -> String {
    switch function {
    case "list":
      return list(of: arguments.first?.fields ?? [], named: name, in: owner)
    case "feed", "concat": return "tidelock.List"
    case "dict": return "tidelock.DataObject"
    case "object":
      return arguments.first?.fields.map { table($0, named: name, in: owner) }
        ?? "tidelock.DataObject"
    case "computed": return arguments.first?.functionBody.map(Self.result) ?? "any"
    case "property":
      return property(arguments.first?.fields ?? [], named: name, in: owner)
    default: return "any"
    }
  }

  /// The type that the options of `property {…}` declare.
  private mutating func property(
    _ options: [LuaField], named name: String, in owner: String
  ) -> String {
    let initial = options["default"]
    let cases = options["enum"]?.fields?.compactMap { $0.value.string?.text }
    let named = options["type"]?.string.flatMap { ValueType(name: $0.text) }
    var type = "any"
    if let cases, !cases.isEmpty {
      type = "(\(cases.map { TransformCall.quoted($0) }.joined(separator: "|")))"
    } else if let named {
      type = TypeDefinitions.name(of: named)
    }
    // The default says more about lists and objects.
    if let initial, type == "any" || type.hasPrefix("tidelock.") {
      let own = self.type(of: initial, named: name, in: owner)
      if own != "any" { type = own }
    }
    let isNullable: Bool =
      if let flag = options["nullable"], case .constant(let text) = flag.kind {
        text == "true"
      } else {
        initial == nil
      }
    return isNullable && type != "any" ? type + "?" : type
  }

  // MARK: Computed values

  /// The type of a function's result, if it has a single `return` and its operators determine the
  /// type.
  static func result(of body: LuaFunctionBody) -> String {
    guard body.block.count == 1, case .results(let values)? = body.block.first, values.count == 1
    else { return "any" }
    return result(of: values[0])
  }

  private static func result(of value: LuaExpression) -> String {
    switch value.kind {
    case .string, .constant: return value.constantType ?? "any"
    case .unary("not", _): return "boolean"
    case .unary("#", _): return "integer"
    case .unary("-", _): return "number"
    case .parenthesized(let inner): return result(of: inner)
    case .operation(_, let signs):
      // The type of a comparison does not depend on its operands; that of `and` and `or` does.
      if signs.contains(where: { ["and", "or"].contains($0) }) { return "any" }
      if signs.contains(where: { ["==", "~=", "<", "<=", ">", ">="].contains($0) }) {
        return "boolean"
      }
      if signs.contains("..") { return "string" }
      return "number"
    default: return "any"
    }
  }
}
