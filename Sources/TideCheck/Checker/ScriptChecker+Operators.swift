import TideBindings
import TideScript

// Operators, loops and indexes with values that they cannot take.
extension ScriptChecker {
  /// The kind of a value, as messages name it.
  private enum ValueKind: String {
    case list = "a list"
    case object = "an object"
    case number = "a number"
    case boolean = "true or false"
    case text = "a text"
  }

  /// The kind that every value of an expression has, apart from nil; nil if it is not certain.
  private func kind(of expression: LuaExpression, _ budget: Int = 8) -> ValueKind? {
    if budget == 0 { return nil }
    switch expression.kind {
    case .parenthesized(let inner): return kind(of: inner, budget - 1)
    case .unary("#", _): return .number
    case .unary("not", _): return .boolean
    case .name(_, let local?):
      if local.isCounter { return .number }
      if local.isReassigned { return nil }
      if let value = local.value, let kind = kind(of: value, budget - 1) { return kind }
      return objectKind(of: expression)
    case .member(let base, let name, _):
      return kind(ofProperty: name, of: base) ?? objectKind(of: expression)
    default:
      switch LiteralKind(expression) {
      case .string: return .text
      case .number: return .number
      case .boolean: return .boolean
      case .table, .function, nil: return nil
      }
    }
  }

  private func kind(ofProperty name: String, of base: LuaExpression) -> ValueKind? {
    guard let owner = inference.inferredType(of: base),
      let declared = inference.declarations(of: name, in: owner), let first = declared.first,
      declared.allSatisfy({ $0.type == first.type && ($0.cases == nil) == (first.cases == nil) })
    else { return nil }
    if first.cases != nil { return .text }
    switch first.type {
    case .string: return .text
    case .number, .integer: return .number
    case .boolean: return .boolean
    default: return nil
    }
  }

  private func objectKind(of expression: LuaExpression) -> ValueKind? {
    if case .member(_, let name, _) = expression.kind, app.replacedNames.contains(name) {
      return nil
    }
    switch inference.inferredType(of: expression) {
    case .list: return .list
    case .model: return .object
    default: return nil
    }
  }

  // MARK: Operators

  /// Reports `basket.fruits + 1`, an operation with a list in place of a number or string.
  func check(operands: [LuaExpression], _ signs: [String]) {
    for (index, operand) in operands.enumerated() {
      let beside = [index > 0 ? signs[index - 1] : nil, index < signs.count ? signs[index] : nil]
      // The operator that binds most tightly takes the operand.
      guard let sign = beside.compactMap(\.self).max(by: { Self.rank($0) < Self.rank($1) }),
        let kind = kind(of: operand), refuses(kind, operand, sign)
      else { continue }
      let advice =
        switch (sign, kind) {
        case ("+", .text): "; write .. to join texts"
        case ("~", _): "; write ~= to compare"
        default: ""
        }
      return report(
        .wrongType,
        "\(text(of: operand)) is \(kind.rawValue), with which \"\(sign)\" cannot be computed\(advice)",
        at: operand.range.lowerBound)
    }
  }

  /// How tightly an operator binds; 0 for one that takes any value.
  private static func rank(_ sign: String) -> Int {
    switch sign {
    case "<", "<=", ">", ">=": 1
    case "|": 2
    case "~": 3
    case "&": 4
    case "<<", ">>": 5
    case "..": 6
    case "+", "-": 7
    case "*", "/", "//", "%": 8
    case "^": 9
    default: 0
    }
  }

  private func refuses(_ kind: ValueKind, _ operand: LuaExpression, _ sign: String) -> Bool {
    let rank = Self.rank(sign)
    switch kind {
    case .list, .object: return rank > 0
    case .boolean: return rank > 0
    case .number: return false
    case .text:
      if (2...5).contains(rank) { return true }
      // Lua computes with a text that is a number.
      guard rank > 6, let text = operand.string?.text else { return false }
      return !text.utf8.contains { $0.isLuaDigit }
    }
  }

  /// Reports `#fruit.count`.
  func check(lengthOf operand: LuaExpression) {
    guard let kind = kind(of: operand), kind == .number || kind == .boolean else { return }
    report(
      .wrongType, "\(text(of: operand)) is \(kind.rawValue), which has no length",
      at: operand.range.lowerBound)
  }

  /// Reports `people.selectedObject[1]`.
  func check(index key: LuaExpression, of base: LuaExpression) {
    guard case .number? = LiteralKind(key) else { return }
    switch inference.inferredType(of: base) {
    case .model?: break
    case .object(let shape)?, .held(let shape)?:
      if shape.isOpen || shape.isUntyped { return }
    default: return
    }
    report(
      .unknownProperty, "\(text(of: base)) is an object, which has no elements",
      at: base.range.lowerBound, .warning)
  }

  // MARK: Loops

  /// Reports `for i = 1, basket.fruits do`.
  func check(limits values: [LuaExpression]) {
    for value in values {
      guard let kind = kind(of: value), kind != .number else { continue }
      let advice = kind == .list ? "; write #\(text(of: value))" : ""
      report(
        .wrongType,
        "a for loop counts with numbers, and \(text(of: value)) is \(kind.rawValue)\(advice)",
        at: value.range.lowerBound)
    }
  }

  /// Reports `for _, fruit in basket.fruits do`, and `for fruit in ipairs(fruits) do` if the loop
  /// uses the index as an element.
  func check(iterating values: [LuaExpression], _ locals: [LuaLocal], _ block: [LuaStatement]) {
    guard values.count == 1, let value = values.first else { return }
    if value.fields != nil || kind(of: value) == .list {
      let written = value.fields == nil ? text(of: value) : "{ … }"
      return report(
        .wrongType,
        "\(value.fields == nil ? "a list" : "a table") cannot be called for each step; write "
          + "ipairs(\(written))", at: value.range.lowerBound)
    }
    guard locals.count == 1, let local = locals.first,
      case .call(let callee, _) = value.kind, inference.path(of: callee) == "ipairs",
      readsMembers(of: local, block)
    else { return }
    report(
      .wrongType,
      "ipairs gives the index first, so \(local.name) is a number; write for _, \(local.name) in",
      at: local.start)
  }

  private func readsMembers(of local: LuaLocal, _ block: [LuaStatement]) -> Bool {
    var reads = false
    SyntaxWalker(visit: { expression, _ in
      switch expression.kind {
      case .member(let base, _, _), .method(let base, _, _, _), .index(let base, _):
        if case .name(_, let found?) = base.kind, found === local { reads = true }
      default: break
      }
    }).walk(block)
    return reads && !local.isReassigned
  }

  // MARK: Lists

  /// Reports `list:insert(row, 1)` and `list:remove(row)`, which take an index first.
  func check(indexIn arguments: [LuaExpression], of method: String) {
    guard ["insert", "remove"].contains(method), let first = arguments.first,
      let kind = kind(of: first), kind == .object || kind == .list
    else { return }
    let advice =
      method == "remove"
      ? "; write removeObject(\(text(of: first)))" : "; write insert(index, \(text(of: first)))"
    report(
      .badArgument, "argument 1 of \(method) is a whole number, not \(kind.rawValue)\(advice)",
      at: first.range.lowerBound)
  }
}
