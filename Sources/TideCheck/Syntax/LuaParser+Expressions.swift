extension LuaParser {
  mutating func expressions() throws(Failure) -> [LuaExpression] {
    var all = [try expression()]
    while try take(",") { all.append(try expression()) }
    return all
  }

  private static let operators: Set<String> = [
    "+", "-", "*", "/", "//", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "&", "|", "~", "<<",
    ">>", "and", "or",
  ]

  mutating func expression() throws(Failure) -> LuaExpression {
    try scoped { (parser) throws(Failure) in
      let start = parser.token.range.lowerBound
      var operands = [try parser.operand()]
      var signs: [String] = []
      while [.symbol, .keyword].contains(parser.token.kind),
        Self.operators.contains(parser.token.text)
      {
        signs.append(parser.token.text)
        try parser.advance()
        operands.append(try parser.operand())
      }
      if signs.isEmpty { return operands[0] }
      let depth = operands.reduce(0) { max($0, $1.depth) }
      return try parser.made(.operation(operands, signs: signs), from: start, depth)
    }
  }

  private mutating func operand() throws(Failure) -> LuaExpression {
    let start = token.range.lowerBound
    let isUnary =
      token.isKeyword("not") || token.isSymbol("-") || token.isSymbol("#") || token.isSymbol("~")
    guard isUnary else { return try simple() }
    let sign = token.text
    try advance()
    let inner = try scoped { (parser) throws(Failure) in try parser.power() }
    return try made(.unary(sign, inner), from: start, inner.depth)
  }

  /// The operand of a unary operator, which binds less tightly than `^`: `not n ^ 2`.
  private mutating func power() throws(Failure) -> LuaExpression {
    let start = token.range.lowerBound
    var operands = [try operand()]
    while try take("^") { operands.append(try operand()) }
    if operands.count == 1 { return operands[0] }
    let depth = operands.reduce(0) { max($0, $1.depth) }
    let signs = Array(repeating: "^", count: operands.count - 1)
    return try made(.operation(operands, signs: signs), from: start, depth)
  }

  private mutating func simple() throws(Failure) -> LuaExpression {
    let start = token.range.lowerBound
    switch (token.kind, token.text) {
    case (.number, _), (.keyword, "nil"), (.keyword, "true"), (.keyword, "false"), (.symbol, "..."):
      let text = token.text
      try advance()
      return try made(.constant(text), from: start, 0)
    case (.string, _):
      let text = token
      try advance()
      return try made(.string(text), from: start, 0)
    case (.symbol, "{"):
      return try table()
    case (.keyword, "function"):
      try advance()
      let body = try functionBody(method: false, at: start)
      return try made(.function(body), from: start, body.depth)
    default:
      return try suffixed(reading: true)
    }
  }

  func variable(_ name: LuaToken) -> LuaExpression {
    LuaExpression(.name(name.text, resolve(name.text)), name.range, depth: 1)
  }

  /// A variable or an expression in parentheses, and what follows it: fields, indexes, calls.
  ///
  /// - Parameter reading: false if it may be the target of an assignment.
  mutating func suffixed(reading: Bool) throws(Failure) -> LuaExpression {
    let start = token.range.lowerBound
    var result: LuaExpression
    if try take("(") {
      let inner = try expression()
      try expect(")")
      result = try made(.parenthesized(inner), from: start, inner.depth)
    } else {
      result = variable(try name())
    }
    var isRead = reading
    while let next = try suffix(of: result, from: start) {
      markRead(result)
      isRead = false
      result = next
    }
    if isRead { markRead(result) }
    return result
  }

  private func markRead(_ expression: LuaExpression) {
    if case .name(_, let local?) = expression.kind { local.isRead = true }
  }

  private mutating func suffix(
    of base: LuaExpression, from start: Int
  ) throws(Failure) -> LuaExpression? {
    if try take(".") {
      let part = try memberName()
      return try made(
        .member(base, part.text, at: part.range.lowerBound), from: start, base.depth)
    }
    if try take("[") {
      let index = try expression()
      try expect("]")
      return try made(.index(base, index), from: start, max(base.depth, index.depth))
    }
    if try take(":") {
      let part = try memberName()
      guard let arguments = try arguments() ?? (isTolerant ? [] : nil) else { throw unexpected }
      let depth = arguments.reduce(base.depth) { max($0, $1.depth) }
      return try made(
        .method(base, part.text, at: part.range.lowerBound, arguments), from: start, depth)
    }
    guard let arguments = try arguments() else { return nil }
    let depth = arguments.reduce(base.depth) { max($0, $1.depth) }
    return try made(.call(base, arguments), from: start, depth)
  }

  /// The arguments of a call; nil if no call follows.
  private mutating func arguments() throws(Failure) -> [LuaExpression]? {
    if token.kind == .string {
      let start = token.range.lowerBound
      let text = token
      try advance()
      return [try made(.string(text), from: start, 0)]
    }
    if token.isSymbol("{") { return [try table()] }
    guard try take("(") else { return nil }
    if try take(")") { return [] }
    let all = try expressions()
    try expect(")")
    return all
  }

  private mutating func table() throws(Failure) -> LuaExpression {
    let start = token.range.lowerBound
    let fields = try scoped { (parser) throws(Failure) in
      try parser.expect("{")
      var fields: [LuaField] = []
      while !parser.token.isSymbol("}") {
        if parser.isTolerant, parser.endsTable { break }
        let start = parser.token.range
        fields.append(try parser.field())
        if try parser.take(",") { continue }
        if try parser.take(";") { continue }
        // The comma is missing, but the next field begins a new line.
        guard parser.isTolerant, parser.token.range != start, parser.isOnNextLine else { break }
      }
      try parser.expect("}")
      return fields
    }
    return try made(.table(fields), from: start, fields.reduce(0) { max($0, $1.depth) })
  }

  /// Whether the token cannot begin a field, so that the table must have ended.
  private var endsTable: Bool {
    switch token.kind {
    case .end: true
    case .keyword: !["nil", "true", "false", "not", "function"].contains(token.text)
    case .symbol: !["{", "(", "[", "-", "#", "~", "..."].contains(token.text)
    case .name, .number, .string: false
    }
  }

  private mutating func field() throws(Failure) -> LuaField {
    if try take("[") {
      let key = try expression()
      try expect("]")
      try expect("=")
      return LuaField(key: .expression(key), value: try expression())
    }
    let key = token
    let next = key.kind == .name ? try ahead() : key
    if next.isSymbol("=") {
      try advance()
      try advance()
      return LuaField(key: .name(key.text, at: key.range.lowerBound), value: try expression())
    }
    return LuaField(key: .none, value: try expression())
  }
}
