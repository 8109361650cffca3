import TideBindings
import TideScript

// What loops count to and go over.
extension ScriptChecker {
  /// Reports `for i = 1, basket.fruits do`.
  func check(limits values: [LuaExpression], _ locals: [LuaLocal], _ block: [LuaStatement]) {
    if values.count == 2, case .number(let first)? = LiteralKind(values[0]),
      case .number(let last)? = LiteralKind(values[1]), let first = Double(first),
      let last = Double(last), first > last
    {
      report(
        .wrongType,
        "this loop counts up from the greater number and never runs; add a step of -1",
        at: values[0].range.lowerBound, .warning)
    }
    if values.count == 2, case .unary("#", let list) = values[0].kind,
      case .number(let last)? = LiteralKind(values[1]), ["0", "1"].contains(last)
    {
      report(
        .wrongType,
        "this loop counts up from the length and hardly runs; write for \(locals.first?.name ?? "i") = "
          + "#\(text(of: list)), \(last), -1 do", at: values[0].range.lowerBound, .warning)
    }
    for value in values {
      if let name = value.elementsIndexed(by: locals.first, in: block) {
        report(
          .wrongType, "a for loop counts with numbers, and \(name) is a table; write #\(name)",
          at: value.range.lowerBound)
        continue
      }
      guard let kind = kind(of: value), kind != .number else { continue }
      let shown = shortText(of: value)
      let advice =
        kind == .list ? shown.map { "; write #\($0)" } ?? "; write # before it, its length" : ""
      report(
        .wrongType,
        "a for loop counts with numbers, and \(shown ?? "this") is \(kind.rawValue)\(advice)",
        at: value.range.lowerBound)
    }
  }

  /// The text of an expression, if it is short.
  private func shortText(of expression: LuaExpression) -> String? {
    let text = text(of: expression)
    if case .name = expression.kind { return text }
    return text == "value" ? nil : text
  }

  /// Reports `for _, fruit in basket.fruits do`, and `for fruit in ipairs(fruits) do` if the loop
  /// uses the index as an element.
  func check(iterating values: [LuaExpression], _ locals: [LuaLocal], _ block: [LuaStatement]) {
    if values.count == 2, case .number? = LiteralKind(values[0]) {
      let shown = values.map { text(of: $0) }.joined(separator: ", ")
      return report(
        .wrongType,
        "for … in takes a function, not a number; write for \(locals[0].name) = \(shown) do",
        at: values[0].range.lowerBound)
    }
    guard values.count == 1, let value = values.first else { return }
    if case .name(let name, nil) = value.kind, ["ipairs", "pairs"].contains(name), isOfLibrary(name)
    {
      return report(
        .wrongType, "\(name) takes the list that the loop goes over; write \(name)(…)",
        at: value.range.lowerBound)
    }
    if let iterated = iteratedWithoutFunction(value) {
      let written = value.fields == nil ? shortText(of: value) ?? "…" : "{ … }"
      let call = "\(iterated.function)(\(written))"
      // A single variable is meant to be the element, which comes second.
      let advice = locals.count == 1 ? "for _, \(locals[0].name) in \(call) do" : call
      return report(
        .wrongType, "for … in takes a function, not \(iterated.kind); write \(advice)",
        at: value.range.lowerBound)
    }
    guard locals.count == 1, let local = locals.first,
      case .call(let callee, let arguments) = value.kind, let function = inference.path(of: callee),
      function == "ipairs" || function == "pairs" && arguments.first.map({ kind(of: $0) }) == .list,
      readsMembers(of: local, block)
        || arguments.first.map({ isPlural($0, of: local.name) }) == true
    else { return }
    report(
      .wrongType,
      "\(function) gives the index first, so \(local.name) is a number; "
        + "write for _, \(local.name) in", at: local.start)
  }

  /// Whether a variable is named after the elements of a list: `word` of `words`.
  private func isPlural(_ list: LuaExpression, of name: String) -> Bool {
    guard name.utf8.count > 1 else { return false }
    switch list.kind {
    case .name(let plural, _), .member(_, let plural, _): return plural == name + "s"
    default: return false
    }
  }

  /// What a loop goes over without a function that gives the elements, and that function; nil if
  /// the value may be a function.
  private func iteratedWithoutFunction(
    _ value: LuaExpression
  ) -> (kind: String, function: String)? {
    switch kind(of: value) {
    case .list?: return ("a list", "ipairs")
    case .object?: return ("an object", "pairs")
    default: break
    }
    if dict(value) != nil { return ("a dict", "pairs") }
    // A metatable may make a table callable.
    guard let fields = inference.table(of: value),
      value.fields != nil || !source.bytes.contains(word: "setmetatable")
    else { return nil }
    return ("a table", fields.isSequence ? "ipairs" : "pairs")
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
}

extension LuaExpression {
  /// The variable that an expression is, if a loop's body reads its elements by the loop's counter.
  fileprivate func elementsIndexed(by counter: LuaLocal?, in block: [LuaStatement]) -> String? {
    guard let counter, case .name(let name, let table?) = kind else { return nil }
    var isIndexed = false
    SyntaxWalker(visit: { expression, _ in
      guard case .index(let base, let key) = expression.kind,
        case .name(_, let found?) = base.kind, found === table,
        case .name(_, let index?) = key.kind, index === counter
      else { return }
      isIndexed = true
    }).walk(block)
    return isIndexed ? name : nil
  }
}
