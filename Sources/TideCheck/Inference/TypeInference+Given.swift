import TideBindings
import TideScript

// The types of parameters and properties, inferred from the values that the app passes or assigns.
extension TypeInference {
  // MARK: Parameters

  /// The most calls of a function that are examined.
  private static let callLimit = 16

  /// The type of the objects that the app's calls of a function pass for a parameter; nil if one of
  /// them is unknown. Indirect calls may pass other objects.
  func inferredType(ofParameter local: LuaLocal, _ budget: Int) -> InferredType? {
    guard let body = local.parameterOf, let name = body.name, !body.isMethod,
      let index = body.parameters.firstIndex(where: { $0 === local }),
      case let calls = context.calls(of: name), calls.count <= Self.callLimit
    else { return nil }
    var found: InferredType?
    for call in calls {
      guard case .call(let callee, let arguments) = call.kind,
        functionBody(of: callee, budget - 1) === body
      else { continue }
      guard index < arguments.count, let type = passed(arguments[index], budget - 3),
        let both = found.map({ union($0, type) }) ?? type
      else { return nil }
      found = both
    }
    return found
  }

  /// The type of an object or list that a call passes, which other calls may replace.
  private func passed(_ argument: LuaExpression, _ budget: Int) -> InferredType? {
    switch inferredType(of: argument, budget) {
    case .object(var shape)?, .held(var shape)?:
      // Unknown callers may pass other objects.
      shape.isExact = false
      return .held(shape)
    case .model(let name)?: return shapes[name].flatMap { $0.isOpen ? nil : .held($0) }
    case .list(let rows)?: return .list(rows)
    default: return nil
    }
  }

  // MARK: Objects

  /// The most values of a property that are examined.
  private static let valueLimit = 32

  /// The type of a property that is declared as an object of any class: that of all values that the
  /// app assigns; nil if one of them is unknown.
  func inferredType(
    ofObject name: String, _ declaration: LuaExpression, _ budget: Int
  ) -> InferredType? {
    guard context.objectProperties.contains(name), budget > 0, isObjectProperty(declaration),
      case .call(_, let arguments) = declaration.kind, let options = arguments.first
    else { return nil }
    return context.restarted(budget) { budget in
      context.remembered(options, budget) { findObject(name, declaration, budget) }
    }
  }

  private func findObject(
    _ name: String, _ declaration: LuaExpression, _ budget: Int
  ) -> InferredType? {
    let values = context.values(ofProperty: name)
    guard values.count <= Self.valueLimit else { return nil }
    var found: LiteralShape?
    for (owner, value) in values where value !== declaration && mayBeObject(value) {
      if let other = owner.flatMap({ inferredType(of: $0, budget - 1) }).flatMap(shape)?
        .value(of: name), other !== declaration
      {
        continue
      }
      guard let shape = shape(ofObject: value, budget - 2) else { return nil }
      if found == nil { found = shape } else { found?.formUnion(shape) }
    }
    return found.map { .held($0) }
  }

  /// Whether a property is declared as an object of any class, with the initial value nil.
  func isObjectProperty(_ value: LuaExpression) -> Bool {
    guard case .call(let callee, let arguments) = value.kind, let options = arguments.first?.fields,
      options["type"]?.string?.text == ValueType.object.name, options["default"] == nil
    else { return false }
    return function(callee) == "property"
  }

  private func mayBeObject(_ value: LuaExpression) -> Bool {
    switch value.kind {
    case .constant, .string, .function: return false
    case .call(let callee, _):
      return !["property", "computed", "list"].contains(function(callee) ?? "")
    default: return true
    }
  }

  private func shape(ofObject value: LuaExpression, _ budget: Int) -> LiteralShape? {
    if let fields = value.fields {
      return fields.isSequence ? nil : literalShapes.shape(of: value)
    }
    return switch inferredType(of: value, budget) {
    case .object(let shape)?, .held(let shape)?: shape
    case .model(let name)?: shapes[name]
    default: nil
    }
  }
}
