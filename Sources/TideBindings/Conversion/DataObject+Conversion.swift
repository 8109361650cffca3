public import TideGraph
package import TideValues

/// An object whose properties have initial values of its own, which its class does not declare.
package protocol KeepsFirstValues: DataObject {
  /// The initial value of a property; nil if the class declares it.
  func firstValue(ofProperty index: Int) -> Value?
}

extension DataObject {
  /// Converts a value as a binding does that writes it to a property. Nil becomes the initial value
  /// of a property that cannot be nil.
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

/// Objects of every data object class can be held by properties, lists and transformers, and be
/// arguments and results of functions that scripts call.
extension DataObject: TideConvertible {
  /// `list` for a list, `object` for any other class.
  public static var valueType: ValueType { self is any ListObject.Type ? .list : .object }
  /// The object itself: scripts see its properties live, not a copy.
  public final func toValue() -> Value { .object(self) }

  /// Returns the object that the value holds.
  ///
  /// - Throws: `ValueMismatch` if it holds no object of this class.
  public static func from(_ value: Value) throws -> Self {
    guard case .object(let object) = value, let found = object as? Self else {
      throw ValueMismatch.expected("\(Self.self)", got: value)
    }
    return found
  }
}

extension DataObject: EntrySource {
  /// Its properties by name, or the entries of a dictionary. The reads are recorded.
  package final func entryValues() throws -> [(key: Value, value: Value)] {
    switch self {
    case let dictionary as DictionaryObject:
      return dictionary.unsortedKeys.map { (key: $0.value, value: dictionary[$0]) }
    case let list as any ListObject:
      // `{}` may be an empty list or an empty table of names.
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
  /// The elements, with nil in place of its marker. The reads are recorded.
  package func sequenceValues() -> [Value] { trackedElements.map { $0.isNil ? .null : $0 } }
}
