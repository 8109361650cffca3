public import TideGraph

extension TideConvertible {
  /// The value in the engine's terms, as a property holds it.
  public func makeValue() -> Value { held }

  /// The Swift value, or nil when the engine's value is of another type.
  ///
  /// More lenient than `from`, for values that are on their way through the engine: text that is
  /// not UTF-8 is repaired, an integer becomes the nearest number, and the marker that stands for
  /// nil in lists is nil.
  public static func make(from value: Value) -> Self? {
    if let found = try? held(value) { return found }
    let plain: Value
    switch value {
    case .bytes(let bytes) where valueType == .string: plain = .string(.repaired(bytes))
    case .integer(let integer) where valueType == .number: plain = .number(Double(integer))
    case .object where value.isNil: plain = .null
    default: return nil
    }
    return try? held(plain)
  }
}
