import TideLua

/// An expression that ends at the caret. Only forms whose value can be known without running code
/// are represented.
///
/// ```swift
/// let code = CodeBeforeCaret("x = models.fruit.")
/// code.expression(endingAt: 5)     // .member(.member(.name("models"), …
/// ```
indirect enum TypedExpression {
  case name(String)
  /// A string literal.
  case text
  case member(TypedExpression, String)
  /// A literal index: a number or a string.
  case element(TypedExpression, number: Int)
  /// A function call, or a method call if the method is named.
  case call(TypedExpression, method: String?)
  /// Anything else: its value is unknown.
  case other

  /// The names of a plain path: `view.label`; nil for anything else.
  var path: String? {
    switch self {
    case .name(let name): name
    case .member(let base, let name): base.path.map { "\($0).\(name)" }
    default: nil
    }
  }
}

/// The tokens of a text before the caret, parsed backwards from it.
struct CodeBeforeCaret {
  let text: String
  let tokens: [LuaTokens.Token]
  private let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
    tokens = Array(LuaTokens(bytes))
  }

  func word(_ index: Int) -> String {
    guard tokens.indices.contains(index) else { return "" }
    return String(decoding: bytes[tokens[index].range], as: UTF8.self)
  }

  /// The identifier that ends at the caret; empty if there is none.
  var typed: Substring {
    guard let last = tokens.last, last.kind == .name, last.range.upperBound == bytes.count else {
      return text[text.endIndex...]
    }
    return text[text.utf8.index(text.utf8.startIndex, offsetBy: last.range.lowerBound)...]
  }

  /// The index of the last token before the identifier that is being typed.
  var lastBeforeTyped: Int { typed.isEmpty ? tokens.count - 1 : tokens.count - 2 }

  /// Where a token begins in the text.
  func start(of index: Int) -> String.Index {
    text.utf8.index(text.utf8.startIndex, offsetBy: tokens[index].range.lowerBound)
  }

  /// Whether the last token is a number that ends at the caret, so that no name can begin there.
  var isWithinNumber: Bool {
    tokens.last.map { $0.kind == .number && $0.range.upperBound == bytes.count } ?? false
  }

  /// Whether a bracket or string ends at the caret, so that a blank or an operator must follow.
  var isAtEndOfValue: Bool {
    guard let last = tokens.last, last.range.upperBound == bytes.count else { return false }
    return last.kind == .string || [")", "]", "}"].contains(word(tokens.count - 1))
  }

  // MARK: Expressions

  /// The expression whose last token has the given index; nil if none can end there.
  func expression(endingAt index: Int) -> TypedExpression? { parse(endingAt: index)?.expression }

  private typealias Parsed = (expression: TypedExpression, start: Int)

  private func parse(endingAt index: Int, depth: Int = 0) -> Parsed? {
    guard tokens.indices.contains(index), depth < 100 else { return nil }
    switch tokens[index].kind {
    case .name: return name(at: index, depth)
    case .string:
      if let callee = callee(endingAt: index - 1, depth) { return callee }
      return (.text, index)
    case .number, .openString: return nil
    case .symbol:
      switch word(index) {
      case ")":
        guard let open = opening(of: index) else { return nil }
        if let callee = callee(endingAt: open - 1, depth) { return callee }
        guard let inner = parse(endingAt: index - 1, depth: depth + 1), inner.start == open + 1
        else { return (.other, open) }
        return (inner.expression, open)
      case "}":
        guard let open = opening(of: index) else { return nil }
        return callee(endingAt: open - 1, depth) ?? (.other, open)
      case "]":
        guard let open = opening(of: index), let base = parse(endingAt: open - 1, depth: depth + 1)
        else { return nil }
        return (element(of: base.expression, open, index), base.start)
      default: return nil
      }
    }
  }

  private func name(at index: Int, _ depth: Int) -> Parsed? {
    let own = word(index)
    if LuaState.keywords.contains(own) { return nil }
    if isSeparator(index - 1, ".") {
      guard let base = parse(endingAt: index - 2, depth: depth + 1) else { return nil }
      return (.member(base.expression, own), base.start)
    }
    return isSeparator(index - 1, ":") ? nil : (.name(own), index)
  }

  /// Whether a token is a single dot or colon: `..` concatenates, and `::` marks a label.
  func isSeparator(_ index: Int, _ sign: String) -> Bool {
    guard tokens.indices.contains(index), tokens[index].kind == .symbol, word(index) == sign else {
      return false
    }
    func isNext(_ other: Int, _ gap: (LuaTokens.Token) -> Int) -> Bool {
      tokens.indices.contains(other) && tokens[other].kind == .symbol && word(other) == sign
        && gap(tokens[other]) == 0
    }
    let range = tokens[index].range
    return !isNext(index - 1) { range.lowerBound - $0.range.upperBound }
      && !isNext(index + 1) { $0.range.lowerBound - range.upperBound }
  }

  private func element(of base: TypedExpression, _ open: Int, _ close: Int) -> TypedExpression {
    guard close == open + 2 else { return .other }
    switch tokens[open + 1].kind {
    case .number: return Int(word(open + 1)).map { .element(base, number: $0) } ?? .other
    case .string: return literal(open + 1).map { .member(base, $0) } ?? .other
    default: return .other
    }
  }

  /// The contents of a string literal; nil if it has escapes.
  func literal(_ index: Int) -> String? {
    let source = word(index)
    guard let quote = source.first, quote != "[", !source.contains("\\") else { return nil }
    return String(source.dropFirst().dropLast())
  }

  /// The call whose arguments begin after a token.
  private func callee(endingAt index: Int, _ depth: Int) -> Parsed? {
    guard tokens.indices.contains(index) else { return nil }
    if tokens[index].kind == .name, isSeparator(index - 1, ":") {
      guard let base = parse(endingAt: index - 2, depth: depth + 1) else { return nil }
      return (.call(base.expression, method: word(index)), base.start)
    }
    guard let callee = parse(endingAt: index, depth: depth + 1) else { return nil }
    // A string literal cannot be called.
    if case .text = callee.expression, tokens[index].kind == .string { return nil }
    if word(callee.start - 1) == "function" { return nil }
    return (.call(callee.expression, method: nil), callee.start)
  }

  /// The opening bracket that matches a closing one.
  private func opening(of index: Int) -> Int? {
    var depth = 0
    for other in (0...index).reversed() where tokens[other].kind == .symbol {
      switch word(other) {
      case ")", "}", "]": depth += 1
      case "(", "{", "[":
        depth -= 1
        if depth == 0 { return other }
      default: break
      }
    }
    return nil
  }

  /// The text with a dot in place of the colon in `object:method` at its end, which is a value then.
  var withoutMethod: String {
    let last = tokens.count - 2
    guard isSeparator(last, ":") else { return text }
    var changed = bytes
    changed[tokens[last].range.lowerBound] = UInt8(ascii: ".")
    return String(decoding: changed, as: UTF8.self)
  }

  // MARK: Context of the caret

  /// The innermost bracket that is still open before a token.
  func openBracket(before end: Int) -> Int? {
    var depth = 0
    for index in (0..<max(0, min(end, tokens.count))).reversed() where tokens[index].kind == .symbol
    {
      switch word(index) {
      case ")", "}", "]": depth += 1
      case "(", "{", "[":
        if depth == 0 { return index }
        depth -= 1
      default: break
      }
    }
    return nil
  }

  /// An argument of a call: the callee, the argument's index, and the call's first argument.
  struct Argument {
    let callee: TypedExpression
    let method: String?
    let index: Int
    /// The first argument's expression, if the token is in a later one.
    let first: TypedExpression?
  }

  /// The call that has a string or table, given by its first token, as an argument.
  func argument(at index: Int) -> Argument? {
    let before = index - 1
    guard tokens.indices.contains(before) else { return nil }
    if tokens[before].kind == .symbol, word(before) == "(" || word(before) == "," {
      guard let open = openBracket(before: index), word(open) == "(",
        case .call(let callee, let method)? = callee(endingAt: open - 1, 0)?.expression
      else { return nil }
      let commas = topLevelCommas(from: open + 1, to: index)
      return Argument(
        callee: callee, method: method, index: commas.count,
        first: commas.first.flatMap { expression(endingAt: $0 - 1) })
    }
    guard case .call(let callee, let method)? = callee(endingAt: before, 0)?.expression else {
      return nil
    }
    return Argument(callee: callee, method: method, index: 0, first: nil)
  }

  private func topLevelCommas(from start: Int, to end: Int) -> [Int] {
    var depth = 0
    var commas: [Int] = []
    for index in start..<max(start, end) where tokens[index].kind == .symbol {
      switch word(index) {
      case "(", "{", "[": depth += 1
      case ")", "}", "]": depth -= 1
      case "," where depth == 0: commas.append(index)
      default: break
      }
    }
    return commas
  }
}
