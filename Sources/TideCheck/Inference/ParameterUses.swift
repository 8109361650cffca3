/// What a function always does with its parameters: their uses before the first branch or loop,
/// which may return. Uses behind a guard such as `if not price then return end` count, too.
///
/// ```lua
/// function add(self, more) self.count = self.count + more end    -- computes with `more`
/// ```
struct ParameterUses {
  /// A property to which a parameter's value is assigned.
  enum Destination {
    /// A field of the table that a function is called with: `Person { name = name }`.
    case field(String, of: LuaExpression)
    /// `self.name = name`
    case member(String, of: LuaExpression)
  }

  /// A use that not every value is fit for.
  enum Use: String {
    case computed = "computes with"
    case joined = "joins texts with"
    case indexed = "reads members of"
    case called = "calls"
  }

  /// The parameters that must not be nil: the function computes with them or reads their members.
  private(set) var needed: Set<ObjectIdentifier> = []
  /// What the function does with each parameter.
  private(set) var kinds: [ObjectIdentifier: Set<Use>] = [:]
  private(set) var destinations: [ObjectIdentifier: [Destination]] = [:]

  /// The variables that a guard has tested.
  private var tested: Set<ObjectIdentifier> = []

  init(_ body: LuaFunctionBody) {
    let own = Set(body.parameters.filter { !$0.isReassigned }.map(ObjectIdentifier.init))
    reading: for statement in body.block {
      switch statement {
      case .local(_, let values): for value in values { read(value) }
      case .assignment(let targets, let values):
        for expression in targets + values { read(expression) }
        for (target, value) in zip(targets, values) {
          if case .member(let owner, let name, _) = target.kind {
            note(.member(name, of: owner), value)
          }
        }
      case .call(let call): read(call)
      case .results(let values):
        for value in values { read(value) }
        break reading
      case .localFunction, .function: break
      case .branches(let branches, let otherwise):
        guard let (condition, block) = branches.first else { break reading }
        read(condition)
        guard branches.count == 1, otherwise.isEmpty, Self.isGuard(condition, block) else {
          break reading
        }
        noteTested(condition)
      case .forLoop(let locals, let values, _):
        for value in values {
          if locals.first?.isCounter == true { need(value, .computed) }
          read(value)
        }
        break reading
      default: break reading
      }
    }
    kinds = kinds.filter { own.contains($0.key) }
    needed.formIntersection(own)
    destinations = destinations.filter { own.contains($0.key) }
  }

  /// Whether a branch leaves the function unless something exists: `if not price then return end`.
  private static func isGuard(_ condition: LuaExpression, _ block: [LuaStatement]) -> Bool {
    switch condition.kind {
    case .unary("not", _): break
    case .operation(let parts, ["=="]):
      guard case .constant("nil")? = parts.last?.kind else { return false }
    default: return false
    }
    switch block.last {
    case .results?: return true
    case .call(let call)?:
      if case .call(let callee, _) = call.kind, case .name("error", nil) = callee.kind {
        return true
      }
      return false
    default: return false
    }
  }

  private mutating func noteTested(_ condition: LuaExpression) {
    switch condition.kind {
    case .name(_, let local?): tested.insert(ObjectIdentifier(local))
    case .unary(_, let inner), .parenthesized(let inner): noteTested(inner)
    case .operation(let parts, _): for part in parts { noteTested(part) }
    default: break
    }
  }

  private mutating func need(_ expression: LuaExpression, _ use: Use? = nil) {
    guard case .name(_, let local?) = expression.kind, case let key = ObjectIdentifier(local),
      !tested.contains(key)
    else { return }
    needed.insert(key)
    if let use { kinds[key, default: []].insert(use) }
  }

  private static func use(by signs: [String]) -> Use? {
    if signs.contains(where: { ["+", "-", "*", "/", "//", "%", "^"].contains($0) }) {
      return .computed
    }
    return signs.contains("..") ? .joined : nil
  }

  private mutating func note(_ destination: Destination, _ value: LuaExpression) {
    guard case .name(_, let local?) = value.kind else { return }
    destinations[ObjectIdentifier(local), default: []].append(destination)
  }

  private static let testing: Set<String> = ["==", "~="]

  private mutating func read(_ expression: LuaExpression) {
    switch expression.kind {
    case .operation(let parts, let signs):
      // The operands after `and` or `or` may not be evaluated.
      let end = signs.firstIndex { $0 == "and" || $0 == "or" } ?? signs.count
      for (index, part) in parts[...end].enumerated() {
        let beside = [index > 0 ? signs[index - 1] : "==", index < end ? signs[index] : "=="]
        if beside.contains(where: { !Self.testing.contains($0) }) {
          need(part, Self.use(by: beside))
        }
        read(part)
      }
    case .unary(let sign, let inner):
      if sign != "not" { need(inner, sign == "-" ? .computed : nil) }
      read(inner)
    case .member(let base, _, _):
      need(base, .indexed)
      read(base)
    case .index(let base, let key):
      need(base, .indexed)
      read(base)
      read(key)
    case .method(let base, _, _, let arguments):
      need(base, .indexed)
      read(base)
      for argument in arguments { read(argument) }
    case .call(let callee, let arguments):
      need(callee, .called)
      read(callee)
      for argument in arguments { read(argument) }
      for field in arguments.first?.fields ?? [] {
        if let name = field.name { note(.field(name.text, of: callee), field.value) }
      }
    case .table(let fields): for field in fields { read(field.value) }
    case .parenthesized(let inner): read(inner)
    case .name, .constant, .string, .function: break
    }
  }
}
