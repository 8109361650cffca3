/// A dotted route from an object to one of its values: `person.address.city`.
///
/// ```swift
/// let path = try Path("@superview.dataObject.items[1].name")
/// path.description      // "@superview.dataObject.items[1].name"
/// ```
///
/// Parsing is independent of the objects on the path: `superview`, `window` and `dataObject` are
/// plain property steps, which every view has. The description parses to an equal path; aliases of
/// operators appear under their main name.
public struct Path: Hashable, Sendable {
  /// The steps, in the order in which they are followed.
  package var steps: [PathStep]

  /// Makes a path of its steps.
  package init(steps: [PathStep]) {
    self.steps = steps
  }

  /// Parses a whole text.
  ///
  /// - Throws: `syntax`, `unknownOperator`, `badArgument`, or `missingLeft` for an empty text, with
  ///   the column and a caret under it.
  public init(_ text: String) throws(TideError) {
    self = try ExpressionScanner.scan(text) { (scanner) throws(SyntaxFault) in
      try scanner.wholePath()
    }
  }

  /// Parses a whole text like `init`, but a fault has the byte offset and no picture of the text.
  package static func parse(_ text: String) throws(SyntaxFault) -> Path {
    try ExpressionScanner.parse(text) { (scanner) throws(SyntaxFault) in
      try scanner.wholePath()
    }
  }
}

extension Path: CustomStringConvertible {
  /// The path spelled out, as in `friends[2].name`.
  public var description: String {
    var text = ""
    for step in steps {
      if !text.isEmpty { text += "." }
      text += step.description
    }
    return text
  }
}

/// One part of a path, between two dots.
///
/// ```swift
/// try Path("friends[2].name").steps
/// // [.element(property: "friends", index: 2), .property("name")]
/// ```
package enum PathStep: Hashable, Sendable {
  /// `name`
  case property(String)
  /// `name[2]`: a property and the element of the list it holds, counted from 1.
  case element(property: String, index: Int)
  /// `@superview`: another view, found from the current one.
  case view(ViewOperator)
  /// `@count`, `@sum`: a summary of the current list. The rest of the path is read from each
  /// element.
  case collection(CollectionOperator)
}

extension PathStep: CustomStringConvertible {
  /// The step spelled out, without dots.
  package var description: String {
    switch self {
    case .property(let name): name
    case .element(let property, let index): "\(property)[\(index)]"
    case .view(let step): step.description
    case .collection(let step): "@" + step.rawValue
    }
  }

  /// The name that a property step reads.
  package var propertyName: String? {
    switch self {
    case .property(let name), .element(let name, _): name
    case .view, .collection: nil
    }
  }
}

/// A path step that summarizes a list: `friends.@count`, `items.@sum.price`.
///
/// ```swift
/// try Path("friends.@count").steps.last == .collection(.count)   // true
/// ```
package enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  /// The number of elements.
  case count
  /// The sum of numbers.
  case sum
  /// The mean of numbers.
  case avg
  /// The lowest value.
  case min
  /// The highest value.
  case max
  /// A list of the values of a path from each element.
  case unionOfObjects
  /// Like `unionOfObjects`, without repetitions.
  case distinctUnionOfObjects
  /// The lists that a path leads to from each element, one list after the other.
  case unionOfArrays
  /// Like `unionOfArrays`, without repetitions.
  case distinctUnionOfArrays
}
