import TideSystem
import TideBindings
import TideGraph
package import TideLua

/// Turns any value into readable text. The properties of objects and entries of tables are on lines
/// of their own; cycles are marked, and very long or deep values are shortened.
package struct ValueDump {
  private let runtime: Runtime
  /// The objects and tables that contain the current value.
  private var path: Set<ObjectIdentifier> = []
  private var tables: [LuaTable] = []
  /// The remaining number of values. A few tables that contain each other could otherwise fill any
  /// memory.
  private var left: Int
  private let deepest: Int
  private let longestList: Int
  /// Whether long texts are shown completely.
  private let isWhole: Bool

  /// - Parameter isWhole: whether nothing is shortened unless memory requires it, so that equal
  ///   values have equal dumps.
  package init(in runtime: Runtime, isWhole: Bool = false) {
    self.runtime = runtime
    self.isWhole = isWhole
    left = isWhole ? 1_000_000 : 10_000
    deepest = isWhole ? 100 : 20
    longestList = isWhole ? .max : 100
  }

  /// Control characters are escaped for display; a whole dump is for comparison and keeps them.
  package mutating func text(of value: LuaValue) throws -> String {
    let dump = try text(of: value, indent: "")
    return isWhole ? dump : dump.escapingControlsInLines
  }

  private mutating func text(of value: LuaValue, indent: String) throws -> String {
    left -= 1
    switch value {
    case .string(let text):
      return isWhole ? TransformCall.quoted(text) : TransformCall.excerpt(text)
    case .object(let object):
      guard let object = object.dataObject else { return "an object that is gone" }
      guard path.insert(ObjectIdentifier(object)).inserted else { return "\(object.label) (cycle)" }
      guard path.count + tables.count <= deepest else {
        path.remove(ObjectIdentifier(object))
        return "\(object.label) {…}"
      }
      defer { path.remove(ObjectIdentifier(object)) }
      return try text(of: object, indent: indent)
    case .table(let table):
      if tables.contains(table) { return "{ (cycle) }" }
      guard path.count + tables.count < deepest else { return "{…}" }
      tables.append(table)
      defer { tables.removeLast() }
      let fields = try table.entries().sorted { Self.precedes($0.key, $1.key) }
        .map { (Self.name($0.key), $0.value) }
      return try text(of: fields, indent: indent)
    // The shortest text that reads back as the same number.
    case .number(let number): return number.description
    default: return try runtime.lua.describe(value)
    }
  }

  private static func name(_ key: LuaValue) -> String { key.string ?? "[\(key.preview)]" }

  /// Numbers come first, in ascending order, as in a list.
  private static func precedes(_ key: LuaValue, _ other: LuaValue) -> Bool {
    switch (key.number, other.number) {
    case (let number?, let next?): number < next
    case (nil, nil): name(key) < name(other)
    case (let number, _): number != nil
    }
  }

  private mutating func text(of object: DataObject, indent: String) throws -> String {
    if let list = object as? ValueList {
      var lines: [String] = []
      for element in list.values.prefix(longestList) {
        guard left > 0 else { break }
        let value = try runtime.luaValue(element)
        lines.append("\n\(indent)  \(try text(of: value, indent: indent + "  ")),")
      }
      if lines.count < list.count { lines.append("\n\(indent)  … (\(list.count) in all)") }
      return "list {" + lines.joined() + (lines.isEmpty ? "}" : "\n\(indent)}")
    }
    if let dictionary = object as? DictionaryObject {
      let fields = try dictionary.keys.map {
        (isWhole ? $0.text : $0.excerpt, try runtime.luaValue(dictionary[$0]))
      }
      return "dict " + (try text(of: fields, indent: indent))
    }
    // A computed property that fails shows as nil.
    let fields = try object.shape.properties.map(\.name).sorted().map {
      ($0, try runtime.luaValue(object[$0]))
    }
    return "\(object.label) " + (try text(of: fields, indent: indent))
  }

  private mutating func text(of fields: [(String, LuaValue)], indent: String) throws -> String {
    if fields.isEmpty { return "{}" }
    var lines: [String] = []
    for (name, value) in fields {
      guard left > 0 else {
        lines.append("\n\(indent)  …")
        break
      }
      lines.append("\n\(indent)  \(name) = \(try text(of: value, indent: indent + "  ")),")
    }
    return "{\(lines.joined())\n\(indent)}"
  }
}
