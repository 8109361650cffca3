import CTideLua
import TideValues

/// Decodes a table by its keys.
///
/// A key with an integer value is looked up as an integer first and then as a string.
struct TapeFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let tape: Tape
  private let table: Int
  private let path: CodingPath?
  private let index: FieldIndex?

  init(tape: Tape, table: Int, path: CodingPath?) {
    self.tape = tape
    self.table = table
    self.path = path
    index = tape.fieldCount(table) > 12 ? FieldIndex(of: tape, table) : nil
  }

  var codingPath: [any CodingKey] { path.keys }

  var allKeys: [Key] {
    var keys: [Key] = []
    tape.forEachField(of: table) { key, _ in
      switch tape.tag(key) {
      case TIDE_LUA_TEXT:
        if let key = Key(stringValue: .repaired(UnsafeRawBufferPointer(tape.text(key)))) {
          keys.append(key)
        }
      case TIDE_LUA_INTEGER:
        if let key = Key(intValue: Int(tape.cell(key).pointee.integer)) { keys.append(key) }
      default: break
      }
    }
    let elements = tape.elementCount(table)
    if elements > 0 { keys += (1...elements).compactMap { Key(intValue: $0) } }
    return keys
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  private func find(_ key: any CodingKey) -> Int? {
    if let integer = key.intValue, let found = find(integer) { return found }
    var text = key.stringValue
    return text.withUTF8 { text in
      let text = UnsafeRawBufferPointer(text)
      return index.map { $0.find(text) } ?? tape.field(of: table, text)
    }
  }

  private func find(_ integer: Int) -> Int? {
    if integer >= 1 && integer <= tape.elementCount(table) {
      return tape.element(of: table, integer)
    }
    return index.map { $0.find(integer) } ?? tape.field(of: table, integer)
  }

  private func require(_ key: any CodingKey) throws -> Int {
    if let found = find(key) { return found }
    throw DecodingError.keyNotFound(
      key, DecodingError.Context(codingPath: codingPath, debugDescription: "the field is missing"))
  }

  private func read<Value>(
    _ key: Key, _ body: (Int, Tape.Path) throws -> Value
  ) throws -> Value {
    try body(require(key)) { CodingPath(path, key) }
  }

  // A nil field does not exist.
  func decodeNil(forKey key: Key) throws -> Bool { find(key) == nil }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try read(key) { try tape.boolean($0, $1) }
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try read(key) { try tape.string($0, $1) }
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try read(key) { try tape.double($0, $1) }
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try read(key) { try tape.float($0, $1) }
  }
  func decode<Number: FixedWidthInteger & Decodable>(
    _ type: Number.Type, forKey key: Key
  ) throws -> Number {
    try read(key) { try tape.integer($0, type, $1) }
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try read(key) { try tape.decode(type, at: $0, $1) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(LuaCodingKey.super) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: any CodingKey) throws -> TapeDecoder {
    TapeDecoder(tape: tape, index: try require(key), path: CodingPath(path, key))
  }
}
