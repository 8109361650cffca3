/// A JSON value in memory.
///
/// ```swift
/// let value = try JSONValue(parsing: Array(#"{"position":{"line":3}}"#.utf8))
/// value["position"]["line"].int     // 3
/// value["nothing"]["like"].string   // nil
/// JSONValue(["ok": true]).text      // {"ok":true}
/// ```
///
/// Fields keep their order, so that what is written twice reads the same. Looking a field up goes
/// through all of them; messages have few.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  /// Also a whole number beyond 64 bits.
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
  /// A field of an object, the last of that name; null where there is none.
  ///
  /// Setting one makes an object of what is none.
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

  /// An element of an array; null beyond its ends.
  package subscript(index: Int) -> JSONValue {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return .null }
    return elements[index]
  }

  package var isNull: Bool { self == .null }

  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// A whole number, however it was written: `3.0` is one.
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
  /// Reads a text that is one value.
  ///
  /// - Parameters:
  ///   - levels: how deep arrays and objects may nest, at most 1000.
  ///   - count: how many values there may be in all; each takes more memory than the two bytes that
  ///     a text needs for it.
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
  /// The arrays and objects that are not finished, outermost first.
  private var open: [Level] = []
  private var whole = JSONValue.null

  private struct Level {
    var elements: [JSONValue] = []
    var fields: [JSONField] = []
    /// That of the field whose value comes next.
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
  /// The value without blanks. Numbers that JSON does not have are null.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Recursive, so not for values that are deeper than a thousand levels.
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
