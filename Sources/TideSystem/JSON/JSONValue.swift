/// A JSON value in memory.
///
/// ```swift
/// let value = try JSONValue(parsing: Array(#"{"position":{"line":3}}"#.utf8))
/// value["position"]["line"].int     // 3
/// value["nothing"]["like"].string   // nil
/// JSONValue(["ok": true]).text      // {"ok":true}
/// ```
///
/// Fields keep their order, so output is deterministic. Looking up a field is linear; messages have
/// few fields.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  /// Includes integers beyond 64 bits.
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([JSONField])

  package init(_ fields: KeyValuePairs<String, JSONValue>) {
    self = .object(fields.map { JSONField(name: $0.key, value: $0.value) })
  }
}

/// A field of a JSON object.
package struct JSONField: Equatable, Sendable {
  package var name: String
  package var value: JSONValue

  package init(name: String, value: JSONValue) {
    self.name = name
    self.value = value
  }
}

extension JSONValue {
  /// The last field with a name; null if there is none.
  ///
  /// Setting a field converts a value that is not an object to an object.
  package subscript(name: String) -> JSONValue {
    get {
      guard case .object(let fields) = self else { return .null }
      return fields.last { $0.name == name }?.value ?? .null
    }
    set {
      var fields = fields ?? []
      if let index = fields.lastIndex(where: { $0.name == name }) {
        fields[index].value = newValue
      } else {
        fields.append(JSONField(name: name, value: newValue))
      }
      self = .object(fields)
    }
  }

  /// An element of an array; null if the index is out of range.
  package subscript(index: Int) -> JSONValue {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return .null }
    return elements[index]
  }

  package var isNull: Bool { self == .null }

  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// An integer, also if it is written as `3.0`.
  package var int: Int? {
    switch self {
    case .int(let value): value
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }

  package var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  package var fields: [JSONField]? { if case .object(let value) = self { value } else { nil } }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .int(value) }
  package init(floatLiteral value: Double) { self = .double(value) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  package init(dictionaryLiteral fields: (String, JSONValue)...) {
    self = .object(fields.map { JSONField(name: $0.0, value: $0.1) })
  }
}

// MARK: Reading

extension JSONValue {
  /// Parses a text that consists of one value.
  ///
  /// - Parameters:
  ///   - levels: the maximum nesting depth of arrays and objects, at most 1000.
  ///   - count: the maximum number of values. Each takes more memory than the two bytes that it may
  ///     need in the text.
  package init(
    parsing bytes: [UInt8], levels: Int = 200, count: Int = 4_000_000
  ) throws(JSONFault) {
    let result = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(JSONFault) in
        var reader = JSONValueReader(bytes, levels: levels, count: count)
        return try reader.read()
      }
    }
    self = try result.get()
  }
}

/// Builds a value from tokens, without recursion.
private struct JSONValueReader {
  private var scanner: JSONScanner
  private var rest: Int
  /// The unfinished arrays and objects, outermost first.
  private var open: [Level] = []
  private var whole = JSONValue.null

  private struct Level {
    var elements: [JSONValue] = []
    var fields: [JSONField] = []
    /// The name of the field whose value is read next.
    var name = ""
    let isObject: Bool
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>, levels: Int, count: Int) {
    scanner = JSONScanner(bytes, levels: levels)
    rest = count
  }

  mutating func read() throws(JSONFault) -> JSONValue {
    while true {
      switch try scanner.next() {
      case .null: try add(.null)
      case .boolean(let value): try add(.bool(value))
      case .integer(let value): try add(.int(value))
      case .number(let value): try add(.double(value))
      case .string: try add(.string(scanner.text))
      case .key: open[open.count - 1].name = scanner.text
      case .beginArray: open.append(Level(isObject: false))
      case .beginObject: open.append(Level(isObject: true))
      case .endArray, .endObject:
        let level = open.removeLast()
        try add(level.isObject ? .object(level.fields) : .array(level.elements))
      case .end: return whole
      case .pause: break
      }
    }
  }

  private mutating func add(_ value: JSONValue) throws(JSONFault) {
    rest -= 1
    if rest < 0 {
      throw JSONFault(message: "there are too many values", offset: 0, line: 1, column: 1)
    }
    guard let last = open.indices.last else {
      whole = value
      return
    }
    if open[last].isObject {
      open[last].fields.append(JSONField(name: open[last].name, value: value))
    } else {
      open[last].elements.append(value)
    }
  }
}

// MARK: Writing

extension JSONValue {
  /// The value without blanks. Infinite numbers and NaN are written as null.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Recursive, so not for values with more than a thousand levels.
  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += "\(value)"
    case .double(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let value): text += value.quotedForJSON
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let fields):
      text += "{"
      for (index, field) in fields.enumerated() {
        if index > 0 { text += "," }
        text += field.name.quotedForJSON
        text += ":"
        field.value.write(to: &text)
      }
      text += "}"
    }
  }
}
