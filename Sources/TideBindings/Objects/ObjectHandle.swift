import TideGraph

/// Names an object without keeping it alive.
///
/// In place of a weak reference, which gives its object a side table and makes every later retain
/// and release of it several times as dear.
package struct ObjectHandle: Equatable {
  private let header: Slot?
  private let generation: UInt32

  package init(_ object: DataObject) {
    header = object.header
    generation = object.header.generation
  }

  /// The object, while it exists.
  package var object: DataObject? {
    guard let header, header.generation == generation else { return nil }
    return header.block as? DataObject
  }
}
