/// The offsets of the keys that name a script's values.
///
/// They are the keys of table fields and the names of assigned members. A function that is declared
/// as `function commands.save()` is not included; see `LocalTables.definitions`.
struct KeyOffsets {
  private var offsets: [ObjectIdentifier: Int] = [:]

  init(_ statements: [LuaStatement]) {
    var found: [ObjectIdentifier: Int] = [:]
    SyntaxWalker(
      visit: { expression, _ in
        for field in expression.fields ?? [] {
          if let name = field.name { found[ObjectIdentifier(field.value)] = name.start }
        }
      },
      assign: { target, value, _ in
        if case .member(_, _, let offset) = target.kind, let value {
          found[ObjectIdentifier(value)] = offset
        }
      }
    ).walk(statements)
    offsets = found
  }

  subscript(value: LuaExpression) -> Int? { offsets[ObjectIdentifier(value)] }
}
