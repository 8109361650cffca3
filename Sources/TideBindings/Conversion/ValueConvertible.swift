public import TideGraph

/// A Swift type that properties, lists and transformers can hold.
public protocol ValueConvertible {
  /// The declared type that its values have.
  static var valueType: ValueType { get }
  /// The value in the engine's terms. A method, so that classes may have a property `value`.
  func makeValue() -> Value
  /// The Swift value, or nil when the engine's value is of another type.
  static func make(from value: Value) -> Self?
}

extension String: ValueConvertible {
  public static var valueType: ValueType { .string }
  public func makeValue() -> Value { .string(self) }
  public static func make(from value: Value) -> String? {
    switch value {
    case .string(let text): text
    case .bytes(let bytes): .repaired(bytes)
    default: nil
    }
  }
}

extension Int: ValueConvertible {
  public static var valueType: ValueType { .integer }
  public func makeValue() -> Value { .integer(self) }
  public static func make(from value: Value) -> Int? {
    switch value {
    case .integer(let integer): integer
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }
}

extension Double: ValueConvertible {
  public static var valueType: ValueType { .number }
  public func makeValue() -> Value { .number(self) }
  public static func make(from value: Value) -> Double? {
    switch value {
    case .number(let number): number
    case .integer(let integer): Double(integer)
    default: nil
    }
  }
}

extension Bool: ValueConvertible {
  public static var valueType: ValueType { .boolean }
  public func makeValue() -> Value { .boolean(self) }
  public static func make(from value: Value) -> Bool? {
    if case .boolean(let flag) = value { flag } else { nil }
  }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  public static var valueType: ValueType { Wrapped.valueType }
  public func makeValue() -> Value { self?.makeValue() ?? .null }
  public static func make(from value: Value) -> Wrapped?? {
    if value.isNil { return .some(.none) }
    return Wrapped.make(from: value).map { .some($0) }
  }
}

extension Value: ValueConvertible {
  public static var valueType: ValueType { .any }
  public func makeValue() -> Value { self }
  public static func make(from value: Value) -> Value? { value }
}
