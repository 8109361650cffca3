import CTideLua
import TideValues

// The standard library codes dictionaries through coding keys, which cannot distinguish the string
// "12" from the integer 12, and looks up every key. Lua keys have types, so dictionaries are coded
// here. Arrays are too, because the standard library makes several slow calls per element.

/// A decodable dictionary with string keys.
protocol TextKeyedDecodable: SendableMetatype {
  static func decode(from tape: Tape, at table: Int, _ path: CodingPath?) throws -> Self
}

/// A decodable dictionary with integer keys.
protocol IntegerKeyedDecodable: SendableMetatype {
  static func decode(from tape: Tape, at table: Int, _ path: CodingPath?) throws -> Self
}

/// An encodable dictionary with string keys.
protocol TextKeyedEncodable {
  func encode(to encoder: TableEncoder) throws
}

extension Dictionary: TextKeyedDecodable where Key == String, Value: Decodable {
  static func decode(from tape: Tape, at table: Int, _ path: CodingPath?) throws -> Self {
    var dictionary = Self(minimumCapacity: tape.fieldCount(table))
    if tape.elementCount(table) > 0 { throw tape.wrongKey(at: nil, Self.self, "string", path) }
    try tape.forEachField(of: table) { key, value in
      guard tape.tag(key) == TIDE_LUA_TEXT else {
        throw tape.wrongKey(at: key, Self.self, "string", path)
      }
      let name = try tape.string(key) { path }
      dictionary[name] = try tape.decode(Value.self, at: value) {
        CodingPath(path, LuaCodingKey(stringValue: name))
      }
    }
    return dictionary
  }
}

extension Dictionary: IntegerKeyedDecodable where Key == Int, Value: Decodable {
  static func decode(from tape: Tape, at table: Int, _ path: CodingPath?) throws -> Self {
    let elements = tape.elementCount(table)
    var dictionary = Self(minimumCapacity: tape.fieldCount(table) + elements)
    var position = table + 1
    func read(_ key: Int, at value: Int) throws {
      dictionary[key] = try tape.decode(Value.self, at: value) {
        CodingPath(path, LuaCodingKey(intValue: key))
      }
      position = tape.next(value)
    }
    for _ in 0..<tape.fieldCount(table) {
      guard tape.tag(position) == TIDE_LUA_INTEGER else {
        throw tape.wrongKey(at: position, Self.self, "integer", path)
      }
      try read(Int(tape.cell(position).pointee.integer), at: position + 1)
    }
    for number in 0..<elements { try read(number + 1, at: position) }
    return dictionary
  }
}

extension Dictionary: TextKeyedEncodable where Key == String, Value: Encodable {
  func encode(to encoder: TableEncoder) throws {
    encoder.reserveFields(count)
    for (key, value) in self {
      try encoder.setField(.text(key), value, LuaCodingKey(stringValue: key))
    }
  }
}

/// An array with decodable elements.
protocol DecodableArray: SendableMetatype {
  static func decode(from tape: Tape, at table: Int, _ path: CodingPath?) throws -> Self
}

/// An array with encodable elements.
protocol EncodableArray {
  func encode(to encoder: TableEncoder) throws
}

extension Array: DecodableArray where Element: Decodable {
  static func decode(from tape: Tape, at table: Int, _ path: CodingPath?) throws -> Self {
    try tape.requireSequence(table, path)
    let count = tape.elementCount(table)
    var array = Self()
    array.reserveCapacity(count)
    var position = table + 1
    for number in 0..<count {
      array.append(
        try tape.decode(Element.self, at: position) {
          CodingPath(path, LuaCodingKey(intValue: number + 1))
        })
      position = tape.next(position)
    }
    return array
  }
}

extension Array: EncodableArray where Element: Encodable {
  func encode(to encoder: TableEncoder) throws {
    var values: [EncodedValue] = []
    values.reserveCapacity(count)
    for element in self {
      values.append(
        try encoder.encode(element, asElement: values.count + 1))
    }
    encoder.setElements(values)
  }
}

/// Recognizes such collections. Results are cached by type, because a cast to a protocol is slow.
enum CollectionKinds {
  enum Kind: Sendable {
    case other
    case array(any DecodableArray.Type)
    case textKeyed(any TextKeyedDecodable.Type)
    case integerKeyed(any IntegerKeyedDecodable.Type)
  }

  private static let decodable = Guarded<[ObjectIdentifier: Kind]>([:])
  private static let encodable = Guarded<[ObjectIdentifier: Bool]>([:])

  static func kind(of type: Any.Type) -> Kind {
    decodable.withLock { kinds in
      if let known = kinds[ObjectIdentifier(type)] { return known }
      let kind: Kind =
        if let type = type as? any DecodableArray.Type {
          .array(type)
        } else if let type = type as? any TextKeyedDecodable.Type {
          .textKeyed(type)
        } else if let type = type as? any IntegerKeyedDecodable.Type {
          .integerKeyed(type)
        } else {
          .other
        }
      kinds[ObjectIdentifier(type)] = kind
      return kind
    }
  }

  /// Whether the type is encoded here.
  static func isEncodedHere(_ type: Any.Type) -> Bool {
    encodable.withLock { known in
      if let isIt = known[ObjectIdentifier(type)] { return isIt }
      let isIt = type is any TextKeyedEncodable.Type || type is any EncodableArray.Type
      known[ObjectIdentifier(type)] = isIt
      return isIt
    }
  }
}

extension Tape {
  /// The error for a key that the dictionary cannot have; a nil key stands for the keys of a
  /// sequence.
  fileprivate func wrongKey(
    at key: Int?, _ type: Any.Type, _ expected: String, _ path: CodingPath?
  ) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: path.keys,
        debugDescription: "\(expected) keys expected, got \(key.map { written(keyAt: $0) } ?? "1")")
    )
  }
}
