import TideGraph

/// A handle to an object that does not keep the object alive.
///
/// It replaces a weak reference, which gives its object a side table and makes every later retain
/// and release of it several times as expensive. It may be sent to any thread, in an error for
/// example; only the owner of its graph may ask for the object.
// Unchecked, because other threads only copy the two constants.
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
