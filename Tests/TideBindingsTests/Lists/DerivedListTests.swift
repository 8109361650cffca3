import Fuzzing
import Glibc
import Testing
import TideGraph

@testable import TideBindings

@Suite struct DerivedListTests {
  final class Row: DataObject {
    @Property var key = 0
    @Property var name = ""
    convenience init(_ key: Int) {
      self.init()
      self.key = key
      name = "row \(key)"
    }
  }

  /// A derived list, its naive recomputation, and a mirror kept by its reports.
  final class Case {
    let name: String
    let list: ValueList
    let naive: () -> [Value]
    var mirror: [Value] = []
    let context = BindingContext()

    init(_ name: String, _ list: ValueList, isObserved: Bool, _ naive: @escaping () -> [Value]) {
      self.name = name
      self.list = list
      self.naive = naive
      guard isObserved else { return }
      context.observe(list, initial: true) { [unowned self] in try $0.apply(to: &mirror) }
    }
  }

  static func key(_ value: Value) -> Int {
    if case .object(let row as Row) = value { return row.key }
    if case .integer(let integer) = value { return integer }
    return 0
  }

  static func cases(of source: ValueList, threshold: Signal<Int>) -> [Case] {
    [true, false].flatMap { isObserved in
      [
        Case("filter", source.filter { key($0) % 3 != 0 }, isObserved: isObserved) {
          source.values.filter { key($0) % 3 != 0 }
        },
        Case(
          "filter by signal", source.filter { key($0) < threshold.value }, isObserved: isObserved
        ) {
          source.values.filter { key($0) < threshold.value }
        },
        Case("map", source.map { .integer(key($0) * 2) }, isObserved: isObserved) {
          source.values.map { .integer(key($0) * 2) }
        },
        Case("sort by key", source.sorted { .integer(key($0)) }, isObserved: isObserved) {
          source.values.sorted { key($0) < key($1) }
        },
        Case(
          "sort down", source.sorted(descending: true) { .integer(key($0)) }, isObserved: isObserved
        ) {
          source.values.sorted { key($0) > key($1) }
        },
        Case("sort by comparison", source.sorted { key($0) < key($1) }, isObserved: isObserved) {
          source.values.sorted { key($0) < key($1) }
        },
        Case("slice", (try? source.slice(from: 0, count: 3)) ?? source, isObserved: isObserved) {
          Array(source.values.prefix(3))
        },
        Case("late slice", (try? source.slice(from: 3, count: 9)) ?? source, isObserved: isObserved)
        {
          Array(source.values.dropFirst(3).prefix(9))
        },
        Case("rest", (try? source.slice(from: 2, count: .max)) ?? source, isObserved: isObserved) {
          Array(source.values.dropFirst(2))
        },
        Case(
          "concatenation",
          ValueList.concatenating([source, source.filter { key($0) % 3 != 0 }, source]),
          isObserved: isObserved
        ) {
          source.values + source.values.filter { key($0) % 3 != 0 } + source.values
        },
        Case(
          "filter, then sort, then map",
          source.filter { key($0) % 2 == 0 }.sorted { .integer(-key($0)) }.map {
            .integer(key($0) + 1)
          },
          isObserved: isObserved
        ) {
          source.values.filter { key($0) % 2 == 0 }.sorted { key($0) > key($1) }
            .map { .integer(key($0) + 1) }
        },
      ]
    }
  }

  @Test(arguments: [0, 5, 400, 5000])
  func `derived lists agree with a naive recomputation`(size: Int) throws {
    var random = SeededGenerator("derived list")
    let newRow = { (random: inout SeededGenerator) -> Value in
      let key = Int.random(in: 0..<40, using: &random)
      return Bool.random(using: &random) ? .integer(key) : .object(Row(key))
    }
    let source = ValueList((0..<size).map { _ in newRow(&random) })
    let threshold = source.graph.signal(20)
    let cases = Self.cases(of: source, threshold: threshold)
    defer { for one in cases { one.context.removeAll() } }
    // Under a sanitizer each step takes as long as twenty.
    let most = getenv("TIDELOCK_SANITIZER") == nil ? 600 : 30
    for step in 0..<(size > 1000 ? most / 24 : size > 100 ? most / 2 : most) {
      let edits = step % 5 == 0 ? Int.random(in: 1...6, using: &random) : 1
      try source.graph.batch {
        for _ in 0..<edits { try edit(source, threshold, &random, newRow) }
        if edits > 1, step % 10 == 0 {
          for one in cases { #expect(one.list.values == one.naive(), "\(one.name) in a batch") }
        }
      }
      if step % 3 == 0 || step < 20 {
        for one in cases { #expect(one.list.values == one.naive(), "\(one.name) at \(step)") }
      }
      for one in cases where one.context.count > 0 {
        #expect(one.mirror == one.naive(), "reports of \(one.name) at \(step)")
      }
    }
  }

  func edit(
    _ source: ValueList, _ threshold: Signal<Int>, _ random: inout SeededGenerator,
    _ newRow: (inout SeededGenerator) -> Value
  ) throws {
    let count = source.count
    let position = Int.random(in: 0..<max(count, 1), using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1, 2, 3, 4:
      let rows = (0..<Int.random(in: 1...3, using: &random)).map { _ in newRow(&random) }
      try source.insert(contentsOf: rows, at: Int.random(in: 0...count, using: &random))
    case 5, 6,
      7 where count > 0:
      try source.remove(at: position, count: min(2, count - position))
    case 8 where count > 0: try source.replace(at: position, with: newRow(&random))
    case 9 where count > 0:
      try source.move(from: position, to: Int.random(in: 0..<count, using: &random))
    case 10: threshold.value = Int.random(in: 0..<40, using: &random)
    case 11 where count > 0 && Int.random(in: 0..<20, using: &random) == 0: try source.clear()
    case 12 where Int.random(in: 0..<5, using: &random) == 0:
      try source.set(source.values.shuffled(using: &random))
    default:
      for _ in 0..<Int.random(in: 1...4, using: &random) where count > 0 {
        let position = Int.random(in: 0..<count, using: &random)
        guard case .object(let row as Row)? = source[position] else { continue }
        row.key = Int.random(in: 0..<40, using: &random)
      }
    }
  }

  @Test func `a row put into a sorted list costs a logarithm of comparisons`() throws {
    let source = ValueList((0..<10_000).map { .integer(($0 * 7919) % 10_000) })
    var comparisons = 0
    let sorted = source.sorted { a, b in
      comparisons += 1
      return Self.key(a) < Self.key(b)
    }
    #expect(sorted[0] == 0)
    comparisons = 0
    try source.insert(5000, at: 76)
    #expect(sorted.count == 10_001)
    #expect(comparisons <= 2 * 14 + 2, "\(comparisons)")
    comparisons = 0
    try source.remove(at: 3999)
    #expect(sorted.count == 10_000)
    #expect(comparisons == 0)
  }

  @Test func `a changed row moves and no other is touched`() throws {
    let rows = (1...50).map { Row($0 * 10) }
    let source = ValueList(rows.map { .object($0) })
    let sorted = source.sorted(byProperty: "key")
    let context = BindingContext()
    defer { context.removeAll() }
    var changes: [ListChange] = []
    context.observe(sorted) { changes.append($0) }
    rows[0].key = 255
    #expect(changes == [ListChange(.move, [0, 24], [.object(rows[0])])])
    rows[0].key = 251
    #expect(changes.count == 1)
    source.graph.batch {
      rows[49].key = 1
      rows[48].key = 2
    }
    #expect(changes.dropFirst().map(\.kind) == [.move, .move])
  }

  @Test func `functions are called only for what changed`() throws {
    let rows = (0..<300).map { Row($0) }
    let source = ValueList(rows.map { .object($0) })
    var calls = 0
    let filtered = source.filter {
      calls += 1
      return Self.key($0) < 1000
    }
    #expect(filtered.count == 300)
    calls = 0
    rows[7].key = 2000
    #expect(filtered.count == 299)
    #expect(calls == 1)
    rows[7].name = "not read"
    #expect(filtered.count == 299)
    #expect(calls == 1)
    try source.append(.object(Row(1)))
    #expect(filtered.count == 300)
    #expect(calls == 2)
  }

  @Test func `a derived list is not edited by hand`() {
    let list = ValueList([1]).map { $0 }
    let error = #expect(throws: TideError.self) { try list.append(2) }
    #expect(error?.code == .readOnly)
  }

  @Test func `a function that throws is listed and leaves the row out`() {
    struct Refusal: Error {}
    let source = ValueList([1, 2, 3])
    let filtered = source.filter { value in
      if value == 2 { throw Refusal() }
      return true
    }
    #expect(filtered.values == [1, 3])
  }

  /// The law of failing rows: whatever happens to the source, one error names the first row that
  /// fails and says how many do.
  @Test(arguments: 0..<8) func `an error names the first row that fails`(run: Int) throws {
    struct Refusal: Error {}
    var random = SeededGenerator("failing rows \(run)")
    let newRow = { (random: inout SeededGenerator) -> Value in
      .object(Row(Int.random(in: 0..<40, using: &random)))
    }
    let source = ValueList((0..<20).map { _ in newRow(&random) })
    let threshold = source.graph.signal(20)
    let name = "law \(run)"
    let filtered = FilteredList(source) { value in
      if Self.key(value) < threshold.value { throw Refusal() }
      return true
    }
    filtered.nameFailures { name }
    var known: Set<ContentKey> = []
    for step in 0..<200 {
      try edit(source, threshold, &random, newRow)
      _ = filtered.count
      let values = source.values
      let failing = values.indices.filter { Self.key(values[$0]) < threshold.value }
      let errors = BindingTable.of(source.graph).errors.filter { $0.site?.view == name }
      #expect(errors.count == (failing.isEmpty ? 0 : 1), "at \(step)")
      guard let error = errors.first, let first = failing.first else {
        known = []
        continue
      }
      #expect(error.rowCount == failing.count, "at \(step)")
      // Rows that come and go before it are not what has failed: its number is that of then.
      let rows = Set(failing.map { ContentKey(values[$0]) })
      if rows != known { #expect(error.site?.row?.number == first + 1, "at \(step)") }
      known = rows
    }
  }

  @Test func `derived lists give back what they took`() throws {
    let rows = (0..<500).map { Row($0) }
    let source = ValueList(rows.map { .object($0) })
    for row in rows { row.join(source.graph) }
    let before = source.graph.counts
    for _ in 0..<3 {
      var derived: ValueList? = source.filter { Self.key($0) % 2 == 0 }.sorted(byProperty: "key")
      #expect(derived?.count == 250)
      derived = nil
    }
    #expect(source.graph.counts.slots == before.slots)
    #expect(source.graph.counts.edges == before.edges)
  }

  @Test func `the typed face derives typed lists`() {
    let list: ObservableList<Int> = [3, 1, 2]
    let odd = list.filtered { $0 % 2 == 1 }
    let texts = list.mapped { "\($0)" }
    let ordered = list.ordered(by: { $0 }, descending: true)
    list.append(5)
    #expect(odd.elements == [3, 1, 5])
    #expect(texts.elements == ["3", "1", "2", "5"])
    #expect(ordered.elements == [5, 3, 2, 1])
  }

  @Test(arguments: [
    [nil, false, true, .integer(-1), 0.5, 2, .number(.nan), "a", "b"] as [Value]
  ])
  func `values of all kinds have an order`(values: [Value]) {
    for (i, a) in values.enumerated() {
      for (j, b) in values.enumerated() {
        #expect((a.compare(with: b)).signum() == (i - j).signum())
      }
    }
  }

  @Test func `the function of a row may end the list`() {
    let rows = (0..<200).map { Row($0) }
    let source = ValueList(rows.map { .object($0) })
    var ends = false
    var list: ValueList?
    list = source.filter {
      if ends { list = nil }
      return Self.key($0) % 2 == 0
    }
    let effect = source.graph.effect { [weak list] in _ = list?.values }
    ends = true
    source.graph.batch { for row in rows { row.key += 1 } }
    #expect(list == nil)
    withExtendedLifetime(effect) {}
  }

  @Test func `a list that follows its rows may be released on another thread`() {
    let graph = Graph.current
    let rows = (0..<200).map { Row($0) }
    let source = ValueList(rows.map { .object($0) })
    source.join(graph)
    for row in rows { row.join(graph) }
    let slots = graph.counts.slots
    for _ in 0..<20 {
      var list: ValueList? = source.filter { Self.key($0) % 2 == 0 }
      #expect(list?.count == 100)
      releaseElsewhere(list.take())
      for row in rows { row.key += 2 }
      graph.settle()
      #expect(graph.brokenInvariants().prefix(3) == [])
    }
    graph.reclaimRemoteBlocks()
    #expect(graph.counts.slots == slots)
  }
}
