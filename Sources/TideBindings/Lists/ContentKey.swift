import TideGraph

/// A value as a dictionary's key, equal where `Value` is equal.
struct ContentKey: Hashable {
  let value: Value

  init(_ value: Value) { self.value = value }

  func hash(into hasher: inout Hasher) {
    switch value {
    case .null: hasher.combine(0)
    case .boolean(let flag): hasher.combine(flag)
    // An integer equals a number of the same amount.
    case .integer(let integer): hasher.combine(Double(integer))
    case .number(let number): hasher.combine(number.isNaN ? 0 : number)
    case .string(let text): hasher.combine(text)
    case .bytes(let bytes): hasher.combine(bytes)
    case .object(let object): hasher.combine(ObjectIdentifier(object))
    }
  }
}
