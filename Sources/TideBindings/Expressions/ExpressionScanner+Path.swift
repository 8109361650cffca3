extension ExpressionScanner {
  @inline(__always) var startsPath: Bool { byte.startsName || (byte == .at && !isAtEnd) }

  /// Takes a path whose first byte is known to start one.
  mutating func path() throws(SyntaxFault) -> Path {
    let first = try step()
    guard byte == .dot else { return Path(steps: [first]) }
    var steps = [first]
    while take(.dot) {
      guard startsPath else {
        throw SyntaxFault(at: position, "expected a name after \".\", found \(found)")
      }
      if steps.count == TextLimit.steps {
        throw SyntaxFault(
          .badArgument, at: position,
          "a path may have \(TextLimit.steps) steps; bind to what lies on it")
      }
      steps.append(try step())
    }
    return Path(steps: steps)
  }

  private mutating func step() throws(SyntaxFault) -> PathStep {
    if byte == .at { return try operatorStep() }
    let name = name() ?? ""
    skipSpace()
    guard byte == .bracketOpen else { return .property(name) }
    let bracket = position
    _ = take(.bracketOpen)
    let index = try integer(
      .init(lowest: 1, meaning: "an index, counted from 1"), inBracketAt: bracket)
    return .element(property: name, index: index)
  }

  private mutating func operatorStep() throws(SyntaxFault) -> PathStep {
    let start = position
    position += 1
    guard let name = name() else {
      throw SyntaxFault(
        at: position, "expected the name of an operator after \"@\", found \(found)")
    }
    skipSpace()
    if let step = CollectionOperator(rawValue: name) {
      try refuseArgument(of: name)
      return .collection(step)
    }
    guard let argument = ViewOperator.named(name) else { throw unknownOperator(name, at: start) }
    if case .none(let step) = argument {
      try refuseArgument(of: name)
      return .view(step)
    }
    let bracket = position
    guard take(.bracketOpen) else {
      throw SyntaxFault(
        .badArgument, at: position, "@\(name) needs an argument: expected \"[\", found \(found)")
    }
    switch argument {
    case .none(let step):
      return .view(step)
    case .integer(let make):
      let bounds = IntegerBounds(lowest: .min, meaning: "an integer")
      return .view(make(try integer(bounds, inBracketAt: bracket)))
    case .index(let make):
      let bounds = IntegerBounds(lowest: 0, meaning: "an index, counted from 0")
      return .view(make(try integer(bounds, inBracketAt: bracket)))
    case .text(let make):
      return .view(make(try bracketText(for: name, openedAt: bracket)))
    }
  }

  private func refuseArgument(of name: String) throws(SyntaxFault) {
    if byte == .bracketOpen {
      throw SyntaxFault(.badArgument, at: position, "@\(name) takes no argument, found \"[\"")
    }
  }

  private func unknownOperator(_ name: String, at offset: Int) -> SyntaxFault {
    let known = ViewOperator.names + CollectionOperator.allCases.map(\.rawValue)
    let hint =
      ["window", "dataObject"].contains(name)
      ? "; \(name) is written without \"@\""
      : NearestName.hint(for: name, in: known) { "@" + $0 }
    return SyntaxFault(.unknownOperator, at: offset, "there is no operator \"@\(name)\"\(hint)")
  }

  /// Takes the rest of a bracket: free text up to `]`, or text in quotes.
  private mutating func bracketText(
    for name: String, openedAt bracket: Int
  ) throws(SyntaxFault) -> String {
    let start = position
    let argument: String
    if byte.isQuote {
      argument = try quotedText()
    } else {
      while !isAtEnd, byte != .bracketClose { position += 1 }
      var end = position
      while end > start, bytes[end - 1].isSpace { end -= 1 }
      argument = text(start..<end)
    }
    guard take(.bracketClose) else { throw unclosedBracket(at: bracket) }
    if argument.isEmpty {
      throw SyntaxFault(.badArgument, at: start, "@\(name) needs an argument: found \"[]\"")
    }
    return argument
  }

  struct IntegerBounds {
    var lowest: Int
    var meaning: String
  }

  /// Takes the rest of a bracket that holds a whole number.
  private mutating func integer(
    _ bounds: IntegerBounds, inBracketAt bracket: Int
  ) throws(SyntaxFault) -> Int {
    let start = position
    if isAtEnd { throw unclosedBracket(at: bracket) }
    if byte == .minus { position += 1 }
    while byte.isDigit { position += 1 }
    let digits = start..<position
    skipSpace()
    let isClosed = byte == .bracketClose
    if isClosed, let value = Int(text(digits)), value >= bounds.lowest {
      position += 1
      skipSpace()
      return value
    }
    while !isAtEnd, byte != .bracketClose { position += 1 }
    if isAtEnd, digits.count > 0 { throw unclosedBracket(at: bracket) }
    throw SyntaxFault(
      at: start,
      "bad number: expected \(bounds.meaning), found \(quoted(start..<max(position, start)))")
  }

  private func unclosedBracket(at offset: Int) -> SyntaxFault {
    SyntaxFault(
      at: bytes.count,
      "unterminated bracket: expected \"]\" for the \"[\" at column \(column(of: offset)), found the end"
    )
  }
}
