import TideGraph
package import TideValues

extension Value {
  /// Converts the value for a property with `enum`: to one of the names, given by name or by index
  /// from 1.
  ///
  /// ```swift
  /// try Value.integer(2).converted(toOneOf: ["low", "high"])   // "high"
  /// ```
  package func converted(toOneOf names: [String]) throws(TideError) -> Value {
    switch self {
    case .null: return self
    case .string(let text):
      if let name = Self.name(text, in: names) { return .string(name) }
      if case .integer(let index)? = Numeral.parse(text), index >= 1, index <= names.count {
        return .string(names[index - 1])
      }
    case .integer, .number:
      if case .integer(let index) = try convertedToInteger(), index >= 1, index <= names.count {
        return .string(names[index - 1])
      }
    case .boolean, .bytes, .object: break
    }
    throw enumerationError(names)
  }

  /// Converts the value to a set of flags: names joined by `|`, in the declared order, each once.
  ///
  /// ```swift
  /// try Value.string("wide|bold").converted(toFlagsOf: ["bold", "wide"])   // "bold | wide"
  /// ```
  package func converted(toFlagsOf names: [String]) throws(TideError) -> Value {
    guard case .string(let text) = self else {
      return self == .null ? self : try converted(toOneOf: names)
    }
    if text.trimmed.isEmpty { return "" }
    var chosen: Set<String> = []
    for part in text.split(separator: "|", omittingEmptySubsequences: false) {
      guard case .string(let name) = try Value.string(String(part)).converted(toOneOf: names) else {
        continue
      }
      chosen.insert(name)
    }
    return .string(names.filter(chosen.contains).joined(separator: " | "))
  }

  private static func name(_ text: String, in names: [String]) -> String? {
    if names.contains(text) { return text }
    let trimmed = text.trimmed
    return names.contains(trimmed) ? trimmed : nil
  }

  private func enumerationError(_ names: [String]) -> TideError {
    let hint = text.map { NearestName.hint(for: $0.trimmed, in: names) } ?? ""
    return conversionError(
      to: "one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))\(hint)")
  }
}
