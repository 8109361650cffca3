import TideBindings
import TideScript

// Completion, and the signatures of calls.
extension ScriptAnalysis {
  package struct Completions {
    /// The bytes that a candidate replaces.
    package let range: Range<Int>
    package let candidates: [Candidate]

    static let none = Completions(range: 0..<0, candidates: [])
  }

  /// The candidates at a caret.
  package func completions(at caret: Int) -> Completions {
    if isInComment(caret) { return .none }
    let found = mentions(completingAt: caret)
    let touching = found.filter { $0.range.lowerBound <= caret && caret <= $0.range.upperBound }
    if let mention = touching.first(where: { !$0.range.isEmpty }) ?? touching.first {
      return completions(of: mention, at: caret)
    }
    if isInString(caret) { return .none }
    if let sign = bytes[..<min(caret, bytes.count)].last(where: { $0 > 0x20 }),
      [UInt8(ascii: "."), UInt8(ascii: ":")].contains(sign)
    {
      // A name after the dot but on another line belongs to another statement.
      guard let next = found.first(where: { $0.range.lowerBound >= caret }),
        bytes[caret..<next.range.lowerBound].allSatisfy({ $0 <= 0x20 })
      else { return .none }
      return list(next.namespace, replacing: caret..<caret, at: caret)
    }
    return list(.variables, replacing: word(at: caret), at: caret)
  }

  private func completions(of mention: Mention, at caret: Int) -> Completions {
    let range = mention.range
    let isWritten =
      range.upperBound <= bytes.count && bytes[range].elementsEqual(mention.name.utf8)
    // Inside a string the name may include a placeholder that the text does not have.
    let end = isWritten ? range.upperBound : max(range.lowerBound, range.upperBound - 1)
    return list(mention.namespace, replacing: range.lowerBound..<end, at: caret)
  }

  private func list(
    _ namespace: Namespace, replacing range: Range<Int>, at caret: Int
  ) -> Completions {
    let list = CandidateList(app, names)
    var candidates = list.candidates(in: namespace, for: script)
    switch namespace {
    case .variables, .local: candidates = locals(visibleAt: caret, except: range) + candidates
    case .properties(_, isMethod: true) where isInString(caret):
      candidates = candidates.filter { $0.kind == .method }
    // A path cannot read methods, but it may continue with operators.
    case .properties(let owner, _) where isInString(caret):
      candidates = candidates.filter { $0.kind != .method } + list.operators(after: owner)
    default: break
    }
    var seen: Set<String> = []
    return Completions(
      range: range, candidates: candidates.filter { seen.insert($0.name).inserted })
  }

  /// The local variables that are visible at a caret, the innermost first.
  private func locals(visibleAt caret: Int, except range: Range<Int>) -> [Candidate] {
    mentions.reversed().compactMap { mention in
      guard mention.role == .declaration, case .local(let local) = mention.namespace,
        local.start < caret, caret <= local.scopeEnd, mention.range != range
      else { return nil }
      let type = app.inference.inferredType(
        of: LuaExpression(.name(local.name, local), mention.range, depth: 1))
      return Candidate(
        name: local.name, kind: local.function == nil ? .variable : .function,
        detail: local.function.map { describer.signature(of: $0) }
          ?? type.map { describer.text(of: $0) } ?? "")
    }
  }

  // MARK: Signatures

  /// The signatures of the call around a caret, and the index of the argument that is being typed.
  package func signature(at caret: Int) -> (signatures: [SignatureText], argument: Int)? {
    var found: LuaExpression?
    SyntaxWalker(visit: { expression, _ in
      guard expression.range.lowerBound < caret, caret <= self.end(of: expression) else {
        return
      }
      switch expression.kind {
      case .call(let callee, _):
        if self.opensArguments(after: callee.range.upperBound, before: caret) { found = expression }
      case .method(_, let name, let offset, _):
        if self.opensArguments(after: offset + name.utf8.count, before: caret) {
          found = expression
        }
      case .function, .table: found = nil
      default: break
      }
    }).walk(script.statements)
    guard let found else { return nil }
    // After the closing parenthesis the call is complete.
    let isClosed =
      caret == found.range.upperBound
      && bytes[found.range].last == UInt8(ascii: ")")
    if isClosed { return nil }
    let (signatures, arguments) = signatures(of: found)
    if signatures.isEmpty { return nil }
    let passed = arguments.count { argument in
      argument.range.upperBound < caret
        && bytes[argument.range.upperBound..<min(caret, bytes.count)].contains(UInt8(ascii: ","))
    }
    return (signatures, passed)
  }

  /// The end of an expression. An unclosed call includes the blanks after it.
  private func end(of expression: LuaExpression) -> Int {
    let end = expression.range.upperBound
    if bytes[expression.range].last == UInt8(ascii: ")") { return end }
    return end + bytes[end...].prefix { $0 == 0x20 || $0 == 0x09 }.count
  }

  /// Whether a parenthesis follows the name of a function, rather than a single table or string.
  private func opensArguments(after end: Int, before caret: Int) -> Bool {
    guard end < caret, caret <= bytes.count else { return false }
    return bytes[end..<caret].first { $0 > 0x20 } == UInt8(ascii: "(")
  }

  private func signatures(
    of call: LuaExpression
  ) -> (signatures: [SignatureText], arguments: [LuaExpression]) {
    switch call.kind {
    case .call(let callee, let arguments):
      if let path = app.inference.function(callee) ?? app.inference.path(of: callee),
        case let known = describer.signatures(ofFunction: path), !known.isEmpty
      {
        return (known, arguments)
      }
      guard let body = app.inference.functionBody(of: callee) else { return ([], arguments) }
      return ([own(name(of: callee), body, given: 0)], arguments)
    case .method(let base, let name, _, let arguments):
      guard let owner = app.inference.inferredType(of: base) else { return ([], arguments) }
      if let type = owner.className, let method = names.types.methods(of: type)[name] {
        return ([SignatureText(name, method)], arguments)
      }
      guard let body = app.inference.functionBody(named: name, in: owner) else {
        return ([], arguments)
      }
      return ([own(name, body, given: 1)], arguments)
    default: return ([], [])
    }
  }

  private func own(_ name: String, _ body: LuaFunctionBody, given: Int) -> SignatureText {
    let parameters = body.parameters.dropFirst(given).map(\.name) + (body.takesMore ? ["..."] : [])
    return SignatureText(name, parameters)
  }

  private func name(of callee: LuaExpression) -> String {
    switch callee.kind {
    case .name(let name, _), .member(_, let name, _): name
    default: "function"
    }
  }

  // MARK: Carets

  private func word(at caret: Int) -> Range<Int> {
    var start = min(caret, bytes.count)
    while start > 0, bytes[start - 1].continuesLuaName { start -= 1 }
    var end = min(caret, bytes.count)
    while end < bytes.count, bytes[end].continuesLuaName { end += 1 }
    return start..<end
  }

  package func isInString(_ caret: Int) -> Bool { tokens.part(at: caret) == .string }

  private func isInComment(_ caret: Int) -> Bool { tokens.part(at: caret) == .comment }
}
