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
