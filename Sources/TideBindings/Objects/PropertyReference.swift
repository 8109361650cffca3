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
  /// The slot of the property, or its slot before its object joined a graph.
  @usableFromInline let known: Slot
  /// The object, if it had not joined a graph.
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

  /// The property's slot in a graph. An object without a graph joins the current one.
  @usableFromInline package var slot: Slot { object.map { $0.header + distance } ?? known }

  /// The property's slot, without joining a graph.
  package var unjoinedSlot: Slot { Block.slot(distance, in: object, or: known) }

  /// The property's slot after its object has joined a graph, unless it had joined another one.
  @inline(__always)
  func slot(joining graph: Unmanaged<Graph>) -> Slot {
    Block.slot(distance, in: object, or: known, joining: graph)
  }
}
