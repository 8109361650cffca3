/// Encodes a table's fields.
struct FieldsContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: TableEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  private func path(_ key: any CodingKey) -> CodingPath { CodingPath(encoder.path, key) }

  // A nil field is omitted.
  func encodeNil(forKey key: Key) {}

  func encode(_ value: Bool, forKey key: Key) { encoder.set(EncodedKey(key), .boolean(value)) }
  func encode(_ value: String, forKey key: Key) { encoder.set(EncodedKey(key), .text(value)) }
  func encode(_ value: Double, forKey key: Key) { encoder.set(EncodedKey(key), .number(value)) }
  func encode(_ value: Float, forKey key: Key) {
    encoder.set(EncodedKey(key), .number(Double(value)))
  }
  func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) throws {
    encoder.set(EncodedKey(key), try encoder.context.integer(value) { path(key) })
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    try encoder.setField(EncodedKey(key), value, key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(LuaCodingKey.super) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: some CodingKey) -> TableEncoder {
    let nested = encoder.nested(key)
    encoder.set(EncodedKey(key), .table(nested))
    return nested
  }
}

/// Encodes a sequence.
struct ElementsContainer: UnkeyedEncodingContainer {
  let encoder: TableEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.elements.count }

  func encodeNil() throws { try encoder.append(.nil) }
  func encode(_ value: Bool) throws { try encoder.append(.boolean(value)) }
  func encode(_ value: String) throws { try encoder.append(.text(value)) }
  func encode(_ value: Double) throws { try encoder.append(.number(value)) }
  func encode(_ value: Float) throws { try encoder.append(.number(Double(value))) }
  func encode(_ value: some FixedWidthInteger & Encodable) throws {
    try encoder.append(try encoder.context.integer(value) { encoder.elementPath(count + 1) })
  }

  func encode(_ value: some Encodable) throws {
    try encoder.append(try encoder.encode(value, asElement: count + 1))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }

  private func nested() -> TableEncoder {
    let nested = encoder.nested(LuaCodingKey(intValue: count + 1))
    encoder.appendNested(nested)
    return nested
  }
}

/// Encodes a single value that is not a table.
struct SingleContainer: SingleValueEncodingContainer {
  let encoder: TableEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.single = .nil }
  func encode(_ value: Bool) { encoder.single = .boolean(value) }
  func encode(_ value: String) { encoder.single = .text(value) }
  func encode(_ value: Double) { encoder.single = .number(value) }
  func encode(_ value: Float) { encoder.single = .number(Double(value)) }
  func encode(_ value: some FixedWidthInteger & Encodable) throws {
    encoder.single = try encoder.context.integer(value) { encoder.path }
  }

  func encode(_ value: some Encodable) throws {
    encoder.single = try encoder.context.encode(value, depth: encoder.depth) { encoder.path }
  }
}
