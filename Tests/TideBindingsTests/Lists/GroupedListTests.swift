import Fuzzing
import Glibc
import Testing
import TideGraph

@testable import TideBindings

@Suite struct GroupedListTests {
  typealias Row = DerivedListTests.Row

  static func naive(_ source: ValueList) -> [(Value, [Value])] {
    var groups: [(Value, [Value])] = []
    for value in source.values {
      let key = Value.integer(DerivedListTests.key(value) % 5)
      if let index = groups.firstIndex(where: { $0.0 == key }) {
        groups[index].1.append(value)
      } else {
        groups.append((key, [value]))
      }
    }
    return groups
  }

  static func check(_ grouped: ValueList, _ source: ValueList, _ step: Int) {
    let expected = naive(source)
    let groups = grouped.values.compactMap { value -> ListGroup? in
      if case .object(let group as ListGroup) = value { group } else { nil }
    }
    #expect(groups.map(\.key) == expected.map(\.0), "keys at \(step)")
    #expect(groups.map(\.items.values) == expected.map(\.1), "rows at \(step)")
  }

  @Test(arguments: [0, 6, 300, 3000])
  func `groups agree with a naive recomputation`(size: Int) throws {
    var random = SeededGenerator("groups")
    let newRow = { (random: inout SeededGenerator) -> Value in
      let key = Int.random(in: 0..<40, using: &random)
      return Bool.random(using: &random) ? .integer(key) : .object(Row(key))
    }
    let source = ValueList((0..<size).map { _ in newRow(&random) })
    let threshold = source.graph.signal(20)
    let key = { (value: Value) in Value.integer(DerivedListTests.key(value) % 5) }
    let (read, observed) = (source.grouped(by: key), source.grouped(by: key))
    let context = BindingContext()
    defer { context.removeAll() }
    var mirror: [Value] = []
    context.observe(observed, initial: true) { try $0.apply(to: &mirror) }
    // Under a sanitizer each step takes as long as twenty.
    let most = getenv("TIDELOCK_SANITIZER") == nil ? 500 : 25
    for step in 0..<(size > 1000 ? most / 24 : size > 100 ? most / 3 : most) {
      try source.graph.batch {
        for _ in 0..<(step % 5 == 0 ? 4 : 1) {
          try DerivedListTests().edit(source, threshold, &random, newRow)
        }
        if step % 10 == 0 { Self.check(read, source, step) }
      }
      if step % 3 == 0 { Self.check(read, source, step) }
      #expect(mirror == observed.values, "reports at \(step)")
      Self.check(observed, source, step)
    }
  }

  @Test func `a group is the same object while a row has its key`() throws {
    let rows = [Row(1), Row(2), Row(1)]
    let source = ValueList(rows.map { .object($0) })
    let groups = source.grouped(byProperty: "key")
    let first = groups[0]
    rows[0].key = 2
    #expect(groups.count == 2)
    #expect(groups[1] == first)
  }

  @Test func `an observer of one group hears of that one alone`() throws {
    let source: ObservableList<Int> = [1, 2, 3]
    let parities = source.grouped { $0 % 2 }
    let context = BindingContext()
    defer { context.removeAll() }
    var changes: [ListChange] = []
    if let odd = parities[0] { context.observe(odd.items) { changes.append($0) } }
    source.append(4)
    #expect(changes.isEmpty)
    source.append(5)
    #expect(changes == [ListChange(.insertion, [2], [5])])
  }

  @Test func `groups give back what they took`() throws {
    let rows = (0..<500).map { Row($0 % 7) }
    let source = ValueList(rows.map { .object($0) })
    for row in rows { row.join(source.graph) }
    let before = source.graph.counts
    for _ in 0..<3 {
      var groups: ValueList? = source.grouped(byProperty: "key")
      #expect(groups?.count == 7)
      groups = nil
    }
    #expect(source.graph.counts.slots == before.slots)
    #expect(source.graph.counts.edges == before.edges)
  }
}
