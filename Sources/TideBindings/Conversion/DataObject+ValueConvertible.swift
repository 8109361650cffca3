public import TideGraph

/// Every class of data objects can be held by properties, lists and transformers.
extension DataObject: ValueConvertible {
  public static var valueType: ValueType { .object }
  public final func makeValue() -> Value { .object(self) }

  public static func make(from value: Value) -> Self? {
    if case .object(let object) = value { object as? Self } else { nil }
  }
}
