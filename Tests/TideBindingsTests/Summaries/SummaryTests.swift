import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

@Suite struct SummaryTests {
  final class Item: DataObject {
    @Property var price: Value = 1
    @Property var tags = Value.object(ValueList())
  }

  static let operators = CollectionOperator.allCases

  static func steps(of summary: CollectionOperator) -> [PathStep] {
    switch summary {
    case .unionOfArrays, .distinctUnionOfArrays: [.property("tags")]
    default: [.property("price")]
    }
  }

  private static func contents(_ value: Value) -> [Value] {
    if case .object(let list as ValueList) = value { return list.values }
    return [value]
  }

  /// Edits at random; whatever is kept in step is what comes of reading all.
  @Test(arguments: operators)
  func `a summary that follows is what reading all gives`(summary: CollectionOperator) throws {
    var random = SeededGenerator("summary \(summary)")
    let items = ValueList()
    let graph = items.graph
    let made = try summary.summary(of: items, reading: Self.steps(of: summary)[...])
    let context = BindingContext()
    var told = 0
    // Something that acts keeps it live for half of the time.
    let observation = context.effect { told += (try? made.result()) == nil ? 0 : 1 }
    for step in 0..<1500 {
      if step == 700 { observation.cancel() }
      if Int.random(in: 0..<10, using: &random) == 0 {
        graph.beginBatch()
        for _ in 0..<5 { try edit(items, &random) }
        graph.endBatch()
      } else {
        try edit(items, &random)
      }
      if step > 700, Int.random(in: 0..<4, using: &random) != 0 { continue }
      let expected = Result { try summary.result(of: items, reading: Self.steps(of: summary)[...]) }
      let found = Result { try made.result() }
      switch (expected, found) {
      case (.success(let expected), .success(let found)):
        if summary == .count { continue }
        #expect(Self.contents(found) == Self.contents(expected), "after \(step) edits")
      case (.failure, .failure): break
      default: Issue.record("after \(step) edits: \(found), expected \(expected)")
      }
    }
    #expect(told > 100)
  }

  private func edit(_ items: ValueList, _ random: inout SeededGenerator) throws {
    let count = items.count
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: try items.insert(item(&random), at: .random(in: 0...count, using: &random))
    case 2 where count > 12:
      try items.remove(at: .random(in: 0...count - 3, using: &random), count: 3)
    case 3 where count > 0: try items.remove(at: .random(in: 0..<count, using: &random))
    case 4 where count > 0:
      try items.replace(at: .random(in: 0..<count, using: &random), with: item(&random))
    case 5 where count > 1:
      try items.move(
        from: .random(in: 0..<count, using: &random), to: .random(in: 0..<count, using: &random))
    case 6, 7:
      guard count > 0, let object = object(items[.random(in: 0..<count, using: &random)]) else {
        return
      }
      if Bool.random(using: &random) {
        object.price = price(&random)
      } else {
        try editTags(of: object, &random)
      }
    default:
      // The same object twice.
      guard count > 0, let value = items[.random(in: 0..<count, using: &random)] else { return }
      try items.append(value)
    }
  }

  private func editTags(of object: Item, _ random: inout SeededGenerator) throws {
    guard Int.random(in: 0..<4, using: &random) > 0,
      case .object(let list as ValueList) = object.tags
    else {
      object.tags = tags(&random)
      return
    }
    if Bool.random(using: &random) {
      try list.insert(.integer(.random(in: 0..<5, using: &random)), at: 0)
    } else if list.count > 0 {
      try list.remove(at: .random(in: 0..<list.count, using: &random))
    }
  }

  private func object(_ value: Value?) -> Item? {
    guard case .object(let object)? = value else { return nil }
    return object as? Item
  }

  private func item(_ random: inout SeededGenerator) -> Value {
    if Int.random(in: 0..<40, using: &random) == 0 { return .null }
    let item = Item()
    item.price = price(&random)
    item.tags = tags(&random)
    return .object(item)
  }

  private func tags(_ random: inout SeededGenerator) -> Value {
    if Int.random(in: 0..<6, using: &random) == 0 { return .null }
    return .object(
      ValueList(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          Int.random(in: 0..<20, using: &random) == 0
            ? .null : .integer(.random(in: 0..<5, using: &random))
        }))
  }

  private func price(_ random: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: "no number"
    case 1..<8: .null
    case 8..<30: .number(.random(in: -5...5, using: &random))
    default: .integer(.random(in: -9...9, using: &random))
    }
  }
}
