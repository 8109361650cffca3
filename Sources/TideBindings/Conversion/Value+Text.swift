import TideGraph
package import TideValues

/// An object with a text that represents it where a text is required.
package protocol DescribedObject: AnyObject {
  /// The object's `description` property, or else the result of `tostring`.
  var describedText: String { get }
}

/// A text with styles. Properties that take styled text store it unchanged; all others store its
/// plain text.
package protocol StyledText: DescribedObject {}

extension Value {
  var isStyledText: Bool {
    if case .object(let object) = self { object is any StyledText } else { false }
  }
}

extension Value {
  /// The text of automatic conversion; nil for nil.
  ///
  /// A number yields the shortest text that reads back as an equal number: `33`, `0.1`, `1e100`,
  /// and `50` for 50.0.
  package var text: String? {
    switch self {
    case .null: nil
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let integer): String(integer)
    case .number(let number): Self.text(of: number)
    case .string(let text): text
    case .bytes(let bytes): .repaired(bytes)
    // The marker that represents nil in lists and JSON is shown like nil.
    case .object(let object): isNil ? nil : Self.text(of: object)
    }
  }

  package static func text(of number: Double) -> String {
    if number == 0 { return "0" }
    if number.isNaN { return "nan" }
    let text = number.description
    if text.hasSuffix(".0") { return String(text.dropLast(2)) }
    guard let exponent = text.utf8.firstIndex(of: UInt8(ascii: "e")) else { return text }
    // "1e+100" and "1e-05" are not the shortest.
    guard let power = Int(text[exponent...].dropFirst()) else { return text }
    return "\(text[..<exponent])e\(power)"
  }

  static func text(of object: AnyObject) -> String {
    if let described = object as? any DescribedObject { return described.describedText }
    if let described = object as? any CustomStringConvertible { return described.description }
    return String(describing: type(of: object))
  }

  /// The value as a message shows it: `"abc" (string)`, `12.5 (number)`, `nil`.
  package var shown: String {
    switch self {
    case .null: "nil"
    case .string(let text): "\"\(Self.excerpt(text))\" (string)"
    case .bytes(let bytes): "\"\(Self.excerpt(.repaired(bytes, atMost: 200)))\" (string)"
    case .object(let object): "\(Self.excerpt(Self.text(of: object))) (object)"
    default: "\(text ?? "nil") (\(typeName))"
    }
  }

  /// At most 40 characters, without line breaks.
  private static func excerpt(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(41).map { $0.value < 0x20 ? " " : $0 }
    let excerpt = String(String.UnicodeScalarView(start.prefix(40)))
    return start.count > 40 ? excerpt + "…" : excerpt
  }
}

extension Value {
  /// The value in a script's notation, or only the name of an object.
  package var literal: String {
    switch self {
    case .string(let text): TransformCall.excerpt(text)
    case .bytes(let bytes): TransformCall.excerpt(bytes)
    case .object(let list as ValueList): list.describedText
    case .object(let object as DataObject): "\(object.label) {…}"
    case .object(let object): Self.text(of: object)
    default: text ?? "nil"
    }
  }
}
