/// A dotted route from an object to one of its values: `person.address.city`.
///
/// ```swift
/// let path = try Path("@superview.dataObject.items[1].name")
/// path.steps.count      // 4
/// path.description      // "@superview.dataObject.items[1].name"
/// ```
///
/// Parsing knows nothing of the objects that the path will meet: `superview`, `window` and
/// `dataObject` are plain property steps, which every view has. The description parses to an equal
/// path; aliases of operators come back under their main name.
public struct Path: Hashable, Sendable {
  /// What is gone along, in order.
  public var steps: [PathStep]

  /// Makes a path of its steps.
  public init(steps: [PathStep]) {
    self.steps = steps
  }

  /// Parses a whole text; throws a syntax error with its column and a caret.
  public init(_ text: String) throws(TideError) {
    self = try ExpressionScanner.scan(text) { (scanner) throws(SyntaxFault) in
      try scanner.wholePath()
    }
  }

  /// Parses a whole text as `init` does; a mistake tells its byte in place of a picture of the text.
  package static func parse(_ text: String) throws(SyntaxFault) -> Path {
    try ExpressionScanner.parse(text) { (scanner) throws(SyntaxFault) in
      try scanner.wholePath()
    }
  }
}

extension Path: CustomStringConvertible {
  public var description: String {
    var text = ""
    for step in steps {
      if !text.isEmpty { text += "." }
      text += step.description
    }
    return text
  }
}
