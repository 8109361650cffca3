import CTideLua

/// Decodes the value at a position of a tape.
struct TapeDecoder: Decoder {
  let tape: Tape
  let index: Int
  let path: CodingPath?

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { tape.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try tape.requireTable(index, [String: Any].self, path)
    return KeyedDecodingContainer(TapeFields(tape: tape, table: index, path: path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try TapeElements(tape: tape, table: index, path: path)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { tape.isNil(index) }
  func decode(_ type: Bool.Type) throws -> Bool { try tape.boolean(index) { path } }
  func decode(_ type: String.Type) throws -> String { try tape.string(index) { path } }
  func decode(_ type: Double.Type) throws -> Double { try tape.double(index) { path } }
  func decode(_ type: Float.Type) throws -> Float { try tape.float(index) { path } }
  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    try tape.integer(index, type) { path }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try tape.decode(type, at: index) { path }
  }
}
