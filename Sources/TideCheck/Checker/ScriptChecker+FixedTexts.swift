import TideScript

// Texts that a script puts together, told apart by whether a value from outside can be in them.
extension ScriptChecker {
  /// Whether a string is concatenated or formatted from anything but constants.
  func isComposed(_ text: LuaExpression, _ budget: Int = 32) -> Bool {
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

  /// Whether a part of a string is constant, or is a number or a boolean. A part that the budget
  /// does not reach counts as constant.
  private func isFixed(_ part: LuaExpression, _ budget: Int) -> Bool {
    // Only `holdsFixed` has an answer to remember for a table.
    if part.fields != nil { return budget == 0 }
    return remembered(part, budget) { findFixed(part, budget) }
  }

  /// The answer for a part, from the cache if it was found with at least the same budget.
  private func remembered(
    _ part: LuaExpression, _ budget: Int, _ find: () -> Bool
  ) -> Bool {
    if budget == 0 { return true }
    let key = ObjectIdentifier(part)
    // A larger budget may find a value from outside that a smaller one did not reach.
    if let known = fixedParts[key], !known.isFixed || known.budget >= budget {
      return known.isFixed
    }
    // The answer for a part that refers to itself is that for its other parts.
    fixedParts[key] = FixedPart(isFixed: true, budget: budget)
    let isFixed = find()
    fixedParts[key] = FixedPart(isFixed: isFixed, budget: budget)
    return isFixed
  }

  private func findFixed(_ part: LuaExpression, _ budget: Int) -> Bool {
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
    if local.loopIndex > 0 { return holdsFixed(table, budget) }
    return iterator == "ipairs" || hasFixedKeys(table, budget)
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
    if let fields = table.fields {
      return remembered(table, budget) {
        fields.allSatisfy { isFixed($0.value, budget - 1) }
      }
    }
    if case .table(let shape, _)? = inference.inferredType(of: table) {
      return !shape.isOpen && shape.names.allSatisfy { isFixed($0, in: shape, budget - 1) }
    }
    guard case .name(_, let local?) = table.kind, !local.isReassigned,
      let value = local.value, value.fields != nil, let added = additions(to: local)
    else { return false }
    return holdsFixed(value, budget) && added.allSatisfy { isFixed($0, budget - 1) }
  }

  /// Whether all keys of a plain table are written out.
  private func hasFixedKeys(_ table: LuaExpression, _ budget: Int) -> Bool {
    if let fields = table.fields {
      return fields.allSatisfy { field in
        if case .expression(let key) = field.key { isFixed(key, budget - 1) } else { true }
      }
    }
    if case .table(let shape, _)? = inference.inferredType(of: table) { return !shape.isOpen }
    guard case .name(_, let local?) = table.kind, !local.isReassigned, let value = local.value,
      value.fields != nil, let uses = tableUses[ObjectIdentifier(local)], uses.all == uses.known,
      !uses.hasOtherKeys
    else { return false }
    return hasFixedKeys(value, budget)
  }

  /// The values that a script adds to a variable's table; nil if other code may add some.
  private func additions(to local: LuaLocal) -> [LuaExpression]? {
    guard let uses = tableUses[ObjectIdentifier(local)] else { return [] }
    return uses.all == uses.known ? uses.values : nil
  }
}

/// Whether a part of a string counts as constant. It also does if the budget of the search ended
/// before a variable part was found.
struct FixedPart {
  let isFixed: Bool
  let budget: Int
}

/// What a script does with the table in a variable.
struct TableUses {
  /// The number of uses of the variable, and of those that cannot pass the table on.
  private(set) var all = 0
  private(set) var known = 0
  /// The values that statements add.
  private(set) var values: [LuaExpression] = []
  /// Whether a statement adds a key that is not written out.
  private(set) var hasOtherKeys = false

  /// The uses of all variables of a script, found in one walk.
  static func find(
    in statements: [LuaStatement], _ inference: TypeInference
  ) -> [ObjectIdentifier: TableUses] {
    var found: [ObjectIdentifier: TableUses] = [:]
    func change(_ expression: LuaExpression?, _ change: (inout TableUses) -> Void) {
      guard case .name(_, let local?)? = expression?.kind else { return }
      change(&found[ObjectIdentifier(local), default: TableUses()])
    }
    SyntaxWalker(
      visit: { expression, _ in
        switch expression.kind {
        case .name: change(expression) { $0.all += 1 }
        case .member(let base, _, _), .index(let base, _), .unary("#", let base):
          change(base) { $0.known += 1 }
        case .call(let callee, let arguments):
          guard let first = arguments.first, case .name(_, _?) = first.kind,
            let path = inference.path(of: callee)
          else { break }
          change(first) { uses in
            if path == "table.insert" { uses.values += arguments.dropFirst().suffix(1) }
            if path.hasPrefix("table.") || readers.contains(path) { uses.known += 1 }
          }
        default: break
        }
      },
      assign: { target, value, _ in
        switch target.kind {
        case .member(let base, _, _), .index(let base, _):
          guard let value else { break }
          change(base) { uses in
            uses.known += 1
            uses.values.append(value)
            if case .index(_, let key) = target.kind, key.string == nil, !key.isElementIndex {
              uses.hasOtherKeys = true
            }
          }
        default: break
        }
      }
    ).walk(statements)
    return found
  }

  private static let readers: Set = ["ipairs", "pairs", "next"]
}

extension LuaExpression {
  /// Whether it is a constant, a length, or a sum with one of these.
  fileprivate var isElementIndex: Bool {
    switch kind {
    case .constant, .unary("#", _): true
    case .operation(let parts, let signs):
      signs.allSatisfy { $0 == "+" || $0 == "-" } && parts.contains(where: \.isElementIndex)
    default: false
    }
  }
}
