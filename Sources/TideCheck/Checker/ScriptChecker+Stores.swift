import TideBindings
import TideScript

// Calls of methods of databases.
extension ScriptChecker {
  func check(storeMethod name: String, _ arguments: [LuaExpression]) {
    guard let sql = arguments.first else { return }
    if name == "migrate" { return check(migrations: sql) }
    guard ["run", "list", "value", "row"].contains(name) else { return }
    if let text = inference.literalText(sql),
      let reason = inference.context.queries.failure(of: text)
    {
      report(.store, "SQLite refuses this statement: \(reason)", at: sql.range.lowerBound)
    }
    if let text = inference.literalText(sql) {
      check(parameters: arguments.dropFirst().first, of: text, at: sql.range.lowerBound)
    }
    if isComposed(sql) {
      report(
        .composedSQL,
        "this SQL is put together from values, which may hold SQL themselves; write ? in their places, "
          + "and give them as parameters: db:\(name)(\"… ?\", { value })", at: sql.range.lowerBound,
        .warning)
    }
    if name == "list" {
      checkOptions(arguments.dropFirst(2).first, of: "db:list", names.values.storeListOptions)
    }
  }

  /// Compares the parameters of a statement with the values in a literal table.
  private func check(parameters table: LuaExpression?, of sql: String, at start: Int) {
    guard let wanted = inference.context.queries.parameters(of: sql) else { return }
    let fields: [LuaField]
    switch table?.kind {
    case nil, .constant("nil")?: fields = []
    case .table(let given)?: fields = given
    default: return
    }
    let offset = table?.range.lowerBound ?? start
    if fields.isSequence {
      let isCertain = fields.allSatisfy { field in
        if case .constant("nil") = field.value.kind { return false }
        return true
      }
      guard isCertain, fields.last.map({ givesSeveral($0.value) }) != true,
        fields.count != wanted.count
      else { return }
      let (takes, given) = (wanted.count, fields.count)
      return report(
        .store,
        "the statement takes \(takes) \(takes == 1 ? "parameter" : "parameters"), and \(given) "
          + "\(given == 1 ? "is" : "are") given", at: offset)
    }
    let keys = fields.compactMap(\.name)
    guard keys.count == fields.count else { return }
    if wanted.contains(nil) {
      return report(.store, "a ? has no name, but names are given", at: offset)
    }
    let names = wanted.compactMap(\.self)
    let given = Set(keys.map(\.text))
    guard let missing = names.first(where: { !given.contains($0) }) else { return }
    let known = Set(names)
    let extra = keys.first { !known.contains($0.text) }
    report(
      .store, "the parameter \(missing) is not given; pass \(missing) = …",
      at: extra?.start ?? offset)
  }

  private func check(migrations table: LuaExpression) {
    for case let token? in SchemaTexts.literalTexts(table) ?? [] {
      guard let reason = inference.context.queries.syntaxFailure(inMigration: token.text) else {
        continue
      }
      report(.store, "SQLite refuses this migration: \(reason)", at: token.range.lowerBound)
    }
  }

  /// Whether a string is concatenated or formatted from anything but literals.
  private func isComposed(_ text: LuaExpression, _ budget: Int = 12) -> Bool {
    if budget == 0 { return false }
    switch text.kind {
    case .parenthesized(let inner): return isComposed(inner, budget - 1)
    case .name(_, let local?):
      guard !local.isReassigned, let value = local.value else { return false }
      return isComposed(value, budget - 1)
    case .operation(let parts, let signs):
      return signs.contains("..") && parts.contains { !isFixed($0, budget - 1) }
    case .call(let callee, let arguments):
      return inference.path(of: callee) == "string.format"
        && arguments.dropFirst().contains { !isFixed($0, budget - 1) }
    case .method(let base, "format", _, let arguments):
      return isFixed(base, budget - 1) && arguments.contains { !isFixed($0, budget - 1) }
    default: return false
    }
  }

  /// Whether a part of a string is constant.
  private func isFixed(_ part: LuaExpression, _ budget: Int) -> Bool {
    if budget == 0 { return true }
    switch part.kind {
    case .string, .constant: return true
    case .parenthesized(let inner): return isFixed(inner, budget - 1)
    case .name(_, let local?):
      return !local.isReassigned && local.value.map { isFixed($0, budget - 1) } == true
    case .operation(let parts, _): return parts.allSatisfy { isFixed($0, budget - 1) }
    default: return false
    }
  }
}
