/// Encodes one value: a table, unless the value encodes itself as a single value.
final class TableEncoder: Encoder {
  let context: EncodingContext
  let path: CodingPath?
  let depth: Int
  private var fields: [(key: EncodedKey, value: EncodedValue)] = []
  private(set) var elements: [EncodedValue] = []
  var single: EncodedValue?

  init(_ context: EncodingContext, _ path: CodingPath?, depth: Int) {
    self.context = context
    self.path = path
    self.depth = depth
  }

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { context.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldsContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { ElementsContainer(encoder: self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { SingleContainer(encoder: self) }

  func reserveFields(_ count: Int) { fields.reserveCapacity(count) }
  func setElements(_ values: [EncodedValue]) { elements = values }

  func set(_ key: EncodedKey, _ value: EncodedValue) {
    if case .nil = value { return }
    fields.append((key, value))
  }

  func setField(_ key: EncodedKey, _ value: some Encodable, _ step: any CodingKey) throws {
    set(key, try context.encode(value, depth: depth) { CodingPath(path, step) })
  }

  func append(_ value: EncodedValue) throws {
    elements.append(try refuseNil(value, elements.count + 1))
  }

  func encode(_ value: some Encodable, asElement number: Int) throws -> EncodedValue {
    try refuseNil(context.encode(value, depth: depth) { elementPath(number) }, number)
  }

  private func refuseNil(_ value: EncodedValue, _ number: Int) throws -> EncodedValue {
    guard case .nil = value else { return value }
    throw context.invalid(Any?.none as Any, "a Lua sequence holds no nil") { elementPath(number) }
  }

  func appendNested(_ value: TableEncoder) { elements.append(.table(value)) }

  func elementPath(_ number: Int) -> CodingPath {
    CodingPath(path, LuaCodingKey(intValue: number))
  }

  /// An encoder for a nested value.
  func nested(_ step: any CodingKey) -> TableEncoder {
    TableEncoder(context, CodingPath(path, step), depth: depth + 1)
  }

  func lay(on tape: inout OutgoingTape) {
    if let single { return single.lay(on: &tape) }
    // Fields whose values were encoded as nil are omitted.
    let present = fields.lazy.filter { !$0.value.isNil }
    let start = tape.begin(fields: present.count, elements: elements.count)
    for (key, value) in present {
      switch key {
      case .text(let text): tape.add(text.utf8)
      case .integer(let integer): tape.add(integer)
      }
      value.lay(on: &tape)
    }
    for element in elements { element.lay(on: &tape) }
    tape.end(start)
  }
}
