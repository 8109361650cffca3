import TideGraph
package import TideValues

/// An object whose properties have first values of their own, which its class does not declare.
package protocol KeepsFirstValues: DataObject {
  /// Nil where the class says it.
  func firstValue(ofProperty index: Int) -> Value?
}

extension DataObject {
  /// A value in the form in which a binding writes it to a property. Nil becomes what the property held at
  /// first, where it may not be nil.
  func converted(
    _ value: Value, to property: PropertyDescription, at index: Int
  ) throws(TideError) -> Value {
    guard case .null = value, !property.isNullable, property.type != .any else {
      return try value.converted(to: property.type, isNullable: property.isNullable)
    }
    let first = (self as? any KeepsFirstValues)?.firstValue(ofProperty: index)
    return try value.converted(
      to: property.type, isNullable: false, default: first ?? property.initial.value)
  }
}
