import TideSystem

/// JSON as a value.
indirect enum JSON: Equatable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(_ text: String) throws {
    let bytes = Array(text.utf8)
    self = try bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes, levels: 900)
      return try Self.read(&scanner, Self.next(&scanner))
    }
  }

  private static func next(_ scanner: inout JSONScanner) throws -> JSONScanner.Token {
    while true {
      let token = try scanner.next()
      if token != .pause { return token }
    }
  }

  private static func read(
    _ scanner: inout JSONScanner, _ token: JSONScanner.Token
  ) throws -> JSON {
    switch token {
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .number(Double(number))
    case .number(let number): return .number(number)
    case .string: return .string(scanner.text)
    case .beginArray:
      var items: [JSON] = []
      while true {
        let token = try next(&scanner)
        if token == .endArray { return .array(items) }
        items.append(try read(&scanner, token))
      }
    case .beginObject:
      var members: [String: JSON] = [:]
      while try next(&scanner) == .key {
        let name = scanner.text
        members[name] = try read(&scanner, next(&scanner))
      }
      return .object(members)
    default: return .null
    }
  }

  subscript(index: Int) -> JSON {
    guard case .array(let items) = self, items.indices.contains(index) else { return .null }
    return items[index]
  }

  subscript(name: String) -> JSON? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var items: [JSON] { if case .array(let items) = self { items } else { [] } }
  var text: String { if case .string(let text) = self { text } else { "" } }
  var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
}
