import TideScript

// What `self` is where a class is called with a colon.
extension ScriptChecker {
  /// The relation of `self` to a class.
  enum SelfRole {
    /// An object of a class that inherits from it.
    case subclass
    /// An object of the class itself, or of a subclass.
    case own
  }

  /// The relation of the `self` at an offset to the class of an expression; nil if it is unknown:
  /// there is no `self`, or it may be anything.
  func selfRole(at offset: Int, of base: LuaExpression) -> SelfRole? {
    guard let wanted = classCall(base), let local = visibleSelf(at: offset), !local.isReassigned,
      let body = local.parameterOf, body.parameters.first === local,
      let own = classesByMethod[ObjectIdentifier(body)]
    else { return nil }
    if own === wanted { return .own }
    var current = own
    for _ in 0..<Self.classLimit {
      guard case .call(let callee, _) = current.kind, case .call(_, let names) = callee.kind,
        names.count > 1, let above = classCall(names[1])
      else { return nil }
      if above === wanted { return .subclass }
      current = above
    }
    return nil
  }

  /// The most superclasses that are followed.
  private static let classLimit = 32

  /// The call that declares the class of an expression: `class "Fruit" {…}`.
  private func classCall(_ expression: LuaExpression, _ budget: Int = 16) -> LuaExpression? {
    if budget == 0 { return nil }
    switch expression.kind {
    case .parenthesized(let inner): return classCall(inner, budget - 1)
    case .call(let callee, _):
      if case .call(let inner, _) = callee.kind, inference.function(inner) == "class" {
        return expression
      }
      return inference.context.modules[ObjectIdentifier(expression)]?.returned.flatMap {
        classCall($0, budget - 1)
      }
    case .name(_, let local?):
      return local.isReassigned ? nil : local.value.flatMap { classCall($0, budget - 1) }
    case .name(let name, nil):
      return inference.globalValues[name].flatMap { classCall($0, budget - 1) }
    case .member(let owner, let name, _):
      return inference.inferredType(of: owner).flatMap { inference.shape(of: $0) }?.value(of: name)
        .flatMap { classCall($0, budget - 1) }
    default: return nil
    }
  }

  /// The classes of a script by the functions in their tables.
  func findClassesByMethod() -> [ObjectIdentifier: LuaExpression] {
    var found: [ObjectIdentifier: LuaExpression] = [:]
    for call in script.calls {
      guard case .call(let callee, let arguments) = call.kind,
        case .call(let inner, _) = callee.kind,
        inference.function(inner) == "class"
      else { continue }
      for body in (arguments.first?.fields ?? []).compactMap(\.value.functionBody) {
        found[ObjectIdentifier(body)] = call
      }
    }
    return found
  }
}
