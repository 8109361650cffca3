public import TideGraph

extension TideConvertible {
  /// The error for a value that a property of this type cannot hold.
  static func mismatch(_ value: Value, of property: String, because reason: String) -> TideError {
    let cases = namedCases
    let what = cases ?? "\(wrappedType)".withArticle
    let orNil = isNullable ? " or nil" : ""
    var message = "\(property) holds \(what)\(orNil), not \(value.typeAndPreview)"
    // If the kind is right, or an element is wrong, the type alone does not explain the error.
    if cases == nil, !reason.contains(" expected, got ") || reason.contains(": ") {
      message += ": \(reason)"
    }
    return TideError(.wrongType, message)
  }

  /// A description of an enumeration's cases, "one of fig, pear"; nil for any other type.
  static var namedCases: String? {
    let cases = (wrappedType as? any CaseIterable.Type)?.rawValues
    return cases.map { "one of \($0.joined(separator: ", "))" }
  }

  private static var wrappedType: Any.Type { (self as? any OptionalContent.Type)?.wrapped ?? self }
}

private protocol OptionalContent {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalContent {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension CaseIterable {
  /// The raw values of all cases; nil if the cases have none.
  fileprivate static var rawValues: [String]? {
    let values = allCases.compactMap { ($0 as? any RawRepresentable)?.shownRawValue }
    return values.isEmpty ? nil : values
  }
}

extension RawRepresentable {
  fileprivate var shownRawValue: String { "\(rawValue)" }
}

extension TideConvertible {
  /// The engine's value, in the form in which a property holds it.
  public func makeValue() -> Value { held }

  /// The Swift value, or nil when the engine's value is of another type.
  ///
  /// More lenient than `from`, for values that pass through the engine: text that is not UTF-8 is
  /// repaired, an integer becomes the nearest float, and the marker for nil in lists becomes nil.
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
