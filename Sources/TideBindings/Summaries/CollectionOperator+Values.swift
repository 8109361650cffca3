import TideGraph

extension CollectionOperator {
  /// The result of the operator for a list, for a path that is read once and not followed.
  func result(of list: any ListObject, reading steps: ArraySlice<PathStep>) throws -> Value {
    if self == .count { return .integer(list.trackedCount) }
    let reader = ElementReader(steps: steps, of: self)
    let values = try list.trackedElements.map { element in
      var memory: PathMemory?
      return try reader.value(of: element, keeping: &memory)
    }
    switch self {
    case .count: return .integer(values.count)
    case .sum: return Self.sum(values).value
    case .avg: return values.isEmpty ? 0 : .number(Self.sum(values).number / Double(values.count))
    case .min, .max: return try extreme(values)
    case .unionOfObjects: return Self.list(values)
    case .distinctUnionOfObjects: return Self.list(Self.distinct(values))
    case .unionOfArrays: return Self.list(Self.flattened(values))
    case .distinctUnionOfArrays: return Self.list(Self.distinct(Self.flattened(values)))
    }
  }

  private static func sum(_ values: [Value]) -> ExactSum {
    var sum = ExactSum()
    for value in values { sum.add(value) }
    return sum
  }

  private func extreme(_ values: [Value]) throws(TideError) -> Value {
    let texts = values.count { if case .string = $0 { true } else { $0.isBytes } }
    let numbers = values.count { $0 != .null } - texts
    if texts > 0 && numbers > 0 { throw mixed(numbers: numbers, texts: texts) }
    var heap = ExtremeHeap(greatest: self == .max)
    for (row, value) in values.enumerated() where value != .null {
      heap.put(value, for: RowOrder.Row(row))
    }
    return heap.top() ?? .null
  }

  /// The error for comparing numbers with texts.
  func mixed(numbers: Int, texts: Int) -> TideError {
    TideError(
      .conversion,
      "@\(rawValue) compares numbers or texts, but of what it finds \(numbers) are numbers and "
        + "\(texts) are texts")
  }

  private static func distinct(_ values: [Value]) -> [Value] {
    var seen: Set<ContentKey> = []
    return values.filter { !$0.isNil && seen.insert(ContentKey($0)).inserted }
  }

  private static func flattened(_ values: [Value]) -> [Value] {
    values.flatMap { value -> [Value] in
      guard case .object(let object) = value, let list = object as? any ListObject else {
        return []
      }
      return list.trackedElements
    }
  }

  private static func list(_ values: [Value]) -> Value {
    .object(ValueList(values.filter { !$0.isNil }))
  }
}

extension Value {
  fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }
}
