import TideBindings
import TideScript

// Loops that nothing ends.
extension ScriptChecker {
  /// Reports `while true do poll() end` if nothing in the body leaves the loop or waits, and a loop
  /// whose body does not change what its condition reads.
  ///
  /// It reports only loops whose calls are known neither to wait nor to raise an error.
  ///
  /// - Parameter ending: the value of the condition that ends the loop.
  func check(endless condition: LuaExpression, _ block: [LuaStatement], ending: Bool) {
    // An empty loop is written on purpose, to try the budget out.
    guard mentions == nil, !block.isEmpty, !condition.isOfLeftLoop,
      LuaFunctionBody.results(of: block).isEmpty
    else { return }
    let read = LoopCondition(condition) { [self] in mayChangeAlone($0, $1) }
    guard read.isSteady, read.constant.map({ $0 != ending }) ?? !read.names.isEmpty else { return }
    var effects = LoopEffects(read, inference, app)
    guard effects.leavesUnchanged(block), read.constant == nil || effects.reachesApp else { return }
    let advice = "leave it with break, or write sleep(seconds) in it if it waits for something"
    let message =
      read.constant == nil
      ? "nothing in this loop changes \(read.names.joined(separator: " or ")), so it never ends "
        + "once it runs; change it in the loop, or \(advice)"
      : "nothing ends this loop, and nothing in it waits; \(advice)"
    report(.endlessLoop, message, at: condition.range.lowerBound, .warning)
  }

  /// Whether a property may change although no statement assigns to it.
  private func mayChangeAlone(_ name: String, _ base: LuaExpression) -> Bool {
    switch inference.inferredType(of: base) {
    case .model?, .object?, .held?:
      guard let owner = inference.inferredType(of: base),
        let values = inference.shape(of: owner)?.values(of: name), !values.isEmpty
      else { return true }
      return !values.allSatisfy { $0.constantType != nil }
    case .table?: return false
    case nil:
      guard case .name(_, let local?) = base.kind, !local.isReassigned else { return true }
      return local.value?.fields == nil
    default: return true
    }
  }
}

/// What the condition of a loop reads.
private struct LoopCondition {
  private(set) var locals: Set<ObjectIdentifier> = []
  private(set) var globals: Set<String> = []
  private(set) var members: Set<String> = []
  private(set) var readsElements = false
  /// Whether it has no value but what assignments give it.
  private(set) var isSteady = true
  /// The variables and properties, as the script names them.
  private(set) var names: [String] = []
  /// Whether a constant condition is true; nil for a condition that may change.
  private(set) var constant: Bool?

  init(_ condition: LuaExpression, mayChangeAlone: (String, LuaExpression) -> Bool) {
    read(condition, mayChangeAlone)
    switch condition.kind {
    case .constant("false"), .constant("nil"): constant = false
    case .constant(let text): constant = text == "..." ? nil : true
    case .string: constant = true
    default: break
    }
  }

  private mutating func read(
    _ expression: LuaExpression, _ mayChangeAlone: (String, LuaExpression) -> Bool
  ) {
    switch expression.kind {
    case .constant(let text): if text == "..." { isSteady = false }
    case .string: break
    case .name(let name, let local):
      if let local { locals.insert(ObjectIdentifier(local)) } else { globals.insert(name) }
      note(name)
    case .parenthesized(let inner): read(inner, mayChangeAlone)
    case .unary(let sign, let inner):
      if sign == "#" { readsElements = true }
      read(inner, mayChangeAlone)
    case .operation(let parts, _): for part in parts { read(part, mayChangeAlone) }
    case .member(let base, let name, _):
      if mayChangeAlone(name, base) { isSteady = false }
      members.insert(name)
      var owner = self
      owner.read(base, mayChangeAlone)
      owner.names = names
      self = owner
      note(name)
    case .index(let base, let key):
      readsElements = true
      read(base, mayChangeAlone)
      read(key, mayChangeAlone)
    case .call, .method, .function, .table: isSteady = false
    }
  }

  private mutating func note(_ name: String) {
    let shown = "\"\(name)\""
    names.removeAll { $0 == shown }
    names.append(shown)
  }

  /// Whether an assignment changes what the condition reads.
  func isChanged(byAssignmentTo target: LuaExpression) -> Bool {
    switch target.kind {
    case .name(_, let local?): locals.contains(ObjectIdentifier(local))
    case .name(let name, nil): globals.contains(name)
    // A binding or an observer may pass the change on.
    case .member: !members.isEmpty
    case .index: readsElements || !members.isEmpty
    default: true
    }
  }
}

/// Finds out whether a block leaves a loop's condition as it is, and cannot end the loop otherwise.
private struct LoopEffects {
  private let condition: LoopCondition
  private let inference: TypeInference
  private let app: SymbolTable
  private var visited: Set<ObjectIdentifier> = []
  /// Whether a statement calls or changes more than Lua's own values. Other endless loops are
  /// written on purpose.
  private(set) var reachesApp = false
  /// The most functions that are followed.
  private var budget = 16

  init(_ condition: LoopCondition, _ inference: TypeInference, _ app: SymbolTable) {
    self.condition = condition
    self.inference = inference
    self.app = app
  }

  mutating func leavesUnchanged(_ block: [LuaStatement]) -> Bool {
    var calls: [LuaExpression] = []
    var (isChanged, assigns) = (false, false)
    SyntaxWalker(
      visit: { expression, _ in
        switch expression.kind {
        case .call, .method: calls.append(expression)
        default: break
        }
      },
      assign: { [condition] target, _, _ in
        if condition.isChanged(byAssignmentTo: target) { isChanged = true }
        if case .member = target.kind { assigns = true }
      },
      declare: { [condition] local, _ in
        if condition.locals.contains(ObjectIdentifier(local)) { isChanged = true }
      }
    ).walk(block)
    if assigns { reachesApp = true }
    return !isChanged && calls.allSatisfy { isHarmless($0) }
  }

  private mutating func isHarmless(_ call: LuaExpression) -> Bool {
    switch call.kind {
    case .method(let base, let name, _, _):
      switch inference.inferredType(of: base) {
      case .text?: return LuaLibrary.functions["string.\(name)"] != nil
      case .list?:
        reachesApp = true
        return Self.reading.contains(name)
          || !condition.readsElements && condition.members.isEmpty
            && Self.editing.contains(name)
      default: return false
      }
    case .call(let callee, _):
      if let path = inference.path(of: callee) {
        return !app.globals.contains(path) && isHarmless(path)
      }
      guard let body = inference.functionBody(of: callee), budget > 0,
        visited.insert(ObjectIdentifier(body)).inserted
      else { return false }
      budget -= 1
      reachesApp = true
      return leavesUnchanged(body.block)
    default: return true
    }
  }

  private mutating func isHarmless(_ path: String) -> Bool {
    if path == "print" || path.hasPrefix("log.") { reachesApp = true }
    if Self.harmless.contains(path) { return true }
    guard let dot = path.firstIndex(of: ".") else { return false }
    let (table, name) = (path[..<dot], path[path.index(after: dot)...])
    switch table {
    case "math", "string", "utf8", "log": return true
    case "table": return !condition.readsElements || ["concat", "unpack"].contains(name)
    default: return false
    }
  }

  private static let harmless: Set = [
    "print", "tostring", "tonumber", "type", "ipairs", "pairs", "next", "select", "rawget",
    "rawlen",
    "now", "os.time", "os.clock", "os.date",
  ]
  private static let reading: Set = ["indexOf", "totable"]
  private static let editing: Set = [
    "append", "insert", "remove", "removeObject", "move", "replace", "set", "clear",
  ]
}
