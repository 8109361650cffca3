/// Where the keys stand that give a script's values their names.
///
/// A value of a table stands behind its key; a function that is declared as `function commands.save()`
/// is itself where its name is.
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
