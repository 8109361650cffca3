import TideBindings
import TideScript

// Functions that compare two elements, and sorting without one.
extension ScriptChecker {
  /// Reports a function of two elements that gives no order, such as `return a.score <= b.score`.
  ///
  /// - Parameter use: the function that sorts.
  func check(comparator value: LuaExpression?, for use: String) {
    guard mentions == nil, let value, let body = inference.functionBody(of: value),
      body.parameters.count == 2, !body.takesMore
    else { return }
    check(resultOf: value, for: use)
    for result in body.results.compactMap(\.first) {
      check(order: result, body.parameters[0], body.parameters[1], use)
    }
  }

  private func check(
    order result: LuaExpression, _ first: LuaLocal, _ second: LuaLocal, _ use: String
  ) {
    switch result.kind {
    case .parenthesized(let inner): check(order: inner, first, second, use)
    case .constant("true"), .constant("false"):
      // One of several results may be constant.
      guard first.isRead || second.isRead else {
        return report(
          .noOrder,
          "this function gives the same for all elements, which is no order; "
            + "write return \(first.name) < \(second.name)", at: result.range.lowerBound, .warning)
      }
    case .operation(let parts, let signs):
      guard signs.count == 1 else { return check(sum: parts, signs, first, second, use) }
      check(parts[0], signs[0], parts[1], first, second, use)
    default: break
    }
  }

  private func check(
    _ left: LuaExpression, _ sign: String, _ right: LuaExpression, _ first: LuaLocal,
    _ second: LuaLocal, _ use: String
  ) {
    let message: String
    switch sign {
    case "<=", ">=":
      guard isMirrored(left, right, first, second) else { return }
      message =
        "\(sign) is true for equal elements too, which is no order, so \(use) may fail or mix them up; "
        + "write \(sign.prefix(1))"
    case "<", ">":
      guard let own = onlyParameter(in: left, first, second),
        own === onlyParameter(in: right, first, second)
      else { return }
      let other = own === first ? second : first
      message =
        "both sides read \"\(own.name)\", so this is no order; compare with \"\(other.name)\""
    case "==", "~=":
      guard isMirrored(left, right, first, second) else { return }
      message =
        "\(use) asks whether the first of two elements comes before the other, which \(sign) does not "
        + "say; write <"
    case "-": return check(sum: [left, right], [sign], first, second, use)
    default: return
    }
    report(.noOrder, message, at: right.range.lowerBound, .warning)
  }

  /// Reports `return a.score - b.score`, as some languages compare.
  private func check(
    sum parts: [LuaExpression], _ signs: [String], _ first: LuaLocal, _ second: LuaLocal,
    _ use: String
  ) {
    guard signs.contains("-"), signs.allSatisfy({ ["+", "-", "*", "/"].contains($0) }) else {
      return
    }
    report(
      .noOrder,
      "\(use) asks whether \(first.name) comes before \(second.name), and any number counts as "
        + "true; write < in place of -", at: parts[0].range.lowerBound, .warning)
  }

  /// Whether two expressions read the same of the two elements, one each.
  private func isMirrored(
    _ one: LuaExpression, _ other: LuaExpression, _ first: LuaLocal, _ second: LuaLocal
  ) -> Bool {
    switch (one.kind, other.kind) {
    case (.name(_, let local?), .name(_, let otherLocal?)):
      local === first && otherLocal === second || local === second && otherLocal === first
    case (.member(let base, let name, _), .member(let otherBase, let otherName, _)):
      name == otherName && isMirrored(base, otherBase, first, second)
    case (.index(let base, let key), .index(let otherBase, let otherKey)):
      isMirrored(base, otherBase, first, second) && isEqual(key, otherKey)
        || isSame(base, otherBase) && isMirrored(key, otherKey, first, second)
    case (.method(let base, let name, _, _), .method(let otherBase, let otherName, _, _)):
      name == otherName && isMirrored(base, otherBase, first, second)
    case (.unary(let sign, let inner), .unary(let otherSign, let otherInner)):
      sign == otherSign && isMirrored(inner, otherInner, first, second)
    case (.call(let callee, let values), .call(let otherCallee, let otherValues)):
      isSame(callee, otherCallee) && values.count == 1 && otherValues.count == 1
        && isMirrored(values[0], otherValues[0], first, second)
    default: false
    }
  }

  private func isEqual(_ key: LuaExpression, _ other: LuaExpression) -> Bool {
    source.bytes[key.range] == source.bytes[other.range]
  }

  /// The one of two parameters that an expression reads; nil if it reads both or none.
  private func onlyParameter(
    in expression: LuaExpression, _ first: LuaLocal, _ second: LuaLocal
  ) -> LuaLocal? {
    var found: Set<ObjectIdentifier> = []
    SyntaxWalker(visit: { expression, _ in
      if case .name(_, let local?) = expression.kind, local === first || local === second {
        found.insert(ObjectIdentifier(local))
      }
    }).walk(expression)
    guard found.count == 1, let only = found.first else { return nil }
    return only == ObjectIdentifier(first) ? first : second
  }

  // MARK: Sorting without a function

  /// Reports `table.sort { { n = 2 }, { n = 1 } }` and `table.concat` of tables, which Lua refuses.
  func check(plainElementsOf list: LuaExpression?, for use: String) {
    guard mentions == nil, let list, let fields = inference.table(of: list), fields.count > 1,
      fields.isSequence, fields.allSatisfy({ $0.value.fields != nil })
    else { return }
    let advice =
      use == "table.sort"
      ? "cannot order tables by itself; write table.sort(\(text(of: list)), function(a, b) return "
        + "a.\(firstKey(of: fields) ?? "name") < b.\(firstKey(of: fields) ?? "name") end)"
      : "joins texts and numbers, not tables"
    report(.libraryArguments, "\(use) \(advice)", at: list.range.lowerBound, .warning)
  }

  /// Reports `people:sorted()`, where the rows are objects.
  func check(sortedWithoutKey list: LuaExpression, at offset: Int) {
    guard mentions == nil, case .list(let rows?)? = inference.inferredType(of: list),
      !rows.names.isEmpty
    else { return }
    let key = rows.names.min() ?? "name"
    report(
      .noOrder,
      "sorted compares the elements themselves, and objects have no order; "
        + "write sorted(\"\(key)\")", at: offset, .warning)
  }

  private func firstKey(of fields: [LuaField]) -> String? {
    fields.first?.value.fields?.first { $0.name?.text.isEmpty == false }?.name?.text
  }
}
