import TideScript

/// A script to check: its text, its tree, and its declarations.
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
  /// The strings of a spec, which may name files that the spec writes.
  private(set) var texts: [LuaToken] = []
  /// The members that the script names, and its mentions of `load`.
  private(set) var mentions: [LuaExpression] = []
  /// The tables of the script with more rows than inference examines.
  private(set) var longLists: [[LuaField]] = []

  /// Stores the expressions that are needed often.
  func note(_ expressions: [LuaExpression]) {
    calls = expressions.filter { expression in
      switch expression.kind {
      case .call, .method: true
      default: false
      }
    }
    if isSpec { texts = expressions.compactMap(\.string) }
    mentions = expressions.filter { expression in
      switch expression.kind {
      case .member, .name("load", nil): true
      default: false
      }
    }
    longLists = expressions.compactMap { expression in
      guard let rows = expression.fields, rows.count > TypeInference.rowLimit, rows.isSequence
      else { return nil }
      return rows
    }
  }

  /// Whether a statement or a table computes a key that may be a string.
  private(set) lazy var writesComputedKeys: Bool = {
    var found = false
    SyntaxWalker(
      visit: { expression, _ in
        for field in expression.fields ?? [] {
          if case .expression(let key) = field.key, !key.isKnownKey { found = true }
        }
        if case .name("rawset", nil) = expression.kind { found = true }
        if case .name("setmetatable", nil) = expression.kind { found = true }
      },
      assign: { target, _, _ in
        if case .index(_, let key) = target.kind, !key.isKnownKey { found = true }
      }
    ).walk(statements)
    return found
  }()

  /// The values of tables by their keys, without literals of simple types.
  private(set) lazy var fieldValues: [String: [LuaExpression]] = {
    var found: [String: [LuaExpression]] = [:]
    SyntaxWalker(
      visit: { expression, _ in
        for field in expression.fields ?? [] {
          guard let name = field.name?.text, field.value.constantType == nil,
            field.value.functionBody == nil
          else { continue }
          found[name, default: []].append(field.value)
        }
      }
    ).walk(statements)
    return found
  }()

  /// An assignment to a member or an element: `people.filter = function(row) … end`, `rows[#rows +
  /// 1] = row`.
  struct Assignment {
    let target: LuaExpression
    let owner: LuaExpression
    /// The member's name; nil for an element.
    let name: String?
    let value: LuaExpression
  }

  private(set) lazy var assignmentsByName: [String?: [Assignment]] = Dictionary(
    grouping: assignments, by: \.name)

  /// All assignments to members and elements.
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

  /// The calls of functions, by the names under which they are called.
  private(set) lazy var callsByName: [String: [LuaExpression]] = {
    var found: [String: [LuaExpression]] = [:]
    for call in calls {
      guard case .call(let callee, _) = call.kind else { continue }
      switch callee.kind {
      case .name(let name, _), .member(_, let name, _): found[name, default: []].append(call)
      default: break
      }
    }
    return found
  }()

  /// The offsets of the names of modules that it requires whenever it is loaded.
  private(set) lazy var requiredAtLoad: Set<Int> = {
    var found: Set<Int> = []
    SyntaxWalker(
      visit: { expression, position in
        guard position.depth == 0, !position.isConditional, !position.mayFail,
          case .call(let callee, let arguments) = expression.kind,
          case .name("require", nil) = callee.kind, let argument = arguments.first,
          let name = argument.string
        else { return }
        found.insert(name.contentStart ?? argument.range.lowerBound)
      }, looksForFailure: true
    ).walk(statements)
    return found
  }()

  /// The calls that determine the roles of parameters and the places of views.
  var placements: ScriptPlacements?

  private lazy var keyOffsets = KeyOffsets(statements)

  /// The offset of the key of a value; nil for values of other scripts.
  func keyOffset(of value: LuaExpression) -> Int? {
    keyOffsets[value] ?? symbols.tables.definitions[ObjectIdentifier(value)]
  }

  /// The styles that it returns, if it is in the folder of themes.
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

extension LuaExpression {
  /// Whether it is a literal key or a number.
  fileprivate var isKnownKey: Bool {
    switch kind {
    case .constant, .string, .unary: true
    case .parenthesized(let inner): inner.isKnownKey
    case .operation(_, let signs):
      signs.allSatisfy { ["+", "-", "*", "/", "//", "%"].contains($0) }
    case .name(_, let local?):
      if let list = local.iterated {
        local.loopIndex == 0 && list.isIPairs
      } else {
        local.isCounter || !local.isReassigned && local.value?.isNumber == true
      }
    default: false
    }
  }

  private var isNumber: Bool {
    switch kind {
    case .call(let callee, _):
      if case .member(let base, _, _) = callee.kind, case .name("math", nil) = base.kind {
        true
      } else {
        false
      }
    case .name, .string, .index, .member, .table, .function, .method: false
    default: isKnownKey
    }
  }

  private var isIPairs: Bool {
    if case .call(let callee, _) = kind, case .name("ipairs", nil) = callee.kind {
      true
    } else {
      false
    }
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
