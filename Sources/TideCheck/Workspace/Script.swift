import TideScript

/// One script that is checked: its text, its tree, and what it declares.
final class Script {
  let source: LuaSource
  let statements: [LuaStatement]
  /// Whether the test runner runs it.
  let isSpec: Bool
  /// Whether it is only for editors and never runs, like the output of `tidelock types`.
  let isDefinitions: Bool
  /// The syntax error, if there is one; the tree is then that of an unfinished text.
  let failure: Problem?
  var symbols = SymbolTable()
  /// Whether it returns only at its end.
  let returnsOnce: Bool
  /// All calls of the script, in the order of the text.
  private(set) var calls: [LuaExpression] = []
  /// The tables of the script with more rows than inference looks at.
  private(set) var longLists: [[LuaField]] = []

  /// Keeps those of the script's expressions that are needed often.
  func note(_ expressions: [LuaExpression]) {
    calls = expressions.filter { expression in
      switch expression.kind {
      case .call, .method: true
      default: false
      }
    }
    longLists = expressions.compactMap { expression in
      guard let rows = expression.fields, rows.count > TypeInference.rowLimit, rows.isSequence
      else { return nil }
      return rows
    }
  }

  /// What a statement gives a member or an element: `people.filter = function(row) … end`,
  /// `rows[#rows + 1] = row`.
  struct Assignment {
    let target: LuaExpression
    let owner: LuaExpression
    /// The member's name; nil for an element.
    let name: String?
    let value: LuaExpression
  }

  /// What statements give members and elements.
  private(set) lazy var assignments: [Assignment] = {
    var found: [Assignment] = []
    func note(_ target: LuaExpression, _ value: LuaExpression?) {
      guard let value else { return }
      switch target.kind {
      case .member(let owner, let name, _):
        found.append(Assignment(target: target, owner: owner, name: name, value: value))
      case .index(let owner, let key) where key.string == nil:
        found.append(Assignment(target: target, owner: owner, name: nil, value: value))
      default: break
      }
    }
    SyntaxWalker(
      visit: { _, _ in },
      assign: { target, value, _ in note(target, value) },
      define: { target, body in
        note(target, LuaExpression(.function(body), body.range, depth: target.depth))
      }
    ).walk(statements)
    return found
  }()

  /// The calls that give parameters and views their roles.
  var placements: ScriptPlacements?

  private lazy var keyOffsets = KeyOffsets(statements)

  /// The offset of the key of a value; nil for values of other scripts.
  func keyOffset(of value: LuaExpression) -> Int? {
    keyOffsets[value] ?? symbols.tables.definitions[ObjectIdentifier(value)]
  }

  /// The styles that it returns, if it is a file in the folder of themes.
  var themeFields: [LuaField] {
    guard
      ScriptFiles.folder(of: source.path).split(separator: "/").last
        == Substring(Runtime.themeFolder),
      case .results(let values)? = statements.last
    else { return [] }
    return values.first?.fields ?? []
  }

  init(
    _ source: LuaSource, _ statements: [LuaStatement], isSpec: Bool, failure: Problem? = nil
  ) {
    self.source = source
    self.statements = statements
    returnsOnce = LuaFunctionBody.results(of: statements).count == 1
    isDefinitions = source.bytes.starts(with: "---@meta".utf8)
    self.failure = failure
    self.isSpec = isSpec
  }
}

extension [UInt8] {
  func contains(word: String) -> Bool {
    let word = Array(word.utf8)
    guard let first = word.first else { return true }
    var start = startIndex
    while let found = self[start...].firstIndex(of: first) {
      if self[found...].starts(with: word) { return true }
      start = found + 1
    }
    return false
  }
}
