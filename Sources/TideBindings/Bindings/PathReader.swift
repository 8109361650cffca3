package import TideGraph

/// Follows a path from an object, recording every read.
package enum PathReader {
  /// What a path led to. A step over nil leaves it unresolved, which is no error.
  package struct Result {
    package var value: Value
    package var isResolved = true
  }

  package static func read(
    _ steps: ArraySlice<PathStep>, from root: DataObject
  ) throws -> Result {
    var object = root
    var steps = steps
    while let step = steps.popFirst() {
      if case .collection(let summary) = step {
        let list = object as? any ListObject
        guard let list else {
          throw TideError(
            .unknownOperator, "\(step) summarizes a list, but \(object.label) is none")
        }
        return Result(value: try summarize(list, by: summary, of: steps))
      }
      let value = try follow(step, from: object)
      if steps.isEmpty { return Result(value: value) }
      switch value {
      case .object(let next as DataObject): object = next
      case .null: return Result(value: .null, isResolved: false)
      default:
        guard let next = steps.first else { return Result(value: value) }
        throw TideError(
          .unknownProperty,
          "\(step) of \(object.label) is a \(value.typeName), which has no property \"\(next)\"")
      }
    }
    return Result(value: .object(root))
  }

  private static func follow(_ step: PathStep, from object: DataObject) throws -> Value {
    switch step {
    case .property(let name): return try object.value(of: name)
    case .element(let name, let index):
      let value = try object.value(of: name)
      guard case .object(let held) = value, let list = held as? any ListObject else {
        if value == .null { return .null }
        throw TideError(.unknownProperty, "\(name) of \(object.label) is no list")
      }
      return list.trackedElement(at: index - 1) ?? .null
    case .view(let operation):
      guard let navigable = object as? any ViewNavigable else {
        throw TideError(
          .unknownOperator, "\(step) starts from a view, but \(object.label) is none")
      }
      return navigable.navigate(operation).map { .object($0) } ?? .null
    case .collection: return .null
    }
  }

  private static func summarize(
    _ list: any ListObject, by summary: CollectionOperator, of steps: ArraySlice<PathStep>
  ) throws -> Value {
    if summary == .count { return .integer(list.trackedCount) }
    var values: [Value] = []
    for index in 0..<list.trackedCount {
      guard let element = list.trackedElement(at: index) else { continue }
      if steps.isEmpty {
        values.append(element)
      } else if case .object(let object as DataObject) = element {
        values.append(try read(steps, from: object).value)
      } else {
        throw TideError(
          .unknownProperty,
          "@\(summary.rawValue) reads \(steps.first?.description ?? "") of each "
            + "element, but element \(index + 1) is a \(element.typeName)")
      }
    }
    return try summary.result(of: values)
  }
}

/// A view, as paths see it: where its operators lead, each step recorded.
package protocol ViewNavigable: AnyObject {
  func navigate(_ operation: ViewOperator) -> DataObject?
}

extension CollectionOperator {
  /// Summarizes what was read of a list's elements.
  func result(of values: [Value]) throws(TideError) -> Value {
    switch self {
    case .count: return .integer(values.count)
    case .sum: return try Self.sum(values)
    case .avg:
      if values.isEmpty { return 0 }
      let sum = try Self.sum(values)
      let total: Double =
        switch sum {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: 0
        }
      return .number(total / Double(values.count))
    case .min: return try Self.extreme(values) { $0 < $1 }
    case .max: return try Self.extreme(values) { $0 > $1 }
    case .unionOfObjects: return Self.list(values.filter { $0 != .null })
    case .distinctUnionOfObjects: return Self.list(Self.distinct(values))
    case .unionOfArrays: return Self.list(Self.flattened(values))
    case .distinctUnionOfArrays: return Self.list(Self.distinct(Self.flattened(values)))
    }
  }

  private static func sum(_ values: [Value]) throws(TideError) -> Value {
    var whole = 0
    var fraction = 0.0
    var isWhole = true
    for value in values where value != .null {
      switch try value.convertedToNumber() {
      case .integer(let integer):
        let (sum, overflows) = whole.addingReportingOverflow(integer)
        if overflows {
          isWhole = false
          fraction += Double(integer)
        } else {
          whole = sum
        }
      case .number(let number):
        isWhole = false
        fraction += number
      default: break
      }
    }
    return isWhole ? .integer(whole) : .number(Double(whole) + fraction)
  }

  private static func extreme(
    _ values: [Value], _ isBetter: (Double, Double) -> Bool
  ) throws(TideError) -> Value {
    var best: (value: Value, amount: Double)?
    for value in values where value != .null {
      let number = try value.convertedToNumber()
      let amount: Double =
        switch number {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: 0
        }
      if let current = best, !isBetter(amount, current.amount) { continue }
      best = (number, amount)
    }
    return best?.value ?? .null
  }

  private static func distinct(_ values: [Value]) -> [Value] {
    var seen: [Value] = []
    for value in values where value != .null && !seen.contains(value) { seen.append(value) }
    return seen
  }

  private static func flattened(_ values: [Value]) -> [Value] {
    values.flatMap { value -> [Value] in
      guard case .object(let object) = value, let list = object as? any ListObject else {
        return []
      }
      return (0..<list.trackedCount).compactMap { list.trackedElement(at: $0) }
    }
  }

  private static func list(_ values: [Value]) -> Value { .object(ValueList(values)) }
}
