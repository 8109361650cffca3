/// What a function always does with its parameters: their uses before the first branch or loop,
/// which may return.
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

  /// The parameters that must not be nil: the function computes with them or reads their members.
  private(set) var needed: Set<ObjectIdentifier> = []
  private(set) var destinations: [ObjectIdentifier: [Destination]] = [:]

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
      default: break reading
      }
    }
    needed.formIntersection(own)
    destinations = destinations.filter { own.contains($0.key) }
  }

  private mutating func need(_ expression: LuaExpression) {
    if case .name(_, let local?) = expression.kind { needed.insert(ObjectIdentifier(local)) }
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
        if beside.contains(where: { !Self.testing.contains($0) }) { need(part) }
        read(part)
      }
    case .unary(let sign, let inner):
      if sign != "not" { need(inner) }
      read(inner)
    case .member(let base, _, _):
      need(base)
      read(base)
    case .index(let base, let key):
      need(base)
      read(base)
      read(key)
    case .method(let base, _, _, let arguments):
      need(base)
      read(base)
      for argument in arguments { read(argument) }
    case .call(let callee, let arguments):
      need(callee)
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
