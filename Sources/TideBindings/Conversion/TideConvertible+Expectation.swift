import TideGraph

extension TideConvertible {
  /// The error of a value that a property of this type cannot hold.
  static func mismatch(_ value: Value, of property: String, because reason: String) -> TideError {
    let type = (self as? any OptionalContent.Type)?.wrapped ?? self
    let cases = (type as? any CaseIterable.Type)?.rawValues
    let what = cases.map { "one of \($0.joined(separator: ", "))" } ?? "\(type)".withArticle
    let orNil = isNullable ? " or nil" : ""
    var message = "\(property) holds \(what)\(orNil), not \(value.typeAndPreview)"
    // Where the kind is right, or an element is to blame, the type alone does not say it.
    if cases == nil, !reason.contains(" expected, got ") || reason.contains(": ") {
      message += ": \(reason)"
    }
    return TideError(.wrongType, message)
  }
}

private protocol OptionalContent {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalContent {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension CaseIterable {
  /// The raw values of all cases; nil where cases have none.
  fileprivate static var rawValues: [String]? {
    let values = allCases.compactMap { ($0 as? any RawRepresentable)?.shownRawValue }
    return values.isEmpty ? nil : values
  }
}

extension RawRepresentable {
  fileprivate var shownRawValue: String { "\(rawValue)" }
}
