/// One part of a path, between two dots.
public enum PathStep: Hashable, Sendable {
  /// `name`
  case property(String)
  /// `name[2]`: a property and the element of the list it holds, counted from 1.
  case element(property: String, index: Int)
  /// `@superview`: another view, found from the one so far.
  case view(ViewOperator)
  /// `@count`, `@sum`: a summary of the list so far, of what the rest of the path reads from each
  /// element.
  case collection(CollectionOperator)
}

extension PathStep: CustomStringConvertible {
  public var description: String {
    switch self {
    case .property(let name): name
    case .element(let property, let index): "\(property)[\(index)]"
    case .view(let step): step.description
    case .collection(let step): "@" + step.rawValue
    }
  }

  /// The name that a property step reads.
  public var propertyName: String? {
    switch self {
    case .property(let name), .element(let name, _): name
    case .view, .collection: nil
    }
  }
}
