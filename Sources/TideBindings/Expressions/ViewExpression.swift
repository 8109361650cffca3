/// What a view's `bindTo` says of one property: `<> @superview.dataObject.name | trim`.
///
/// As written, the view's property stands to the left of the arrow, and no arrow at all means from
/// the path to the view. Whatever is written, the path counts as the binding's left side, so
/// transformers run forward from the path to the view:
///
/// ```swift
/// let expression = try ViewExpression("-> name")      // from the view to the path
/// expression.binding(to: "text").description          // "name <- text"
/// ```
package struct ViewExpression: Equatable {
  /// Where the value comes from or goes to, seen from the view.
  package var path: Path
  /// The arrow, as it reads with the path on its left and the view's property on its right.
  package var arrow: Arrow
  /// The transformers on the way, in order.
  package var transforms: [TransformCall]

  /// Makes an expression of its parts.
  package init(path: Path, arrow: Arrow = .right, transforms: [TransformCall] = []) {
    self.path = path
    self.arrow = arrow
    self.transforms = transforms
  }

  /// Reads an expression.
  ///
  /// - Throws: `syntax`, `missingLeft`, `missingRight`, `unknownOperator` or `badArgument`, with
  ///   the column and a caret under it.
  package init(_ text: String) throws(TideError) {
    self = try ExpressionScanner.scan(text) { (scanner) throws(SyntaxFault) in
      try scanner.wholeViewExpression()
    }
  }

  /// The binding that this makes for a property of the view.
  package func binding(to property: String) -> BindingExpression {
    BindingExpression(
      left: path, arrow: arrow, right: Path(steps: [.property(property)]), transforms: transforms)
  }

  /// Parses a whole text as `init` does; a mistake tells its byte in place of a picture of the
  /// text.
  package static func parse(_ text: String) throws(SyntaxFault) -> ViewExpression {
    try ExpressionScanner.parse(text) { (scanner) throws(SyntaxFault) in
      try scanner.wholeViewExpression()
    }
  }
}

extension ViewExpression: CustomStringConvertible {
  /// The expression spelled out, with the view's own end left out.
  package var description: String {
    let start = arrow == .right ? "\(path)" : "\(arrow.mirrored.rawValue) \(path)"
    return transforms.reduce(start) { "\($0) | \($1)" }
  }
}
