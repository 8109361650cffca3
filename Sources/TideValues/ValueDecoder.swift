/// Decodes `Decodable` types from the engine's values: objects and tables are keyed containers,
/// lists and sequences unkeyed ones.
struct ValueDecoder: Decoder {
  let value: Value
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The maximum nesting depth: enough for data, and well within the stack.
  private static let deepest = 100

  static func decode<Content: Decodable>(_ value: Value) throws -> Content {
    if case .object(let object) = value {
      if let box = object as? ValueBox<Content> { return box.content }
      if let source = object as? any ValueDecodable { return try source.decoded(as: Content.self) }
    }
    return try ValueDecoder(value: value, codingPath: []).content()
  }

  /// Decodes a value of a type that may implement its own conversion.
  func content<Content: Decodable>() throws -> Content {
    guard codingPath.count < Self.deepest else { throw corrupted("nests too deep") }
    if let type = Content.self as? any TideConvertible.Type, !isDerived(type) {
      do {
        if let content = try type.from(value) as? Content { return content }
      } catch let error as ValueMismatch { throw corrupted(error.description) }
    }
    return try Content(from: self)
  }

  /// Whether a type converts by decoding, which would recurse into this function. Types with
  /// another conversion are scalars.
  private func isDerived(_ type: any TideConvertible.Type) -> Bool { type.valueType == .any }

  func corrupted(_ why: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: why))
  }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "\(expected) expected, got \(value.kindName)"))
  }

  func nested(_ value: Value, _ key: any CodingKey) -> ValueDecoder {
    ValueDecoder(value: value, codingPath: codingPath + [key])
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let entries: [(key: Value, value: Value)]
    switch value {
    case .object(let source as any EntrySource): entries = try source.entryValues()
    case .object(let box as AnyValueBox):
      guard case .entries(let found) = try box.form() else { throw mismatch(type, "table") }
      entries = found
    default: throw mismatch(type, "table")
    }
    var fields: [String: Value] = [:]
    for (key, value) in entries {
      switch key {
      case .string(let name): fields[name] = value
      case .integer(let index): fields["\(index)"] = value
      default: break
      }
    }
    return KeyedDecodingContainer(ValueFields<Key>(decoder: self, fields: fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch value {
    case .object(let source as any ElementSource):
      return ValueElements(decoder: self, elements: try source.sequenceValues())
    case .object(let box as AnyValueBox):
      guard case .sequence(let found) = try box.form() else { break }
      return ValueElements(decoder: self, elements: found)
    default: break
    }
    throw mismatch([Any].self, "table")
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { if case .null = value { true } else { false } }

  func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    try content()
  }
}

/// The fields of an object that is being decoded.
private struct ValueFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder
  let fields: [String: Value]

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }

  private func field(_ key: any CodingKey) throws -> ValueDecoder {
    guard let value = fields[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: codingPath, debugDescription: "no value"))
    }
    return decoder.nested(value, key)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try field(key).decodeNil() }

  func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
    try field(key).content()
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try field(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try field(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try field(ElementKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try field(key) }
}

/// The elements of a list that is being decoded.
private struct ValueElements: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  let elements: [Value]
  private(set) var currentIndex = 0

  init(decoder: ValueDecoder, elements: [Value]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private func element() throws -> ValueDecoder {
    // Indexes in scripts and messages start at 1.
    let key = ElementKey(intValue: currentIndex + 1)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self,
        DecodingError.Context(codingPath: codingPath + [key], debugDescription: "no value"))
    }
    return decoder.nested(elements[currentIndex], key)
  }

  mutating func decodeNil() throws -> Bool {
    guard try element().decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    let content: Content = try element().content()
    currentIndex += 1
    return content
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try element().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try element().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try element()
    currentIndex += 1
    return decoder
  }
}

/// A step of a coding path.
package struct ElementKey: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  package init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}

extension DecodingError {
  /// The error in the notation of scripts: "at[2].x: number expected, got string".
  package var valueDescription: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      text(context.codingPath, context.debugDescription)
    case .keyNotFound(let key, let context):
      text(context.codingPath + [key], context.debugDescription)
    @unknown default: "\(self)"
    }
  }

  private func text(_ path: [any CodingKey], _ what: String) -> String {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return text.isEmpty ? what : "\(text): \(what)"
  }
}
