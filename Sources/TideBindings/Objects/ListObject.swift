import TideGraph
package import TideValues

/// An ordered collection of values, as paths and scripts see it; reading it is recorded.
package protocol ListObject: DataObject, ElementSource {
  var trackedCount: Int { get }
  /// The element at an index, from 0; nil beyond the end.
  func trackedElement(at index: Int) -> Value?
}

extension ListObject {
  /// All elements in order.
  package var trackedElements: [Value] {
    if let list = self as? ValueList { return list.values }
    return (0..<trackedCount).compactMap { trackedElement(at: $0) }
  }
}
