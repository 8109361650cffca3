import TideGraph
package import TideValues

extension Value {
  /// The value, converted as a binding does that writes it to a property of another type.
  ///
  /// ```swift
  /// try Value.string("250").converted(to: .integer)   // 250
  /// try Value.number(50).converted(to: .string)       // "50"
  /// try Value.string("abc").converted(to: .number)    // throws: cannot convert "abc" (string) …
  /// ```
  ///
  /// Nil, and the marker that represents it in lists, become nil if the property may be nil, else
  /// the property's default. A value of the right type is returned unchanged; an integer remains an
  /// integer as a `number`.
  package func converted(
    to type: ValueType, isNullable: Bool = true, default fallback: Value = .null
  ) throws(TideError) -> Value {
    switch (type, self) {
    case (.any, _): return self
    case (_, _) where isNil: return isNullable ? .null : fallback == .null ? type.empty : fallback
    case (.string, .string), (.number, .number), (.number, .integer), (.integer, .integer),
      (.boolean, .boolean), (.object, .object), (.string, .bytes):
      return self
    case (.string, _):
      return .string(text ?? "")
    case (.number, _):
      return try convertedToNumber()
    case (.integer, _):
      return try convertedToInteger()
    case (.boolean, _):
      return .boolean(try convertedToBoolean())
    case (.list, .object(let object)) where object is any ListObject: return self
    case (.dictionary, .object(let object)) where !(object is any ListObject): return self
    case (.object, _), (.list, _), (.dictionary, _):
      throw conversionError(to: type)
    }
  }

  /// Converts to `number`: to an integer or a float, depending on the value or its text.
  package func convertedToNumber() throws(TideError) -> Value {
    switch self {
    case .integer, .number: return self
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .string(let text):
      if let number = Numeral.parse(text) { return number }
      throw conversionError(to: .number)
    case .null, .bytes, .object:
      throw conversionError(to: .number)
    }
  }

  package func convertedToInteger() throws(TideError) -> Value {
    if case .integer = self { return self }
    let number: Value
    do throws(TideError) {
      number = try convertedToNumber()
    } catch {
      throw conversionError(to: .integer)
    }
    guard case .number(let float) = number else { return number }
    if let integer = Int(exactly: float) { return .integer(integer) }
    guard float.isFinite else { throw conversionError(to: .integer, because: "it is not finite") }
    let isWhole = float == float.rounded()
    var error = conversionError(
      to: .integer, because: isWhole ? "it is too large" : "it has a fraction")
    if isWhole { error.cause = NumberFault.tooLarge }
    throw error
  }

  /// The nearest integer, if the number differs from it by no more than the rounding errors of
  /// float arithmetic; any other value unchanged.
  ///
  /// `0.29 / 0.01` is 28.999999999999996, but 29 is meant.
  var withoutRounding: Value {
    guard case .number(let float) = self else { return self }
    let nearest = float.rounded()
    let tolerance = min(float.magnitude * Self.roundingTolerance, Self.greatestTolerance)
    guard (float - nearest).magnitude <= tolerance,
      let integer = Int(exactly: nearest)
    else { return self }
    return .integer(integer)
  }

  /// The maximum rounding error relative to the size of a number.
  private static let roundingTolerance = 1e-12
  /// The maximum rounding error of any number. Without it, every large number would count as an
  /// integer.
  private static let greatestTolerance = 1e-3

  /// Accepts words in any case. Of numbers only 0 is false. Nil and objects cannot be converted.
  package func convertedToBoolean() throws(TideError) -> Bool {
    switch self {
    case .boolean(let flag): return flag
    case .integer(let integer): return integer != 0
    case .number(let number): return number != 0
    case .string(let text):
      if let flag = Self.booleanWord(text) { return flag }
      throw conversionError(to: .boolean, because: "expected true, yes, on, 1, false, no, off or 0")
    case .null, .bytes, .object:
      throw conversionError(to: .boolean)
    }
  }

  private static func booleanWord(_ text: String) -> Bool? {
    guard text.utf8.count <= 16 else { return nil }
    switch text.trimmed.lowercased() {
    case "true", "yes", "on", "1": return true
    case "false", "no", "off", "0": return false
    default: return nil
    }
  }

  package func conversionError(to type: ValueType, because reason: String? = nil) -> TideError {
    conversionError(to: type.name, because: reason)
  }

  func conversionError(to target: String, because reason: String? = nil) -> TideError {
    let detail = reason.map { ": \($0)" } ?? ""
    return TideError(.conversion, "cannot convert \(shown) to \(target)\(detail)")
  }
}
