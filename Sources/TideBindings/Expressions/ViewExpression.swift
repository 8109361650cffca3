/// The expression for one property in a view's `bindTo`: `<> @superview.dataObject.name | trim`.
///
/// In this notation the view's property is to the left of the arrow; without an arrow, the value
/// goes from the path to the view. In either case the path becomes the binding's left side, so
/// transformers apply forward from the path to the view:
///
/// ```swift
/// let expression = try ViewExpression("-> name")      // from the view to the path
/// expression.binding(to: "text").description          // "name <- text"
/// ```
package struct ViewExpression: Equatable {
  /// The path at the other end, starting at the view.
  package var path: Path
  /// The arrow, with the path on its left and the view's property on its right.
  package var arrow: Arrow
  /// The transformers, in order.
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

  /// The binding that this expression makes for a property of the view.
  package func binding(to property: String) -> BindingExpression {
    BindingExpression(
      left: path, arrow: arrow, right: Path(steps: [.property(property)]), transforms: transforms)
  }

  /// Parses a whole text like `init`, but a fault has the byte offset and no picture of the text.
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
