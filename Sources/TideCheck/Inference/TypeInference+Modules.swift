import TideBindings
import TideScript

// The types of modules and of the results of functions.
extension TypeInference {
  /// The type of a module, the result of `require`.
  func moduleType(of call: LuaExpression, _ budget: Int) -> InferredType? {
    guard let script = context.modules[ObjectIdentifier(call)], let value = script.returned else {
      return nil
    }
    let isOpen = context.openModules.contains(ObjectIdentifier(script))
    if let fields = value.fields, !fields.isEmpty {
      return isOpen ? nil : table(value, fields, name: script.moduleName)
    }
    switch inferredType(of: value, budget) {
    case .table(let shape, _)?: return isOpen ? nil : .table(shape, name: script.moduleName)
    case let type: return type
    }
  }

  /// The type of a plain literal table; nil if other code may have added members.
  func table(_ value: LuaExpression, _ fields: [LuaField], name: String) -> InferredType? {
    if fields.contains(where: \.isElement) { return nil }
    let shape = literalShapes.shape(of: value)
    return shape.isOpen ? nil : .table(shape, name: name)
  }

  /// The function that an expression evaluates to, if it is the app's own.
  func functionBody(of expression: LuaExpression, _ budget: Int = Self.budget) -> LuaFunctionBody? {
    if budget == 0 { return nil }
    switch expression.kind {
    case .function(let body): return body
    case .parenthesized(let inner): return functionBody(of: inner, budget - 1)
    case .name(_, let local?):
      if local.isReassigned { return nil }
      return local.function ?? local.value.flatMap { functionBody(of: $0, budget - 1) }
    case .member(let base, let name, _):
      return inferredType(of: base, budget - 1).flatMap {
        functionBody(named: name, in: $0, budget)
      }
    case .call:
      guard let script = context.modules[ObjectIdentifier(expression)] else { return nil }
      return script.returned.flatMap { functionBody(of: $0, budget - 1) }
    default: return nil
    }
  }

  /// The function that is an object's or a table's member with a name.
  func functionBody(
    named name: String, in owner: InferredType, _ budget: Int = Self.budget
  ) -> LuaFunctionBody? {
    shape(of: owner)?.value(of: name).flatMap { functionBody(of: $0, budget - 1) }
  }

  /// The properties of objects and tables that scripts declare.
  func shape(of owner: InferredType) -> LiteralShape? {
    switch owner {
    case .model(let model): shapes[model]
    case .object(let shape), .held(let shape), .table(let shape, _): shape
    default: nil
    }
  }

  /// The most results of a function that are examined.
  private static let resultLimit = 8

  /// The type of a function's result, if all its results have one type.
  func result(of body: LuaFunctionBody, _ budget: Int) -> InferredType? {
    if budget <= 0 || body.results.count > Self.resultLimit { return nil }
    return context.restarted(budget) { budget in
      context.remembered(body, budget) { findResult(of: body, budget) }
    }
  }

  private func findResult(of body: LuaFunctionBody, _ budget: Int) -> InferredType? {
    var found: InferredType?
    for values in body.results {
      guard let value = values.first else { continue }
      if case .constant("nil") = value.kind { continue }
      // `return f()` may return nil as well.
      guard let type = inferredType(of: value, budget - 3) else { return nil }
      guard let both = found.map({ union($0, type) }) ?? type else { return nil }
      found = both
    }
    return found
  }

  /// The common type of two types; nil if they have none.
  func union(_ first: InferredType, _ second: InferredType) -> InferredType? {
    switch (first, second) {
    case (.object(let one), .object(let other)), (.object(let one), .held(let other)),
      (.held(let one), .object(let other)), (.held(let one), .held(let other)):
      var both = one
      both.formUnion(other)
      return .held(both)
    case (.text, .text): return .text
    case (.plain(let one), .plain(let other)) where one == other: return first
    case (.list(let one?), .list(let other?)):
      var both = one
      both.formUnion(other)
      return .list(both)
    case (.list, .list): return .list(nil)
    case (.model(let one), .model(let other)) where one == other: return first
    case (.view(let one), .view(let other)): return .view(one == other ? one : nil)
    case (.instance(let one), .instance(let other)) where one == other: return first
    default: return nil
    }
  }
}

extension Script {
  /// The value returned at the script's end, if there is no other `return`.
  var returned: LuaExpression? {
    guard case .results(let values)? = statements.last, values.count == 1 else { return nil }
    return returnsOnce ? values.first : nil
  }

  /// The module's name in messages.
  var moduleName: String {
    let name = source.path.split(separator: "/").last ?? ""
    return "the module \"\(name.hasSuffix(".lua") ? name.dropLast(4) : name)\""
  }
}
