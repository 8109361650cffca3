import TideScript

/// Walks a whole script and visits every expression, outer expressions first.
struct SyntaxWalker {
  /// The context of an expression.
  struct Position {
    /// The number of functions that enclose it.
    var depth = 0
    /// Whether its failure is expected, for instance by `pcall`.
    var mayFail = false
    /// Whether it tests if something exists: `if jit then`, `x or y`, `x == nil`, `type(x)`.
    var isProbe = false
    /// Whether it is evaluated only under a condition.
    var isConditional = false
    /// Whether its value is discarded.
    var isStatement = false
    /// The local variable whose initial value it is.
    var local: LuaLocal?
    /// The global variable to which it is assigned.
    var global: String?
  }

  /// Called with each expression.
  let visit: (LuaExpression, Position) -> Void
  /// Called with the target and value of each assignment.
  let assign: (_ target: LuaExpression, _ value: LuaExpression?, Position) -> Void
  /// Called with each variable as it is declared.
  let declare: (LuaLocal, Position) -> Void
  /// Called with each parameter and each loop variable.
  let introduce: ((LuaLocal) -> Void)?
  /// Called for each function that a statement names, after `assign` for the function's target.
  let define: (_ target: LuaExpression, LuaFunctionBody) -> Void
  /// Whether to compute `Position.mayFail`, which requires a check of every call's name.
  let looksForFailure: Bool

  init(
    visit: @escaping (LuaExpression, Position) -> Void,
    assign: @escaping (LuaExpression, LuaExpression?, Position) -> Void = { _, _, _ in },
    declare: @escaping (LuaLocal, Position) -> Void = { _, _ in },
    define: @escaping (LuaExpression, LuaFunctionBody) -> Void = { _, _ in },
    introduce: ((LuaLocal) -> Void)? = nil,
    looksForFailure: Bool = false
  ) {
    self.visit = visit
    self.assign = assign
    self.declare = declare
    self.define = define
    self.introduce = introduce
    self.looksForFailure = looksForFailure
  }

  func walk(_ statements: [LuaStatement], _ position: Position = Position()) {
    for statement in statements { walk(statement, position) }
  }

  private func walk(_ statement: LuaStatement, _ position: Position) {
    var inner = position
    inner.isConditional = true
    switch statement {
    case .local(let locals, let values):
      for (index, value) in values.enumerated() {
        var here = position
        if index < locals.count { here.local = locals[index] }
        walk(value, here)
      }
      for local in locals { declare(local, position) }
    case .assignment(let targets, let values):
      for (index, target) in targets.enumerated() {
        assign(target, index < values.count ? values[index] : nil, position)
        walkTarget(target, position)
      }
      for (index, value) in values.enumerated() {
        var here = position
        if index < targets.count, case .name(let name, nil) = targets[index].kind {
          here.global = name
        }
        walk(value, here)
      }
    case .call(let call):
      var here = position
      here.isStatement = true
      walk(call, here)
    case .function(let target, let body):
      assign(target, nil, position)
      define(target, body)
      walkTarget(target, position)
      walk(body, position)
    case .localFunction(let local, let body):
      declare(local, position)
      walk(body, position)
    case .block(let block): walk(block, position)
    case .whileLoop(let condition, let block):
      walk(condition, probing(position))
      walk(block, inner)
    case .repeatLoop(let block, let condition):
      walk(block, inner)
      walk(condition, probing(position))
    case .branches(let branches, let otherwise):
      for (condition, block) in branches {
        walk(condition, probing(position))
        walk(block, inner)
      }
      walk(otherwise, inner)
    case .forLoop(let locals, let values, let block):
      for value in values { walk(value, position) }
      if let introduce { for local in locals { introduce(local) } }
      walk(block, inner)
    case .results(let values):
      for value in values { walk(value, position) }
    }
  }

  /// An assignment to a variable does not use the variable, but one to a member uses its owner.
  private func walkTarget(_ target: LuaExpression, _ position: Position) {
    switch target.kind {
    case .member(let base, _, _): walk(base, position)
    case .index(let base, let index):
      walk(base, position)
      walk(index, position)
    default: break
    }
  }

  private func probing(_ position: Position) -> Position {
    var position = position
    position.isProbe = true
    return position
  }

  private func walk(_ body: LuaFunctionBody, _ position: Position) {
    var inner = Position()
    inner.depth = position.depth + 1
    if let introduce { for parameter in body.parameters { introduce(parameter) } }
    inner.mayFail = position.mayFail
    walk(body.block, inner)
  }

  func walk(_ expression: LuaExpression, _ position: Position = Position()) {
    visit(expression, position)
    var inner = position
    inner.isStatement = false
    inner.isProbe = false
    inner.local = nil
    inner.global = nil
    switch expression.kind {
    case .constant, .string, .name: break
    case .function(let body): walk(body, inner)
    case .table(let fields):
      for field in fields {
        if case .expression(let key) = field.key { walk(key, inner) }
        walk(field.value, inner)
      }
    case .operation(let operands, let signs):
      let chooses = signs.contains { $0 == "and" || $0 == "or" }
      inner.isConditional = inner.isConditional || chooses
      for (index, operand) in operands.enumerated() {
        inner.isProbe = isProbe(index, operands, signs, endsProbe: position.isProbe)
        walk(operand, inner)
      }
    case .unary(let sign, let operand):
      inner.isProbe = sign == "not"
      walk(operand, inner)
    case .member(let base, _, _): walk(base, inner)
    case .index(let base, let index):
      walk(base, inner)
      walk(index, inner)
    case .call(let callee, let arguments):
      walk(callee, inner)
      walk(arguments, of: callee, inner)
    case .method(let base, let name, _, let arguments):
      walk(base, inner)
      inner.mayFail = inner.mayFail || expectsFailure(name)
      for argument in arguments { walk(argument, inner) }
    case .parenthesized(let content):
      inner.isProbe = position.isProbe
      walk(content, inner)
    }
  }

  /// Whether the existence of an operand is tested: it is alone before `and` or `or`, or it is
  /// compared with nil. The last operand of a chain is the chain's value, so it is tested if the
  /// chain is, or if it follows `or`: `table.unpack or unpack`.
  private func isProbe(
    _ index: Int, _ operands: [LuaExpression], _ signs: [String], endsProbe: Bool
  ) -> Bool {
    let left = index > 0 ? signs[index - 1] : "or"
    let right = index < signs.count ? signs[index] : nil
    func joins(_ sign: String) -> Bool { sign == "and" || sign == "or" }
    func compares(_ sign: String) -> Bool { sign == "==" || sign == "~=" }
    func isNil(_ operand: Int) -> Bool {
      if case .constant("nil") = operands[operand].kind { true } else { false }
    }
    if joins(left) {
      guard let right else { return endsProbe || index > 0 && left == "or" }
      return joins(right) || compares(right) && isNil(index + 1)
    }
    return compares(left) && right.map(joins) != false && isNil(index - 1)
  }

  private func walk(_ arguments: [LuaExpression], of callee: LuaExpression, _ position: Position) {
    var inner = position
    switch callee.kind {
    case .name(let name, _):
      inner.isProbe = name == "type" && arguments.count == 1
      inner.mayFail = position.mayFail || expectsFailure(name)
    case .member(_, let name, _):
      inner.mayFail = position.mayFail || expectsFailure(name)
    default: break
    }
    for argument in arguments { walk(argument, inner) }
  }

  /// Whether a function with a name expects its argument to raise an error: `pcall`,
  /// `assert.has_error`.
  private func expectsFailure(_ name: String) -> Bool {
    guard looksForFailure else { return false }
    if name == "pcall" || name == "xpcall" { return true }
    // This runs for every call, so short names are rejected before anything is allocated.
    guard name.utf8.count > 3 else { return false }
    let letters = name.utf8.map { $0 | 0x20 }
    if letters == Self.error || letters == Self.error + [UInt8(ascii: "s")] { return false }
    return Self.failures.contains { word in
      letters.indices.contains { letters[$0] == word[0] && letters[$0...].starts(with: word) }
    }
  }

  private static let error = Array("error".utf8)
  private static let failures = ["error", "fail", "raise", "throw", "refuse"].map { Array($0.utf8) }
}
