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
  @usableFromInline let object: DataObject?
  @usableFromInline let distance: Int

  @usableFromInline package init(slot: Slot) {
    known = slot
    object = nil
    distance = 0
  }

  @usableFromInline init(nobodys slot: Slot) {
    let header = slot.blockHeader
    known = slot
    object = header?.block as? DataObject
    distance = header.map { slot - $0 } ?? 0
  }

  /// Where the property lies, in a graph: an object that belongs to nobody joins that of whoever runs
  /// here.
  @usableFromInline package var slot: Slot { object.map { $0.header + distance } ?? known }

  /// The same, without joining.
  package var place: Slot { object.map { $0.firstSlot + distance } ?? known }

  /// The object, where it may have joined nothing yet.
  package var lateObject: DataObject? { object }
}
