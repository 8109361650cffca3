import CTideLua

/// Decodes a sequence in order.
struct TapeElements: UnkeyedDecodingContainer {
  private let tape: Tape
  private let path: CodingPath?
  private let elementCount: Int
  private var position: Int
  private(set) var currentIndex = 0

  init(tape: Tape, table: Int, path: CodingPath?) throws {
    try tape.requireSequence(table, path)
    self.tape = tape
    self.path = path
    elementCount = tape.elementCount(table)
    position = table + 1
  }

  var codingPath: [any CodingKey] { path.keys }
  var count: Int? { elementCount }
  var isAtEnd: Bool { currentIndex >= elementCount }

  private var elementPath: CodingPath {
    CodingPath(path, LuaCodingKey(intValue: currentIndex + 1))
  }

  private mutating func read<Value>(
    _ type: Value.Type, _ body: (Tape, Int, Tape.Path) throws -> Value
  ) throws -> Value {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: elementPath.keys, debugDescription: "the sequence ends here"))
    }
    let value = try body(tape, position) { elementPath }
    position = tape.next(position)
    currentIndex += 1
    return value
  }

  // A sequence contains no nil.
  mutating func decodeNil() throws -> Bool {
    guard isAtEnd else { return false }
    throw DecodingError.valueNotFound(
      Any?.self,
      DecodingError.Context(
        codingPath: elementPath.keys, debugDescription: "the sequence ends here"))
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try read(type) { try $0.boolean($1, $2) }
  }
  mutating func decode(_ type: String.Type) throws -> String {
    try read(type) { try $0.string($1, $2) }
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    try read(type) { try $0.double($1, $2) }
  }
  mutating func decode(_ type: Float.Type) throws -> Float {
    try read(type) { try $0.float($1, $2) }
  }
  mutating func decode<Number: FixedWidthInteger & Decodable>(
    _ type: Number.Type
  ) throws -> Number {
    try read(type) { try $0.integer($1, type, $2) }
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try read(type) { try $0.decode(type, at: $1, $2) }
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try superDecoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try superDecoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    try read(TapeDecoder.self) { TapeDecoder(tape: $0, index: $1, path: $2()) }
  }
}
