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
