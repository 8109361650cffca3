import TideBindings
import TideScript

// Functions in place of their results, and results of functions that return nothing.
extension ScriptChecker {
  /// The name of the function that an expression is, in place of a call of it; nil for anything
  /// else.
  func uncalledFunction(_ expression: LuaExpression) -> String? {
    switch expression.kind {
    case .parenthesized(let inner): return uncalledFunction(inner)
    case .name(let name, _?):
      return inference.functionBody(of: expression) != nil ? name : nil
    case .name(let name, nil):
      guard !app.globals.contains(name), names.members[name] == nil,
        names.types.functions[name] != nil || LuaLibrary.functions[name] != nil
      else { return nil }
      return name
    default: return nil
    }
  }

  /// Reports `pages .. " pages"`, which joins a function, and `add(1) + 1`, where `add` returns
  /// nothing.
  func check(functionsIn operands: [LuaExpression], _ signs: [String]) {
    guard mentions == nil else { return }
    for (index, operand) in operands.enumerated() {
      let beside = [index > 0 ? signs[index - 1] : nil, index < signs.count ? signs[index] : nil]
        .compactMap(\.self)
      guard let sign = beside.first(where: { !Self.passing.contains($0) }) else { continue }
      if let method = uncalledMethod(operand) {
        report(
          .wrongType,
          "\(method.name) is a method, with which \"\(sign)\" cannot be computed; write "
            + "\(text(of: method.base)):\(method.name)(…)", at: operand.range.lowerBound)
      } else if let name = uncalledFunction(operand) {
        report(
          .wrongType,
          "\(name) is a function, with which \"\(sign)\" cannot be computed; write \(name)()",
          at: operand.range.lowerBound)
      } else {
        check(resultUsed: operand, by: "\"\(sign)\"")
      }
    }
  }

  /// The method of an object of the API that an expression is, in place of a call of it.
  private func uncalledMethod(_ expression: LuaExpression) -> (name: String, base: LuaExpression)? {
    guard case .member(let base, let name, _) = expression.kind,
      let type = inference.inferredType(of: base)?.className,
      names.types.methods(of: type)[name] != nil, names.types.fields(of: type)[name] == nil
    else { return nil }
    return (name, base)
  }

  /// Operators that take any value.
  private static let passing: Set = ["and", "or", "==", "~="]

  /// Reports the use of a call of a function of the app that never returns anything.
  func check(resultUsed call: LuaExpression, by use: String) {
    if mentions == nil, case .call(let callee, let arguments) = call.kind,
      let path = inference.path(of: callee),
      ["table.sort", "table.insert", "print"].contains(path), isOfLibrary(path)
    {
      if path == "print" {
        return report(
          .wrongType, "print returns nothing, and \(use) needs a result",
          at: call.range.lowerBound, .warning)
      }
      let changed = arguments.first.map { text(of: $0) } ?? "the table"
      return report(
        .wrongType, "\(path) changes \(changed) itself and returns nothing",
        at: call.range.lowerBound, .warning)
    }
    guard mentions == nil, case .call(let callee, _) = call.kind,
      case .name(let name, _?) = callee.kind,
      let body = inference.functionBody(of: callee), !body.block.isEmpty,
      body.results.allSatisfy(\.isEmpty), !raises(body)
    else { return }
    report(
      .wrongType, "\(name) returns nothing, and \(use) needs its result; write return … in it",
      at: call.range.lowerBound, .warning)
  }

  /// Reports `at = now` for a property that holds a number.
  func check(
    function value: LuaExpression, givenTo property: String, _ declared: [DeclaredProperty]
  ) {
    guard mentions == nil, let name = uncalledFunction(value), givesValue(name, value),
      let type = declared.first?.type, declared.allSatisfy({ $0.type == type }),
      [.string, .number, .integer, .boolean, .list].contains(type)
    else { return }
    report(
      .wrongType, "\(property) holds \(type.name), and \(name) is a function; write \(name)()",
      at: value.range.lowerBound)
  }

  /// Whether a function of the API or the library has a result. The app's own functions may.
  private func givesValue(_ name: String, _ function: LuaExpression) -> Bool {
    guard case .name(_, nil) = function.kind else { return true }
    return names.types.functions[name]?.first?.result != nil
      || LuaLibrary.functions[name]?.result != nil
  }

  /// Reports `m.price = answer.body`, a text for a number.
  func check(kindOf value: LuaExpression, givenTo property: String, _ declared: [DeclaredProperty])
  {
    guard mentions == nil, LiteralKind(value) == nil, !hasProblem(at: value.range.lowerBound),
      let type = declared.first?.type, let kind = elementKind(of: value), kind != .table,
      !value.isCall || [.number, .boolean, .text].contains(kind),
      declared.allSatisfy({ $0.type == type && $0.cases == nil })
    else { return }
    let (fits, advice): (Bool, String) =
      switch type {
      case .number, .integer: (kind == .number, kind == .text ? "; write tonumber(…)" : "")
      case .string: (kind == .text, kind == .number ? "; write tostring(…)" : "")
      case .boolean: (kind == .boolean, "")
      case .list: (kind == .list, "")
      default: (true, "")
      }
    if fits { return }
    report(
      .wrongType,
      "\(property) holds \(type.name), and \(text(of: value)) is \(kind.rawValue)\(advice)",
      at: value.range.lowerBound, .warning)
  }

  /// Checks an assignment to a local variable.
  func check(assigned value: LuaExpression?, to local: LuaLocal, at offset: Int) {
    check(replaced: local, by: value, at: offset)
    if let value { check(resultUsed: value, by: "\"\(local.name)\"") }
  }

  /// Reports `draft = ""` for a variable that holds a model, a list or a view.
  private func check(replaced local: LuaLocal, by value: LuaExpression?, at offset: Int) {
    guard mentions == nil, let value, let first = local.value else { return }
    switch LiteralKind(value) {
    case .string?, .number?, .boolean?: break
    default: return
    }
    let what: String
    switch inference.inferredType(of: first) {
    case .model?: what = "a model; write \(local.name).property = …"
    case .list?: what = "a list; write \(local.name)[i] = …"
    case .view?: what = "a view; write \(local.name).property = …"
    case .controller?: what = "a controller; write \(local.name).property = …"
    default: return
    }
    report(
      .wrongType, "this replaces what the variable \"\(local.name)\" holds, \(what)", at: offset,
      .warning)
  }
}
