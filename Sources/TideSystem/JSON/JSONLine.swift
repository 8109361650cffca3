/// A JSON object on one line, written field by field.
///
/// ```swift
/// var object = JSONLine()
/// object.add("file", "app.lua")
/// object.add("line", 3)
/// object.text        // {"file":"app.lua","line":3}
/// ```
package struct JSONLine {
  private var fields: [String] = []

  package init() {}

  package var text: String { "{" + fields.joined(separator: ",") + "}" }

  package mutating func add(_ name: String, _ value: String) { addRaw(name, value.quotedForJSON) }
  package mutating func add(_ name: String, _ value: Int) { addRaw(name, "\(value)") }

  package mutating func add(_ name: String, _ value: Double) {
    addRaw(name, value.isFinite ? "\(value)" : "null")
  }

  package mutating func add(_ name: String, _ value: Bool) { addRaw(name, "\(value)") }
  package mutating func add(_ name: String, _ value: JSONLine) { addRaw(name, value.text) }

  package mutating func add(_ name: String, _ values: [String]) {
    addRaw(name, "[" + values.map(\.quotedForJSON).joined(separator: ",") + "]")
  }

  package mutating func add(_ name: String, _ values: [JSONLine]) {
    addRaw(name, "[" + values.map(\.text).joined(separator: ",") + "]")
  }

  /// Adds a value that is JSON already.
  package mutating func add(_ name: String, raw value: String) { addRaw(name, value) }

  private mutating func addRaw(_ name: String, _ value: String) {
    fields.append(name.quotedForJSON + ":" + value)
  }
}

extension String {
  /// The string as a JSON literal. Terminal control characters are escaped as `\\u001b`, because
  /// JSON is also shown in terminals.
  package var quotedForJSON: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case 0..<0x20, 0x22, 0x5C, 0x7F: false
      // Lead bytes of scalars that control terminals, among others.
      case 0xC2, 0xD8, 0xE2: false
      default: true
      }
    }
    if isPlain { return "\"\(self)\"" }
    let escaped = escaping { scalar in
      if let escape = scalar.escapeInQuotes { return escape }
      guard scalar.steersTerminals else { return nil }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"\(escaped)\""
  }
}
