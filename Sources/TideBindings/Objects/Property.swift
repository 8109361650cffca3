import CTideSlots
public import TideGraph

/// A property of a `DataObject` subclass that bindings and scripts can follow.
///
/// ```swift
/// final class Person: DataObject {
///   @Property var name = "Jimmy"
///   @Property(validate: { $0 >= 0 ? .accept : .refuse("age must not be negative") })
///   var age = 12
/// }
/// ```
///
/// It costs what a stored property costs, plus one test for dependents. A write that a validator
/// refuses leaves the value unchanged; the error is listed with the graph's errors.
@propertyWrapper @frozen
public struct Property<Content: TideConvertible> {
  /// The wrapper is only this pointer, so that objects stay small.
  @usableFromInline package let slot: Slot

  /// Declares a property with its initial value.
  public nonisolated init(wrappedValue: Content) {
    // Until the object has its block, the value lives in a slot of its own.
    slot = Nursery.makeSource()
    slot.pointee.type = Content.slotType
    Content.store(wrappedValue, in: slot)
    if Content.isRestricted { slot.pointee.access |= Access.validated }
  }

  /// Declares a property with a validator for new values.
  public nonisolated init(wrappedValue: Content, validate: @escaping (Content) -> Verdict<Content>)
  {
    self.init(wrappedValue: wrappedValue)
    Nursery.attach(Validator(validate), to: slot)
    slot.pointee.access |= Access.validated
  }

  /// The value. Reads are recorded, and a write settles everything that depends on it.
  @inlinable
  public nonisolated var wrappedValue: Content {
    @inline(__always) get { Content.load(Graph.trackedSlot(of: slot)) }
    @inline(__always) nonmutating set {
      #if DEBUG
        Graph.checkAccess(to: slot)
      #endif
      if _slowPath(Graph.needsSlowWrite(slot)) {
        writeWithConsent(newValue)
      } else if _slowPath(Graph.isObserved(slot)) {
        if !Graph.admitsWrite(to: slot) {
          refuseWrite()
        } else if Content.store(newValue, in: slot) {
          slot.settleChange()
        }
      } else {
        Content.store(newValue, in: slot)
      }
    }
  }

  /// The property itself, as an end of a binding: `person.$name`.
  @inlinable
  public nonisolated var projectedValue: PropertyReference<Content> {
    slot.isUnjoined ? PropertyReference(unjoined: slot) : PropertyReference(slot: slot)
  }

  /// Lists the error of a write by a caller that is not the graph's owner.
  @usableFromInline @inline(never)
  func refuseWrite() {
    let owner = Graph.of(slot)
    let error = TideError.otherGraph("a property of an object that belongs to", owner)
    BindingTable.known(of: owner)?.reportRefusedWrite(error)
    BindingTable.current.list(error)
  }

  @usableFromInline @inline(never)
  func writeWithConsent(_ content: Content) {
    guard Graph.admitsWrite(to: slot) else { return refuseWrite() }
    if !Graph.needsConsent(slot) {
      // Usually the write only has to be recorded in the history.
      if Graph.noting(slot, { Content.store(content, in: slot) }) { slot.noteChange() }
      return
    }
    do {
      try Validator<Content>.write(content, to: slot)
    } catch {
      BindingTable.listing(error, at: slot)
    }
  }
}

/// The verdict of a validator on a value.
///
/// ```swift
/// let check: (Int) -> Verdict<Int> = { age in
///   age < 0 ? .refuse("age must not be negative") : age > 150 ? .replace(150) : .accept
/// }
/// ```
public enum Verdict<Content> {
  /// The value is written as it is.
  case accept
  /// Another value is written instead.
  case replace(Content)
  /// Nothing is written; the text tells why.
  case refuse(String)
}

extension Property: DeclaredProperty {
  package var declaredSlot: Slot { slot }
  package var preparation: (@Sendable (DataObject, Slot) -> Void)? { nil }

  package func describe(named name: String) -> PropertyDescription {
    let type = ValueType(rawValue: Content.slotType & UInt8(TIDE_TYPE_MASK)) ?? .any
    var description = PropertyDescription(name, type, isNullable: false)
    description.isNullable = Content.slotType & UInt8(TIDE_NULLABLE) != 0
    description.expectation = Content.namedCases
    if slot.isValidated {
      description.validate = { object, value in
        guard let slot = object.ownSlot(named: name) else { return value }
        do {
          return try Validator<Content>.judge(value, for: slot)
        } catch {
          guard let reason = ValueMismatch.reason(error) else { throw error }
          throw Content.mismatch(value, of: "\(object.label).\(name)", because: reason)
        }
      }
    }
    return description
  }
}
