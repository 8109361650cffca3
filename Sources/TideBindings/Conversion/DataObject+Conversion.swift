public import TideGraph
package import TideValues

/// An object whose properties have first values of their own, which its class does not declare.
package protocol KeepsFirstValues: DataObject {
  /// Nil where the class says it.
  func firstValue(ofProperty index: Int) -> Value?
}

extension DataObject {
  /// A value in the form in which a binding writes it to a property. Nil becomes what the property
  /// held at first, where it may not be nil.
  func converted(
    _ value: Value, to property: PropertyDescription, at index: Int
  ) throws(TideError) -> Value {
    if property.takesStyledText, value.isStyledText { return value }
    guard case .null = value, !property.isNullable, property.type != .any else {
      return try value.converted(to: property.type, isNullable: property.isNullable)
    }
    let first = (self as? any KeepsFirstValues)?.firstValue(ofProperty: index)
    return try value.converted(
      to: property.type, isNullable: false, default: first ?? property.initial.value)
  }
}

/// Every class of data objects can be held by properties, lists and transformers, and be an
/// argument or a result of what scripts call.
extension DataObject: TideConvertible {
  /// `list` for a list, `object` for any other class.
  public static var valueType: ValueType { self is any ListObject.Type ? .list : .object }
  /// The object itself: scripts see its properties live, not a copy.
  public final func toValue() -> Value { .object(self) }

  /// Gives the object that the value holds.
  ///
  /// - Throws: `ValueMismatch` when it holds none of this class.
  public static func from(_ value: Value) throws -> Self {
    guard case .object(let object) = value, let found = object as? Self else {
      throw ValueMismatch.expected("\(Self.self)", got: value)
    }
    return found
  }
}

extension DataObject: EntrySource {
  /// Its properties by name; of a dictionary its entries. Reading is recorded.
  package final func entryValues() throws -> [(key: Value, value: Value)] {
    switch self {
    case let dictionary as DictionaryObject:
      return dictionary.unsortedKeys.map { (key: $0.value, value: dictionary[$0]) }
    case let list as any ListObject:
      // `{}` is an empty list, as far as anybody can tell.
      guard list.trackedCount == 0 else {
        throw ValueMismatch.unsuitable("a table of names expected, got a list")
      }
      return []
    default:
      return try shape.properties.map { (key: .string($0.name), value: try value(of: $0.name)) }
    }
  }
}

extension ListObject {
  /// The elements, with nil for what stands for it in lists. Reading is recorded.
  package func sequenceValues() -> [Value] { trackedElements.map { $0.isNil ? .null : $0 } }
}
