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
