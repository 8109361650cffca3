import TideScript

/// Plain tables in local variables, with all members that a script adds, as long as no other code
/// can add any: `local commands = {}`, `function commands.save() … end`.
///
/// A variable is excluded if its table escapes, as an argument or into another table, because the
/// receiver may add members. So is a variable with members written by computed keys.
struct LocalTables {
  /// The tables by variable.
  private(set) var shapes: [ObjectIdentifier: LiteralShape] = [:]
  /// Variables whose table comes from a module and escapes, so that other code may add to it.
  private(set) var escaped: [LuaLocal] = []
  /// Members that the script assigns to tables of other scripts: `commands.extra = …`.
  private(set) var assignedNames: Set<String> = []
  /// Members whose tables escape, or are written to by computed keys.
  private(set) var openNames: Set<String> = []

  /// The functions that statements add, with the offsets of their names.
  private(set) var definitions: [ObjectIdentifier: Int] = [:]

  private var names: [ObjectIdentifier: LuaLocal] = [:]
  /// The `self` parameters of a table's methods.
  private var owners: [ObjectIdentifier: LuaLocal] = [:]
  /// The number of uses of each variable, and of those that cannot add members to its table.
  private var uses: [ObjectIdentifier: (all: Int, safe: Int)] = [:]
  private var members: [ObjectIdentifier: [(name: String, value: LuaExpression?)]] = [:]
  private var isOpen: Set<ObjectIdentifier> = []

  init(_ statements: [LuaStatement]) {
    var found = Self()
    SyntaxWalker(
      visit: { expression, _ in found.visit(expression) },
      assign: { target, value, _ in found.assign(target, value) },
      define: { target, body in found.define(target, body) }
    ).walk(statements)
    if case .results(let values)? = statements.last {
      for value in values { found.markSafe(value) }
    }
    found.finish()
    self = found
  }

  init() {}

  /// Adds the tables of another script.
  mutating func formUnion(_ other: LocalTables) {
    shapes.merge(other.shapes) { first, _ in first }
    escaped += other.escaped
    assignedNames.formUnion(other.assignedNames)
    openNames.formUnion(other.openNames)
  }

  // MARK: Uses

  private func table(_ expression: LuaExpression) -> LuaLocal? {
    guard case .name(let name, let local?) = expression.kind else { return nil }
    if local.holdsTable { return local }
    return name == "self" ? owners[ObjectIdentifier(local)] : nil
  }

  private mutating func markSafe(_ expression: LuaExpression) {
    guard let local = table(expression) else { return }
    uses[ObjectIdentifier(local), default: (0, 0)].safe += 1
  }

  private mutating func visit(_ expression: LuaExpression) {
    switch expression.kind {
    case .name:
      guard let local = table(expression) else { return }
      names[ObjectIdentifier(local)] = local
      uses[ObjectIdentifier(local), default: (0, 0)].all += 1
    case .member(let base, _, _), .index(let base, _): markSafe(base)
    case .method(let base, _, _, let arguments):
      markSafe(base)
      for argument in arguments { open(argument) }
    case .call(let callee, let arguments):
      let isReader = Self.isReader(callee)
      for argument in arguments { if isReader { markSafe(argument) } else { open(argument) } }
    case .unary("#", let inner): markSafe(inner)
    case .operation(let parts, let signs):
      if signs.allSatisfy({ $0 == "==" || $0 == "~=" }) { for part in parts { markSafe(part) } }
    default: break
    }
  }

  /// Whether a function only reads its arguments and their tables, or only adds elements.
  private static func isReader(_ callee: LuaExpression) -> Bool {
    switch callee.kind {
    case .name(let name, nil): readers.contains(name)
    case .member(let base, _, _):
      if case .name("table", nil) = base.kind { true } else { false }
    default: false
    }
  }

  private static let readers: Set<String> = [
    "pairs", "next", "ipairs", "rawget", "rawlen", "rawequal", "type", "tostring", "print",
    "select",
    "dump", "assert", "observe", "bind", "ref", "why", "unbind",
  ]

  // MARK: Members

  private mutating func assign(_ target: LuaExpression, _ value: LuaExpression?) {
    switch target.kind {
    case .member(let base, let name, _): add(name, value, to: base)
    case .index(let base, let key):
      if let name = key.string?.text { return add(name, value, to: base) }
      markSafe(base)
      // Elements are not members.
      if case .constant = key.kind { return }
      if let local = table(base) { isOpen.insert(ObjectIdentifier(local)) }
      open(base)
    default: break
    }
  }

  private mutating func add(_ name: String, _ value: LuaExpression?, to base: LuaExpression) {
    markSafe(base)
    assignedNames.insert(name)
    guard let local = table(base) else { return }
    members[ObjectIdentifier(local), default: []].append((name, value))
  }

  private mutating func define(_ target: LuaExpression, _ body: LuaFunctionBody) {
    guard case .member(let base, let name, _) = target.kind, let local = table(base) else { return }
    // The assignment was already visited, without its value.
    let end = target.range.upperBound
    let value = LuaExpression(
      .function(body), (end - name.utf8.count)..<end, depth: target.depth)
    definitions[ObjectIdentifier(value)] = value.range.lowerBound
    members[ObjectIdentifier(local), default: []].removeLast()
    members[ObjectIdentifier(local), default: []].append((name, value))
    if body.isMethod, let own = body.parameters.first { owners[ObjectIdentifier(own)] = local }
  }

  /// Marks a table inside another that escapes: `fill(commands.titles)`.
  private mutating func open(_ expression: LuaExpression) {
    switch expression.kind {
    case .member(_, let name, _): openNames.insert(name)
    case .name(_, let local?):
      if case .member(_, let name, _)? = local.value?.kind { openNames.insert(name) }
    default: break
    }
  }

  // MARK: Result

  private mutating func finish() {
    for (key, local) in names {
      let use = uses[key] ?? (0, 0)
      let hasEscaped = use.all > use.safe || local.isReassigned || isOpen.contains(key)
      if case .call? = local.value?.kind, hasEscaped { escaped.append(local) }
      guard !hasEscaped, let fields = local.value?.fields else { continue }
      var shape = LiteralShape(fields.filter { !$0.isElement })
      for member in members[key] ?? [] { shape.add(member.name, member.value) }
      // An empty table may be a marker that is compared by identity.
      if !shape.isOpen, !shape.names.isEmpty { shapes[key] = shape }
    }
  }
}

extension LuaField {
  /// Whether it has no key.
  var isElement: Bool { if case .none = key { true } else { false } }
}
