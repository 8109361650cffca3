import TideBindings
import TideScript

// Tests that always have the same outcome.
extension ScriptChecker {
  /// Reports `if form.name then`, if the property always holds a text or a number.
  func check(constantTest condition: LuaExpression) {
    guard mentions == nil else { return }
    if case .name(let name, _?) = condition.kind, inference.functionBody(of: condition) != nil {
      return report(
        .wrongType, "\(name) is a function, which counts as true; write \(name)()",
        at: condition.range.lowerBound, .warning)
    }
    guard let type = neverNil(condition), type != .boolean else { return }
    let shown = text(of: condition)
    let advice =
      switch type {
      case .string: "a text counts as true, also an empty one; write \(shown) ~= \"\""
      case .number, .integer: "a number counts as true, also 0; write \(shown) ~= 0"
      default: ""
      }
    if advice.isEmpty { return }
    report(
      .wrongType, "\(shown) is never nil, and \(advice)", at: condition.range.lowerBound, .warning)
  }

  /// Reports `not form.name`, unless the precedence of `not` is the mistake.
  func check(negation: LuaExpression, of operand: LuaExpression) {
    if !hasProblem(at: negation.range.lowerBound) { check(constantTest: operand) }
  }

  /// Reports `form.name == nil`, if the property is never nil.
  func check(nilTests operands: [LuaExpression], _ signs: [String]) {
    guard mentions == nil else { return }
    for (index, sign) in signs.enumerated() where sign == "==" || sign == "~=" {
      guard case .constant("nil") = operands[index + 1].kind, let type = neverNil(operands[index]),
        type != .list
      else { continue }
      // Beside another test of the property this one does no harm.
      let shown = text(of: operands[index])
      let others = operands.enumerated().filter { $0.offset != index && $0.offset != index + 1 }
      if others.contains(where: { isSame(withoutNot($0.element), operands[index]) }) { continue }
      let advice = type == .string ? "; an empty text is \"\": write \(shown) \(sign) \"\"" : ""
      report(
        .wrongType, "\(shown) is never nil\(advice)", at: operands[index + 1].range.lowerBound,
        .warning)
    }
  }

  // MARK: Precedence

  /// Reports `counts[word] or 0 + 1`, `not state == "open"` and `day == "sat" or "sun"`, which Lua
  /// reads otherwise than they are meant.
  func check(precedenceOf operands: [LuaExpression], _ signs: [String]) {
    guard mentions == nil else { return }
    check(chainOf: operands, signs)
    for (index, sign) in signs.enumerated() {
      let (left, right) = (operands[index], operands[index + 1])
      let following = index + 1 < signs.count ? signs[index + 1] : nil
      switch sign {
      case "==", "~=":
        if case .unary("not", let inner) = left.kind, isTextOrNumber(right) {
          let turned = sign == "==" ? "~=" : "=="
          report(
            .wrongType,
            "not comes before \(sign), so this compares true or false with \(text(of: right)); "
              + "write \(text(of: inner)) \(turned) \(text(of: right))",
            at: left.range.lowerBound, .warning)
        }
      case "or":
        if let following, let neutral = neutral(right), following == neutral.sign {
          report(
            .wrongType,
            "\(following) comes before or, so this is \(text(of: left)) or (\(neutral.text) \(following) …); "
              + "write (\(text(of: left)) or \(neutral.text)) \(following) …",
            at: right.range.lowerBound, .warning)
        } else if following == nil || following == "or", isTextOrNumber(right), index > 0,
          signs[index - 1] == "==", isTextOrNumber(left), !signs.contains("and")
        {
          let compared = text(of: operands[index - 1])
          report(
            .wrongType,
            "this is always true, since \(text(of: right)) alone counts as true; "
              + "write or \(compared) == \(text(of: right))", at: right.range.lowerBound, .warning)
        }
      default: break
      }
    }
  }

  private static let ordering: Set = ["<", "<=", ">", ">="]

  /// Reports `0 < age < 130`, which compares true or false with a number.
  private func check(chainOf operands: [LuaExpression], _ signs: [String]) {
    let loose: Set = ["and", "or", "==", "~="]
    var former: Int?
    for (index, sign) in signs.enumerated() {
      if loose.contains(sign) { former = nil }
      guard Self.ordering.contains(sign) else { continue }
      if let first = former {
        let middle = first + 1 == index ? text(of: operands[index]) : "value"
        return report(
          .wrongType,
          "this compares true or false with \(text(of: operands[index + 1])); write … \(signs[first]) "
            + "\(middle) and \(middle) \(sign) …", at: operands[first].range.lowerBound)
      }
      former = index
    }
  }

  /// Reports `self.count = self.count`.
  func check(value: LuaExpression?, assignedToItself target: LuaExpression) {
    guard mentions == nil, let value, isSame(target, value) else { return }
    switch target.kind {
    case .name(_, _?), .member: break
    default: return
    }
    report(
      .unusedResult, "this assigns \(text(of: target)) to itself, which changes nothing",
      at: target.range.lowerBound, .warning)
  }

  private func isTextOrNumber(_ expression: LuaExpression) -> Bool {
    switch LiteralKind(expression) {
    case .string?, .number?: true
    default: false
    }
  }

  /// The operator for which a literal is the value to begin with.
  private func neutral(_ expression: LuaExpression) -> (text: String, sign: String)? {
    switch LiteralKind(expression) {
    case .number("0")?: ("0", "+")
    case .string("")?: ("\"\"", "..")
    default: nil
    }
  }

  private func withoutNot(_ expression: LuaExpression) -> LuaExpression {
    switch expression.kind {
    case .unary(_, let inner), .parenthesized(let inner): withoutNot(inner)
    default: expression
    }
  }

  /// The type of a property of the app's own that refuses nil.
  private func neverNil(_ expression: LuaExpression) -> ValueType? {
    guard case .member(let base, let name, _) = expression.kind,
      let owner = inference.inferredType(of: base)
    else { return nil }
    switch owner {
    case .model, .object: break
    case .held(let shape) where shape.isOfClass: break
    default: return nil
    }
    guard let declared = inference.declarations(of: name, in: owner), let first = declared.first,
      declared.allSatisfy({ $0.type == first.type && !$0.isNullable && !$0.isReadOnly })
    else { return nil }
    return first.cases == nil ? first.type : .string
  }
}
