public import TideGraph
public import TideValues

/// One property of one object, as an end of a binding.
///
/// ```swift
/// try context.bind(person, \.name, to: label, \.text)
/// context.bind(person.$name, to: label.$text)          // the same, checked by the compiler alone
/// ```
///
/// A reference to a property of an object that has joined no graph yet keeps the object alive; it
/// joins when the property is bound or observed.
@frozen
public struct PropertyReference<Content: TideConvertible> {
  /// Where the property lies, or lay while its object belonged to nobody.
  @usableFromInline let known: Slot
  /// The object, where it belonged to nobody.
  @usableFromInline let object: Block?
  @usableFromInline let distance: Int

  @usableFromInline package init(slot: Slot) {
    known = slot
    object = nil
    distance = 0
  }

  @usableFromInline init(unjoined slot: Slot) {
    known = slot
    object = slot.unjoinedObject
    distance = Int(slot.generation)
  }

  /// Where the property lies, in a graph: an object that belongs to nobody joins that of whoever
  /// runs here.
  @usableFromInline package var slot: Slot { object.map { $0.header + distance } ?? known }

  /// The same, without joining.
  package var unjoinedSlot: Slot { Block.slot(distance, in: object, or: known) }

  /// The same, after its object has joined a graph, if it had not joined another one.
  @inline(__always)
  func slot(joining graph: Unmanaged<Graph>) -> Slot {
    Block.slot(distance, in: object, or: known, joining: graph)
  }
}
