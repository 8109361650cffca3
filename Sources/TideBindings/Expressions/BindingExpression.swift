/// A parsed binding: two paths, the arrow between them and the transformers.
///
/// ```swift
/// let expression = try BindingExpression("rpm <> speed | scale(0.01)")
/// expression.left.description           // "rpm"
/// expression.arrow                      // .both
/// expression.transforms[0].arguments    // [.number(0.01)]
/// ```
package struct BindingExpression: Equatable {
  /// The path before the arrow.
  package var left: Path
  /// The direction of the binding.
  package var arrow: Arrow
  /// The path after the arrow.
  package var right: Path
  /// The transformers, in the order written.
  package var transforms: [TransformCall]

  /// Makes an expression of its parts.
  package init(left: Path, arrow: Arrow, right: Path, transforms: [TransformCall] = []) {
    self.left = left
    self.arrow = arrow
    self.right = right
    self.transforms = transforms
  }

  /// Parses a whole text.
  ///
  /// - Throws: an error that names the column, what was found and what was expected, with a caret
  ///   under it. Its code is `syntax`, `missingOperator`, `missingLeft`, `missingRight`,
  ///   `unknownOperator` or `badArgument`.
  package init(_ text: String) throws(TideError) {
    self = try ExpressionScanner.scan(text) { (scanner) throws(SyntaxFault) in
      try scanner.wholeBinding()
    }
  }

  /// Parses a whole text like `init`, but a fault has the byte offset and no picture of the text.
  package static func parse(_ text: String) throws(SyntaxFault) -> BindingExpression {
    try ExpressionScanner.parse(text) { (scanner) throws(SyntaxFault) in
      try scanner.wholeBinding()
    }
  }
}

extension BindingExpression: CustomStringConvertible {
  /// The expression spelled out, with single spaces.
  package var description: String {
    transforms.reduce("\(left) \(arrow.rawValue) \(right)") { "\($0) | \($1)" }
  }
}
