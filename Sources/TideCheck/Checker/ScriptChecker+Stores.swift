import TideBindings
import TideScript

// Calls of methods of databases.
extension ScriptChecker {
  func check(storeMethod name: String, _ arguments: [LuaExpression]) {
    guard let sql = arguments.first else { return }
    if name == "transaction" { return check(waitsIn: sql, "a transaction") }
    if name == "keep" { return check(keptList: arguments, "keep") }
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
}
