/// Goes over the whole of a script and shows every expression, outer ones first.
struct ScriptWalk {
  /// Where an expression stands.
  struct Place {
    /// How many functions are around it.
    var depth = 0
    /// Whether it runs under something that expects it to fail, such as `pcall`.
    var mayFail = false
    /// Whether it asks if something is there: `if jit then`, `x or y`, `x == nil`, `type(x)`.
    var isProbe = false
    /// Whether it runs only sometimes.
    var isConditional = false
    /// Whether its value goes nowhere.
    var isStatement = false
    /// The local variable that it is the value of.
    var local: LuaLocal?
    /// The global variable that it is the value of.
    var global: String?
  }

  /// Shown each expression.
  let visit: (LuaExpression, Place) -> Void
  /// Shown each assignment's target and value.
  let assign: (_ target: LuaExpression, _ value: LuaExpression?, Place) -> Void
  /// Shown each variable as it is declared.
  let declare: (LuaLocal, Place) -> Void

  init(
    visit: @escaping (LuaExpression, Place) -> Void,
    assign: @escaping (LuaExpression, LuaExpression?, Place) -> Void = { _, _, _ in },
    declare: @escaping (LuaLocal, Place) -> Void = { _, _ in }
  ) {
    self.visit = visit
    self.assign = assign
    self.declare = declare
  }

  func walk(_ statements: [LuaStatement], _ place: Place = Place()) {
    for statement in statements { walk(statement, place) }
  }

  private func walk(_ statement: LuaStatement, _ place: Place) {
    var inner = place
    inner.isConditional = true
    switch statement {
    case .local(let locals, let values):
      for (index, value) in values.enumerated() {
        var here = place
        if index < locals.count { here.local = locals[index] }
        walk(value, here)
      }
      for local in locals { declare(local, place) }
    case .assignment(let targets, let values):
      for (index, target) in targets.enumerated() {
        assign(target, index < values.count ? values[index] : nil, place)
        walkTarget(target, place)
      }
      for (index, value) in values.enumerated() {
        var here = place
        if index < targets.count, case .name(let name, nil) = targets[index].kind {
          here.global = name
        }
        walk(value, here)
      }
    case .call(let call):
      var here = place
      here.isStatement = true
      walk(call, here)
    case .function(let target, let body):
      assign(target, nil, place)
      walkTarget(target, place)
      walk(body, place)
    case .localFunction(let local, let body):
      declare(local, place)
      walk(body, place)
    case .block(let block): walk(block, place)
    case .whileLoop(let condition, let block):
      walk(condition, probing(place))
      walk(block, inner)
    case .repeatLoop(let block, let condition):
      walk(block, inner)
      walk(condition, probing(place))
    case .branches(let branches, let otherwise):
      for (condition, block) in branches {
        walk(condition, probing(place))
        walk(block, inner)
      }
      walk(otherwise, inner)
    case .forLoop(_, let values, let block):
      for value in values { walk(value, place) }
      walk(block, inner)
    case .results(let values):
      for value in values { walk(value, place) }
    }
  }

  /// The target of an assignment is no use of a variable, but what stands before its last dot is.
  private func walkTarget(_ target: LuaExpression, _ place: Place) {
    switch target.kind {
    case .member(let base, _, _): walk(base, place)
    case .index(let base, let index):
      walk(base, place)
      walk(index, place)
    default: break
    }
  }

  private func probing(_ place: Place) -> Place {
    var place = place
    place.isProbe = true
    return place
  }

  private func walk(_ body: LuaFunctionBody, _ place: Place) {
    var inner = Place()
    inner.depth = place.depth + 1
    inner.mayFail = place.mayFail
    walk(body.block, inner)
  }

  private func walk(_ expression: LuaExpression, _ place: Place) {
    visit(expression, place)
    var inner = place
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
        inner.isProbe = isProbe(index, operands, signs, endsProbe: place.isProbe)
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
      inner.mayFail = inner.mayFail || Self.expectsFailure(name)
      for argument in arguments { walk(argument, inner) }
    case .parenthesized(let content):
      inner.isProbe = place.isProbe
      walk(content, inner)
    }
  }

  /// Whether an operand is asked for being there: it stands alone before `and` or `or`, or is
  /// compared with nil. The last one of a chain is its value, and asked for where the chain is, or
  /// after `or`: `table.unpack or unpack`.
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

  private func walk(_ arguments: [LuaExpression], of callee: LuaExpression, _ place: Place) {
    var inner = place
    switch callee.kind {
    case .name(let name, _):
      inner.isProbe = name == "type" && arguments.count == 1
      inner.mayFail = place.mayFail || Self.expectsFailure(name)
    case .member(_, let name, _):
      inner.mayFail = place.mayFail || Self.expectsFailure(name)
    default: break
    }
    for argument in arguments { walk(argument, inner) }
  }

  /// Whether a function of that name is given functions that raise: `pcall`, `assert.has_error`.
  private static func expectsFailure(_ name: String) -> Bool {
    if name == "pcall" || name == "xpcall" { return true }
    // Every call is asked, so nothing is made of names that are too short.
    guard name.utf8.count > 3 else { return false }
    let letters = name.utf8.map { $0 | 0x20 }
    if letters == error || letters == error + [UInt8(ascii: "s")] { return false }
    return failures.contains { word in
      letters.indices.contains { letters[$0] == word[0] && letters[$0...].starts(with: word) }
    }
  }

  private static let error = Array("error".utf8)
  private static let failures = ["error", "fail", "raise", "throw", "refuse"].map { Array($0.utf8) }
}
