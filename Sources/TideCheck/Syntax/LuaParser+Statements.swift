extension LuaParser {
  mutating func block() throws(Failure) -> [LuaStatement] {
    try measured { (parser) throws(Failure) in
      try parser.scoped { (parser) throws(Failure) in try parser.statements() }
    }.result
  }

  private var endsBlock: Bool {
    token.kind == .end
      || token.kind == .keyword && ["end", "else", "elseif", "until"].contains(token.text)
  }

  /// The statements up to the end of their block, in the current scope.
  private mutating func statements() throws(Failure) -> [LuaStatement] {
    var statements: [LuaStatement] = []
    while !endsBlock {
      if try take(word: "return") {
        var values: [LuaExpression] = []
        if !endsBlock && !token.isSymbol(";") { values = try expressions() }
        _ = try take(";")
        statements.append(.results(values))
        if endsBlock { break }
        guard isTolerant else { throw unexpected }
        continue
      }
      let start = (token.range, token.kind)
      if let statement = try statement() { statements.append(statement) }
      // Skips a token that cannot begin a statement.
      if isTolerant, token.range == start.0, token.kind == start.1, !endsBlock { try advance() }
    }
    return statements
  }

  /// Parses a statement; nil for one that the tree does not need, such as `break`.
  private mutating func statement() throws(Failure) -> LuaStatement? {
    if try take(";") { return nil }
    if try take(word: "break") {
      breaks += 1
      return nil
    }
    if try take(word: "goto") {
      gotos += 1
      _ = try name()
      return nil
    }
    if try take("::") {
      _ = try name()
      try expect("::")
      return nil
    }
    if try take(word: "do") {
      let inner = try block()
      try expect(word: "end")
      return .block(inner)
    }
    if try take(word: "if") { return try branches() }
    if try take(word: "while") {
      let condition = try expression()
      try expect(word: "do")
      let (body, isLeft) = try loopBody { (parser) throws(Failure) in try parser.block() }
      try expect(word: "end")
      condition.isOfLeftLoop = isLeft
      return .whileLoop(condition, body)
    }
    if try take(word: "repeat") {
      return try measured { (parser) throws(Failure) in
        try parser.scoped { (parser) throws(Failure) in
          // The condition sees the body's variables.
          let (body, isLeft) = try parser.loopBody { (parser) throws(Failure) in
            try parser.statements()
          }
          try parser.expect(word: "until")
          let condition = try parser.expression()
          condition.isOfLeftLoop = isLeft
          return .repeatLoop(body, condition)
        }
      }.result
    }
    if try take(word: "for") { return try loop() }
    if try take(word: "function") { return try namedFunction() }
    if try take(word: "local") { return try declaration() }
    return try assignmentOrCall()
  }

  private mutating func branches() throws(Failure) -> LuaStatement {
    var branches: [(LuaExpression, [LuaStatement])] = []
    repeat {
      let condition = try expression()
      try expect(word: "then")
      branches.append((condition, try block()))
    } while try take(word: "elseif")
    let otherwise = try take(word: "else") ? try block() : []
    try expect(word: "end")
    return .branches(branches, otherwise: otherwise)
  }

  private mutating func loop() throws(Failure) -> LuaStatement {
    var names = [try name()]
    while try take(",") { names.append(try name()) }
    let isCounting = try take("=")
    if !isCounting { try expect(word: "in") }
    let values = try expressions()
    try expect(word: "do")
    return try scoped { (parser) throws(Failure) in
      let locals = names.map { parser.local($0) }
      for local in locals { local.isCounter = isCounting }
      if isCounting, case .constant("0")? = values.first?.kind { locals[0].startsAtZero = true }
      for (index, local) in locals.enumerated() where values.count == 1 {
        local.iterated = values[0]
        local.loopIndex = index
      }
      parser.declare(locals)
      let (body, _) = try parser.loopBody { (parser) throws(Failure) in try parser.block() }
      try parser.expect(word: "end")
      return .forLoop(locals, values, body)
    }
  }

  /// Parses the body of a loop, and tells whether a `break` or a `goto` in it may leave the loop.
  private mutating func loopBody(
    _ parse: (inout LuaParser) throws(Failure) -> [LuaStatement]
  ) throws(Failure) -> ([LuaStatement], isLeft: Bool) {
    let (outer, former) = (breaks, gotos)
    breaks = 0
    let body = try parse(&self)
    let isLeft = breaks > 0 || gotos > former
    breaks = outer
    return (body, isLeft)
  }

  private mutating func namedFunction() throws(Failure) -> LuaStatement {
    let start = token.range.lowerBound
    var target = variable(try name())
    var isMethod = false
    var owner: LuaLocal?
    while !isMethod, token.isSymbol(".") || token.isSymbol(":") {
      isMethod = token.isSymbol(":")
      if case .name(_, let local?) = target.kind { owner = local }
      try advance()
      let part = try memberName()
      target = try made(
        .member(target, part.text, at: part.range.lowerBound), from: start, target.depth)
    }
    let body = try functionBody(method: isMethod, at: start)
    owner?.isExtended = true
    switch target.kind {
    case .name(let name, _), .member(_, let name, _): body.name = name
    default: break
    }
    if case .name(_, let local?) = target.kind {
      if local.isEmpty { local.function = body } else { local.isReassigned = true }
      local.isEmpty = false
    }
    return .function(target, body)
  }

  private mutating func declaration() throws(Failure) -> LuaStatement {
    if try take(word: "function") {
      let local = local(try name())
      declare([local])
      let body = try functionBody(method: false, at: local.start)
      local.function = body
      body.name = local.name
      return .localFunction(local, body)
    }
    var locals: [LuaLocal] = []
    repeat {
      locals.append(local(try name()))
      if try take("<") {
        locals.last?.isClosed = try name().text == "close"
        try expect(">")
      }
    } while try take(",")
    let values = try take("=") ? try expressions() : []
    for (local, value) in zip(locals, values) { local.value = value }
    if let last = values.last, values.count < locals.count {
      for local in locals[values.count...] { local.sharedCall = last }
    }
    for (index, local) in locals.enumerated() {
      local.isEmpty = values.isEmpty
      if values.isEmpty {
        local.beginsAsNil = true
      } else if index < values.count, case .constant("nil") = values[index].kind {
        local.beginsAsNil = true
      }
    }
    declare(locals)
    return .local(locals, values)
  }

  private mutating func assignmentOrCall() throws(Failure) -> LuaStatement {
    let first = try suffixed(reading: false)
    switch first.kind {
    case .call, .method: return .call(first)
    default: break
    }
    var targets = [first]
    while try take(",") { targets.append(try suffixed(reading: false)) }
    // An unfinished statement, such as `fruit.na`.
    if isTolerant, !token.isSymbol("=") { return .local([], targets) }
    try expect("=")
    for target in targets {
      switch target.kind {
      case .name, .member, .index: break
      default:
        guard isTolerant else { throw unexpected }
        return .local([], targets + (try expressions()))
      }
    }
    let values = try expressions()
    for (index, target) in targets.enumerated() {
      guard case .name(_, let local?) = target.kind else { continue }
      if local.isEmpty, index < values.count {
        local.value = values[index]
      } else {
        local.isReassigned = true
      }
      local.isEmpty = false
    }
    return .assignment(targets, values)
  }
}
