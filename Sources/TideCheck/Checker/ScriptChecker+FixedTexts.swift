import TideScript

// Texts that a script puts together, told apart by whether a value from outside can be in them.
extension ScriptChecker {
  /// Whether a string is concatenated or formatted from anything but constants.
  func isComposed(_ text: LuaExpression, _ budget: Int = 12) -> Bool {
    if budget == 0 { return false }
    switch text.kind {
    case .parenthesized(let inner): return isComposed(inner, budget - 1)
    case .name(_, let local?):
      guard !local.isReassigned, let value = local.value else { return false }
      return isComposed(value, budget - 1)
    case .operation(let parts, let signs):
      return signs.contains("..") && !isFixed(parts, signs, budget)
    case .call(let callee, let arguments):
      guard inference.path(of: callee) == "string.format", let format = arguments.first else {
        return false
      }
      return !isFixed(arguments.dropFirst(), in: format, budget)
    case .method(let base, "format", _, let arguments):
      return isFixed(base, budget - 1) && !isFixed(arguments[...], in: base, budget)
    default: return false
    }
  }

  /// Whether a part of a string is constant, or is a number or a boolean.
  private func isFixed(_ part: LuaExpression, _ budget: Int) -> Bool {
    if budget == 0 { return true }
    switch part.kind {
    case .constant(let text): return text != "..."
    case .string, .unary: return true
    case .parenthesized(let inner): return isFixed(inner, budget - 1)
    case .name(_, let local?): return isFixed(local, part, budget)
    case .name(let name, nil):
      return inference.globalValues[name].map { isFixed($0, budget - 1) } ?? false
    case .operation(let parts, let signs): return isFixed(parts, signs, budget)
    case .member(let base, let name, _):
      if isNumber(part) { return true }
      guard case .table(let shape, _)? = inference.inferredType(of: base) else { return false }
      return isFixed(name, in: shape, budget)
    case .index(let base, _): return isNumber(part) || holdsFixed(base, budget)
    case .call(let callee, let arguments): return isFixed(callee, arguments, budget)
    case .method(let base, let name, _, let arguments):
      return isFixed(base, budget - 1) && isFixed(name, of: base, arguments[...], budget)
    case .function, .table: return false
    }
  }

  private func isNumber(_ part: LuaExpression) -> Bool {
    if case .plain? = inference.inferredType(of: part) { true } else { false }
  }

  private func isFixed(_ local: LuaLocal, _ use: LuaExpression, _ budget: Int) -> Bool {
    if local.isCounter { return true }
    if local.isReassigned { return false }
    if let value = local.value { return isFixed(value, budget - 1) }
    guard case .call(let callee, let arguments)? = local.iterated?.kind,
      let table = arguments.first, let iterator = inference.path(of: callee),
      ["ipairs", "pairs"].contains(iterator)
    else { return isNumber(use) }
    return local.loopIndex == 0 ? iterator == "ipairs" : holdsFixed(table, budget)
  }

  private func isFixed(_ parts: [LuaExpression], _ signs: [String], _ budget: Int) -> Bool {
    parts.indices.allSatisfy { index in
      let right = index < signs.count ? signs[index] : nil
      // The left side of `and` gives at most nil or false.
      if right == "and" { return true }
      let beside = [index > 0 ? signs[index - 1] : nil, right].compactMap(\.self)
      if beside.contains(where: { !["..", "and", "or"].contains($0) }) { return true }
      return isFixed(parts[index], budget - 1)
    }
  }

  private func isFixed(
    _ values: ArraySlice<LuaExpression>, in format: LuaExpression, _ budget: Int
  ) -> Bool {
    let directives = format.string.map { FormatDirectives($0.text).values } ?? []
    return values.enumerated().allSatisfy { index, value in
      index < directives.count && directives[index].type != nil || isFixed(value, budget - 1)
    }
  }

  private func isFixed(
    _ callee: LuaExpression, _ arguments: [LuaExpression], _ budget: Int
  ) -> Bool {
    if let body = inference.functionBody(of: callee) {
      let results = body.results.compactMap(\.first)
      return !results.isEmpty && results.allSatisfy { isFixed($0, budget - 1) }
    }
    guard let path = inference.path(of: callee), let first = arguments.first else { return false }
    switch path {
    case "tostring": return isFixed(first, budget - 1)
    case "table.concat":
      return holdsFixed(first, budget)
        && arguments.dropFirst().allSatisfy { isFixed($0, budget - 1) }
    case _ where path.hasPrefix("string."):
      return isFixed(first, budget - 1)
        && isFixed(
          String(path.dropFirst("string.".count)), of: first, arguments.dropFirst(), budget)
    default: return LuaLibrary.functions[path]?.result.map(Self.numbers.contains) ?? false
    }
  }

  private static let numbers: Set = ["number", "integer", "number?", "integer?", "boolean"]

  /// Whether a function of strings gives a constant, or a number, for a constant.
  private func isFixed(
    _ function: String, of text: LuaExpression, _ arguments: ArraySlice<LuaExpression>,
    _ budget: Int
  ) -> Bool {
    switch function {
    case "rep", "sub", "upper", "lower", "reverse", "len", "byte": true
    case "format": isFixed(arguments, in: text, budget)
    case "gsub": arguments.allSatisfy { isFixed($0, budget - 1) }
    default: false
    }
  }

  // MARK: Tables

  /// Whether a plain table's member can only be a constant.
  private func isFixed(_ name: String, in shape: LiteralShape, _ budget: Int) -> Bool {
    let values = shape.values(of: name)
    return !values.isEmpty && !app.replacedNames.contains(name)
      && values.allSatisfy { isFixed($0, budget - 1) }
  }

  /// Whether a plain table can hold nothing but constants.
  private func holdsFixed(_ table: LuaExpression, _ budget: Int) -> Bool {
    if budget == 0 { return true }
    if let fields = table.fields { return fields.allSatisfy { isFixed($0.value, budget - 1) } }
    if case .table(let shape, _)? = inference.inferredType(of: table) {
      return !shape.isOpen && shape.names.allSatisfy { isFixed($0, in: shape, budget - 1) }
    }
    guard case .name(_, let local?) = table.kind, !local.isReassigned,
      let fields = local.value?.fields, let added = additions(to: local)
    else { return false }
    return (fields.map(\.value) + added).allSatisfy { isFixed($0, budget - 1) }
  }

  /// The values that a script adds to a variable's table; nil if other code may add some.
  private func additions(to local: LuaLocal) -> [LuaExpression]? {
    var (uses, known) = (0, 0)
    var values: [LuaExpression] = []
    func isOwn(_ expression: LuaExpression?) -> Bool {
      if case .name(_, let found?)? = expression?.kind { found === local } else { false }
    }
    SyntaxWalker(
      visit: { [self] expression, _ in
        switch expression.kind {
        case .name: if isOwn(expression) { uses += 1 }
        case .member(let base, _, _), .index(let base, _), .unary("#", let base):
          if isOwn(base) { known += 1 }
        case .call(let callee, let arguments):
          guard isOwn(arguments.first), let path = inference.path(of: callee) else { break }
          if path == "table.insert" { values += arguments.dropFirst().suffix(1) }
          if path.hasPrefix("table.") || ["ipairs", "pairs", "next"].contains(path) { known += 1 }
        default: break
        }
      },
      assign: { target, value, _ in
        switch target.kind {
        case .member(let base, _, _), .index(let base, _):
          guard isOwn(base), let value else { break }
          known += 1
          values.append(value)
        default: break
        }
      }
    ).walk(script.statements)
    return uses == known ? values : nil
  }
}
