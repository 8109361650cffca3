/// JSON as it stands in a file, before it means anything.
///
/// Of a key that is there twice the last one counts.
enum JSONTree {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([DictionaryKey: JSONTree])

  /// Bytes that a value takes, as they were measured, and an entry of an object beside its value.
  static let weight = MemoryLayout<JSONTree>.stride + 32
  static let entryWeight = 2 * MemoryLayout<DictionaryKey>.stride + 16

  /// Bytes that all of it takes.
  var size: Int {
    switch self {
    case .null, .boolean, .integer, .number: Self.weight
    case .string(let text): Self.weight + text.utf8.count
    case .array(let elements): elements.reduce(Self.weight) { $0 + $1.size }
    case .object(let entries):
      entries.reduce(Self.weight) { $0 + Self.entryWeight + $1.key.byteCount + $1.value.size }
    }
  }

  /// What it is, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
