/// Parses a script into a tree, and resolves each name to its local variable.
///
/// ```swift
/// var parser = try LuaParser(bytes)
/// let statements = try parser.script()
/// ```
///
/// It accepts whatever the interpreter accepts, which has checked the text before. A tree deeper
/// than any that the interpreter accepts throws, so trees can be walked recursively.
///
/// A tolerant parser also reads text that is still being typed: it continues as if missing tokens
/// were present, uses an empty name for a missing one, and skips unexpected tokens.
struct LuaParser {
  enum Failure: Error {
    case unexpected(offset: Int)
    case tooDeep(offset: Int)
  }

  /// The greatest depth of a tree. It exceeds the interpreter's own limit of 200 constructs,
  /// because here a call or a dot is a level as well.
  static let depthLimit = 500

  private var lexer: LuaLexer
  let isTolerant: Bool
  private let bytes: [UInt8]
  /// The offset from which on tokens are not read.
  private let end: Int
  private(set) var token: LuaToken
  private var following: LuaToken?
  /// The end of the previous token.
  private(set) var lastEnd = 0
  /// The visible variables by name, the innermost last.
  private var visible: [String: [LuaLocal]] = [:]
  /// The same variables in the order of their declarations.
  private var declared: [LuaLocal] = []
  private var functionDepth = 0
  private var nesting = 0
  /// The number of `break` statements in the current loop, without those of inner loops.
  var breaks = 0
  /// The number of `goto` statements so far.
  var gotos = 0
  /// The depth of the deepest part of the block that is being parsed.
  private var deepest = 0

  /// - Parameters:
  ///   - end: the offset at which to stop as if the text ended; it may be within a token.
  ///   - isTolerant: whether the text may be unfinished.
  init(_ bytes: [UInt8], upTo end: Int = .max, isTolerant: Bool = false) throws(Failure) {
    lexer = LuaLexer(bytes, isTolerant: isTolerant)
    self.isTolerant = isTolerant
    self.bytes = bytes
    self.end = end
    token = LuaToken(kind: .end, text: "", range: 0..<0)
    try advance()
  }

  mutating func script() throws(Failure) -> [LuaStatement] {
    var statements = try block()
    while isTolerant, token.kind != .end {
      // There is one `end` too many.
      try advance()
      statements += try block()
    }
    guard token.kind == .end else { throw unexpected }
    return statements
  }

  // MARK: Tokens

  var unexpected: Failure { .unexpected(offset: token.range.lowerBound) }

  mutating func advance() throws(Failure) {
    lastEnd = token.range.upperBound
    if let following {
      token = following
      self.following = nil
    } else {
      token = try read()
    }
  }

  /// The token after this one.
  mutating func ahead() throws(Failure) -> LuaToken {
    if let following { return following }
    let next = try read()
    following = next
    return next
  }

  private mutating func read() throws(Failure) -> LuaToken {
    let token: LuaToken
    do throws(LuaLexer.Failure) { token = try lexer.next() } catch {
      throw .unexpected(offset: error.offset)
    }
    if token.range.lowerBound < end { return token }
    return LuaToken(kind: .end, text: "", range: token.range.lowerBound..<token.range.lowerBound)
  }

  mutating func take(_ sign: String) throws(Failure) -> Bool {
    guard token.isSymbol(sign) else { return false }
    try advance()
    return true
  }

  mutating func take(word: String) throws(Failure) -> Bool {
    guard token.isKeyword(word) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ sign: String) throws(Failure) {
    guard try take(sign) || isTolerant else { throw unexpected }
  }

  mutating func expect(word: String) throws(Failure) {
    guard try take(word: word) || isTolerant else { throw unexpected }
  }

  mutating func name() throws(Failure) -> LuaToken {
    guard token.kind == .name else {
      guard isTolerant else { throw unexpected }
      return LuaToken(kind: .name, text: "", range: lastEnd..<lastEnd)
    }
    let name = token
    try advance()
    return name
  }

  /// The name after a dot or a colon. In a text that is being typed, a name on the next line begins
  /// a new statement instead.
  mutating func memberName() throws(Failure) -> LuaToken {
    guard isTolerant, token.kind == .name || token.kind == .keyword else { return try name() }
    if isOnNextLine { return LuaToken(kind: .name, text: "", range: lastEnd..<lastEnd) }
    // The beginning of a longer name, such as `string.for`.
    guard token.kind == .keyword, token.range.lowerBound == lastEnd else { return try name() }
    let name = LuaToken(kind: .name, text: token.text, range: token.range)
    try advance()
    return name
  }

  /// Whether the token is on a later line than the previous one.
  var isOnNextLine: Bool {
    bytes[lastEnd..<max(lastEnd, token.range.lowerBound)].contains {
      $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
    }
  }

  // MARK: Scopes

  func local(_ token: LuaToken) -> LuaLocal {
    LuaLocal(token.text, at: token.range.lowerBound, depth: functionDepth)
  }

  mutating func declare(_ locals: [LuaLocal]) {
    declared += locals
    for local in locals { visible[local.name, default: []].append(local) }
  }

  func resolve(_ name: String) -> LuaLocal? { visible[name]?.last }

  /// Runs a rule one level deeper, and closes the scope of the variables that it declares.
  mutating func scoped<Result>(
    _ rule: (inout LuaParser) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let count = declared.count
    nesting += 1
    if nesting > Self.depthLimit { throw .tooDeep(offset: token.range.lowerBound) }
    let result = try rule(&self)
    nesting -= 1
    while declared.count > count, let local = declared.popLast() {
      visible[local.name]?.removeLast()
      local.scopeEnd = token.range.lowerBound
    }
    return result
  }

  /// Runs the rule of a block, and also returns the block's depth, which contributes to the depth
  /// of whatever encloses the block.
  mutating func measured<Result>(
    _ rule: (inout LuaParser) throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, depth: Int) {
    let start = token.range.lowerBound
    let around = deepest
    deepest = 0
    let result = try rule(&self)
    let depth = deepest + 1
    if depth > Self.depthLimit { throw .tooDeep(offset: start) }
    deepest = max(around, depth)
    return (result, depth)
  }

  /// Makes an expression that ends before the current token and is one level deeper than its parts.
  mutating func made(
    _ kind: LuaExpression.Kind, from start: Int, _ depth: Int
  ) throws(Failure) -> LuaExpression {
    if depth >= Self.depthLimit { throw .tooDeep(offset: start) }
    deepest = max(deepest, depth + 1)
    return LuaExpression(kind, start..<max(start, lastEnd), depth: depth + 1)
  }

  /// Parses a function from its parameters to its `end`.
  mutating func functionBody(method: Bool, at start: Int) throws(Failure) -> LuaFunctionBody {
    functionDepth += 1
    let body = try scoped { (parser) throws(Failure) in
      var parameters: [LuaLocal] = []
      if method {
        parameters.append(LuaLocal("self", at: start, depth: parser.functionDepth))
      }
      var takesMore = false
      try parser.expect("(")
      if try !parser.take(")") {
        repeat {
          takesMore = try parser.take("...")
          if takesMore { break }
          parameters.append(parser.local(try parser.name()))
        } while try parser.take(",")
        try parser.expect(")")
      }
      parser.declare(parameters)
      let (block, depth) = try parser.measured { (parser) throws(Failure) in try parser.block() }
      try parser.expect(word: "end")
      return LuaFunctionBody(
        parameters: parameters, takesMore: takesMore, isMethod: method, block: block,
        range: start..<max(start, parser.lastEnd), depth: depth)
    }
    functionDepth -= 1
    return body
  }
}
