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
  func decode(_ type: Int.Type) throws -> Int { try tape.integer(index, type) { path } }
  func decode(_ type: Int8.Type) throws -> Int8 { try tape.integer(index, type) { path } }
  func decode(_ type: Int16.Type) throws -> Int16 { try tape.integer(index, type) { path } }
  func decode(_ type: Int32.Type) throws -> Int32 { try tape.integer(index, type) { path } }
  func decode(_ type: Int64.Type) throws -> Int64 { try tape.integer(index, type) { path } }
  func decode(_ type: UInt.Type) throws -> UInt { try tape.integer(index, type) { path } }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try tape.integer(index, type) { path } }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try tape.integer(index, type) { path } }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try tape.integer(index, type) { path } }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try tape.integer(index, type) { path } }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try tape.decode(type, at: index) { path }
  }
}
