extension ExpressionScanner {
  mutating func wholeBinding() throws(SyntaxFault) -> BindingExpression {
    skipSpace()
    let left = try leftPath()
    let arrowStart = position
    guard let arrow = arrow() else {
      throw SyntaxFault(
        .missingOperator, at: position,
        "no operator: expected an arrow such as ->, <- or <> after \"\(left)\", found \(found)")
    }
    let right = try path(after: arrow, at: arrowStart)
    let transforms = try transforms()
    return BindingExpression(left: left, arrow: arrow, right: right, transforms: transforms)
  }

  mutating func wholeViewExpression() throws(SyntaxFault) -> ViewExpression {
    skipSpace()
    let arrowStart = position
    let path: Path
    let written = arrow()
    if let written {
      path = try self.path(after: written, at: arrowStart)
    } else {
      path = try leftPath()
    }
    return ViewExpression(
      path: path, arrow: written?.mirrored ?? .right, transforms: try transforms())
  }

  mutating func wholePath() throws(SyntaxFault) -> Path {
    skipSpace()
    let path = try leftPath()
    guard isAtEnd else {
      throw SyntaxFault(at: position, "expected \".\" or the end of the path, found \(found)")
    }
    return path
  }

  /// Takes an arrow and the space after it; nil, taking nothing, if no arrow is next.
  mutating func arrow() -> Arrow? {
    guard let arrow = arrowAhead else { return nil }
    position += arrow.rawValue.utf8.count
    skipSpace()
    return arrow
  }

  private var arrowAhead: Arrow? {
    let second = byte(ahead: 1)
    switch byte {
    case .minus:
      return second == .greater ? .right : nil
    case .tilde:
      return second == .greater ? .rightForward : nil
    case .bang:
      guard byte(ahead: 2) == .greater else { return nil }
      return second == .minus ? .rightLater : second == .tilde ? .rightForwardLater : nil
    case .less:
      let third = byte(ahead: 2)
      switch second {
      case .greater: return .both
      case .minus: return third == .bang ? .leftLater : .left
      case .tilde: return third == .bang ? .leftForwardLater : .leftForward
      case .bang: return third == .greater ? .bothLater : nil
      default: return nil
      }
    default:
      return nil
    }
  }

  private mutating func leftPath() throws(SyntaxFault) -> Path {
    if startsPath { return try path() }
    if isAtEnd {
      throw SyntaxFault(.missingLeft, at: position, "the expression is empty: expected a path")
    }
    if arrowAhead != nil {
      throw SyntaxFault(
        .missingLeft, at: position, "the left side is missing: expected a path, found \(found)")
    }
    throw SyntaxFault(at: position, "stray character: expected a path, found \(found)")
  }

  private mutating func path(after arrow: Arrow, at start: Int) throws(SyntaxFault) -> Path {
    if startsPath { return try path() }
    if isAtEnd || byte == .bar {
      throw SyntaxFault(
        .missingRight, at: position,
        "the right side is missing: expected a path after \(arrow.rawValue), found \(found)")
    }
    if byte.isArrowPart {
      throw SyntaxFault(
        .missingRight, at: position,
        "expected a path after \"\(arrow.rawValue)\", found \(found); "
          + "the arrows are \(Arrow.allCases.map(\.rawValue).joined(separator: " "))")
    }
    throw SyntaxFault(
      at: position, "stray character: expected a path after \(arrow.rawValue), found \(found)")
  }
}
