import TideBindings

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

  private mutating func addRaw(_ name: String, _ value: String) {
    fields.append(name.quotedForJSON + ":" + value)
  }
}
