import TideGraph

/// Names an object without keeping it alive.
///
/// In place of a weak reference, which gives its object a side table and makes every later retain
/// and release of it several times as dear. It can go anywhere, in an error for example; only its
/// graph's owner may ask for the object.
package struct ObjectHandle: Equatable, @unchecked Sendable {
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
