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
