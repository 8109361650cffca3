import CTideSlots
public import TideGraph

/// A property derived from others of its object. It is evaluated when it is read, and cached until
/// something that it has read changes.
///
/// ```swift
/// final class Person: DataObject {
///   @Property var name = "Jimmy"
///   @Property var age = 12
///   @Computed({ (p: Person) in "\(p.name), \(p.age)" }) var title: String
/// }
/// ```
///
/// Until its object has joined a graph nothing is cached: each read evaluates it.
@propertyWrapper @frozen
public struct Computed<Owner: DataObject, Content: TideConvertible> {
  @usableFromInline package let slot: Slot

  /// Declares a property that a function of the object derives.
  public nonisolated init(_ body: @escaping (Owner) -> Content) {
    slot = Nursery.makeComputed(DerivedProperty(body))
    slot.pointee.type = Content.slotType
  }

  /// The value, which is cached unless something that it has read has changed.
  public nonisolated var wrappedValue: Content {
    #if DEBUG
      Graph.checkAccess(to: slot)
    #endif
    let slot = Graph.joinedSlot(of: slot)
    if slot.isUnjoined {
      do { try Nursery.evaluate(slot) } catch {
        if !Nursery.passOn(error) { BindingTable.listing(error, at: slot) }
      }
      return Content.load(slot)
    }
    let graph = Graph.of(slot)
    do {
      try graph.refreshTracking(slot)
    } catch {
      graph.passOn(error, of: slot)
    }
    return Content.load(slot)
  }

  /// The property itself, as an end of a binding: `person.$title`.
  public nonisolated var projectedValue: PropertyReference<Content> {
    slot.isUnjoined ? PropertyReference(unjoined: slot) : PropertyReference(slot: slot)
  }
}

extension Computed: DeclaredProperty {
  package var declaredSlot: Slot { slot }

  package var preparation: (@Sendable (DataObject, Slot) -> Void)? {
    { object, slot in
      let body = slot.attachedBody as? DerivedProperty<Owner, Content>
      body?.owner = object as? Owner
    }
  }

  package func describe(named name: String) -> PropertyDescription {
    let type = ValueType(rawValue: Content.slotType & UInt8(TIDE_TYPE_MASK)) ?? .any
    return PropertyDescription(name, type, isNullable: true, isReadOnly: true)
  }
}

/// Calls a function with the property's object.
final class DerivedProperty<Owner: DataObject, Content: TideConvertible>: ComputedBody {
  private let body: (Owner) -> Content
  unowned(unsafe) var owner: Owner?

  init(_ body: @escaping (Owner) -> Content) { self.body = body }

  override func evaluate(_ slot: Slot) throws -> Bool {
    guard let owner else { return false }
    let value = body(owner)
    return slot.hasReadFailure ? false : Content.store(value, in: slot)
  }
}
