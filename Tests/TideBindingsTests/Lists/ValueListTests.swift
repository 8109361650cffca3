import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

@Suite struct ValueListTests {
  /// A list, and what its observer was told.
  final class Told {
    var changes: [ListChange] = []
    var calls = 0
  }

  func observed(
    _ list: ValueList, _ options: ListObservationOptions = .init()
  ) -> (BindingContext, Told) {
    let context = BindingContext()
    let told = Told()
    context.observe(list, options) { changes in
      told.changes += changes
      told.calls += 1
    }
    return (context, told)
  }

  @Test func `edits do what they say and are reported with kind, indexes and objects`() throws {
    let list = ValueList(["a", "b"])
    let (context, told) = observed(list)
    defer { context.removeAll() }
    try list.append("c", "d")
    try list.insert("x", at: 0)
    try list.remove(at: 1, count: 2)
    try list.replace(at: 0, with: "y")
    try list.move(from: 0, to: 2)
    try list.removeObject("c")
    try list.clear()
    #expect(
      told.changes == [
        ListChange(.insertion, [2, 3], ["c", "d"]), ListChange(.insertion, [0], ["x"]),
        ListChange(.removal, [1, 2], ["a", "b"]),
        ListChange(.replacement, [0], ["y"], replaced: ["x"]), ListChange(.move, [0, 2], ["y"]),
        ListChange(.removal, [0], ["c"]), ListChange(.removal, [0, 1], ["d", "y"]),
      ])
    #expect(list.count == 0)
  }

  @Test func `a change is not done to an array that the list was not like`() throws {
    var values: [Value] = ["a"]
    for change in [
      ListChange(.insertion, [2], ["x"]), ListChange(.insertion, [-1], ["x"]),
      ListChange(.insertion, [2, 0], ["x", "y"]), ListChange(.removal, [1], ["a"]),
      ListChange(.removal, [0, 0], ["a", "a"]), ListChange(.replacement, [0], []),
      ListChange(.move, [0, 1], ["a"]), ListChange(.move, [0], ["a"]),
    ] {
      let error = #expect(throws: TideError.self) { try change.apply(to: &values) }
      #expect(error?.code == .outOfRange)
    }
    #expect(values == ["a"])
    try ListChange(.insertion, [0, 2], ["x", "y"]).apply(to: &values)
    #expect(values == ["x", "a", "y"])
  }

  @Test func `what changes nothing is not reported`() throws {
    let list = ValueList(["a", "b"])
    let (context, told) = observed(list)
    defer { context.removeAll() }
    try list.replace(at: 0, with: "a")
    try list.move(from: 1, to: 1)
    try list.append()
    try list.remove(at: 0, count: 0)
    try list.set(["a", "b"])
    #expect(try list.removeObject("z") == false)
    #expect(told.changes.isEmpty)
    #expect(list.values == ["a", "b"])
  }

  @Test func `positions outside the list are errors and leave it as it was`() {
    let list = ValueList(["a", "b"])
    let edits: [() throws -> Void] = [
      { try list.insert("x", at: -1) }, { try list.insert("x", at: 3) }, { try list.remove(at: 2) },
      { try list.remove(at: 1, count: 2) }, { try list.remove(at: 0, count: -1) },
      { try list.replace(at: 2, with: "x") }, { try list.move(from: 0, to: 2) },
      { try list.move(from: -1, to: 0) }, { try list.remove(at: .max, count: .max) },
      { try list.remove(at: .min) },
    ]
    for edit in edits {
      let error = #expect(throws: TideError.self) { try edit() }
      #expect(error?.code == .outOfRange)
    }
    #expect(list.values == ["a", "b"])
    #expect(list[-1] == Value?.none)
    #expect(list[2] == Value?.none)
    #expect(list[1] == "b")
    let error = #expect(throws: TideError.self) { try list.replace(at: 2, with: "x") }
    #expect(error?.message == "position 2 is outside a list of 2: expected 0 to 1")
  }

  @Test func `nil is kept as the null marker`() throws {
    let list = ValueList([nil])
    try list.append(nil)
    #expect(list.values == [Marker.null.value, Marker.null.value])
    #expect(list.index(of: nil) == 0)
  }

  @Test func `A6 insertion and removal deliver objects and indexes`() throws {
    let list = ValueList()
    let (context, told) = observed(list)
    defer { context.removeAll() }
    try list.append("a")
    try list.remove(at: 0)
    #expect(told.changes.map(\.kind) == [.insertion, .removal])
    #expect(told.changes.map(\.indexes) == [[0], [0]])
    #expect(told.changes.map(\.objects) == [["a"], ["a"]])
    context.removeAll()
    try list.append("b")
    #expect(told.changes.count == 2)
  }

  @Test func `an observer may ask for what is there, for some kinds, and for whole waves`() throws {
    let list = ValueList(["a"])
    let (first, initial) = observed(list, .init(initial: true, kinds: [.insertion]))
    defer { first.removeAll() }
    #expect(initial.changes == [ListChange(.insertion, [0], ["a"])])
    let (second, batched) = observed(list, .init(batch: true))
    defer { second.removeAll() }
    try list.graph.batch {
      try list.append("b")
      try list.remove(at: 0)
      #expect(list.values == ["b"])
      #expect(batched.changes.isEmpty)
    }
    #expect(batched.calls == 1)
    #expect(batched.changes.map(\.kind) == [.insertion, .removal])
    #expect(initial.changes.map(\.objects) == [["a"], ["b"]])
  }

  @Test func `reading a list depends on it`() throws {
    let list = ValueList(["a"])
    let graph = list.graph
    let count = graph.computed { list.count }
    let second = graph.computed { list[1] ?? .null }
    var seen: [String] = []
    let effect = graph.effect { seen.append(list.values.compactMap(\.text).joined()) }
    #expect(count.value == 1)
    try list.append("b")
    #expect(count.value == 2)
    #expect(second.value == "b")
    try list.move(from: 0, to: 1)
    #expect(second.value == "a")
    #expect(seen == ["a", "ab", "ba"])
    effect.cancel()
  }

  @Test func `an observer may edit the list, and remove itself`() throws {
    let list = ValueList(["a"])
    let context = BindingContext()
    defer { context.removeAll() }
    var kinds: [ListChange.Kind] = []
    var belonging: ContextEntry?
    belonging = context.observe(list) { change in
      kinds.append(change.kind)
      if change.kind == .insertion { try list.remove(at: 0) }
      if kinds.count == 3 { belonging?.cancel() }
    }
    try list.append("b")
    try list.append("c")
    try list.append("d")
    #expect(kinds == [.insertion, .removal, .insertion])
  }

  @Test func `a disabled observer is told on enabling`() throws {
    let list = ValueList()
    let (context, told) = observed(list)
    defer { context.removeAll() }
    context.isEnabled = false
    try list.append("a")
    try list.append("b")
    #expect(told.changes.isEmpty)
    context.isEnabled = true
    #expect(told.changes.map(\.objects) == [["a"], ["b"]])
  }

  @Test func `set reports the smallest edit alone`() throws {
    let list = ValueList((0..<10_000).map { .integer($0) })
    let (context, told) = observed(list)
    defer { context.removeAll() }
    var wanted = list.values
    wanted[5000] = "x"
    wanted.remove(at: 17)
    wanted.append("y")
    try list.set(wanted)
    #expect(list.values == wanted)
    #expect(told.changes.map(\.kind) == [.replacement, .removal, .insertion])
    #expect(told.changes.map(\.indexes) == [[5000], [17], [9999]])
  }

  @Test func `random edits and their reports agree with a plain array`() throws {
    var random = SeededGenerator("value list")
    let list = ValueList()
    var plain: [Value] = []
    var mirror: [Value] = []
    let context = BindingContext()
    defer { context.removeAll() }
    context.observe(list) { change in try change.apply(to: &mirror) }
    for step in 0..<3000 {
      let edit = {
        let position = Int.random(in: 0...plain.count, using: &random)
        switch Int.random(in: 0..<(step % 1000 < 600 ? 12 : 9), using: &random) {
        case 0 where position < plain.count:
          let count = Int.random(in: 1...min(5, plain.count - position), using: &random)
          plain.removeSubrange(position..<position + count)
          try list.remove(at: position, count: count)
        case 1 where position < plain.count:
          plain[position] = .integer(-step)
          try list.replace(at: position, with: .integer(-step))
        case 2 where position < plain.count:
          let target = Int.random(in: plain.indices, using: &random)
          plain.insert(plain.remove(at: position), at: target)
          try list.move(from: position, to: target)
        case 3 where position < plain.count:
          let value = plain[position]
          if let first = plain.firstIndex(of: value) { plain.remove(at: first) }
          try list.removeObject(value)
        case 4 where step % 50 == 0:
          plain.shuffle(using: &random)
          try list.set(plain)
        case 5 where step % 100 == 0:
          plain = []
          try list.clear()
        case 6:
          plain.removeLast(min(plain.count, 3))
          try list.set(plain)
        default:
          let values = (0..<Int.random(in: 1...4, using: &random)).map {
            Value.integer(step * 10 + $0)
          }
          plain.insert(contentsOf: values, at: position)
          try list.insert(contentsOf: values, at: position)
        }
      }
      if step % 7 == 0 {
        try list.graph.batch {
          try edit()
          try edit()
        }
      } else {
        try edit()
      }
      #expect(list.count == plain.count)
      #expect(mirror == plain)
      if step % 20 == 0 {
        #expect(list.values == plain)
        #expect(list.storage.brokenInvariant == nil)
      }
    }
  }

  @Test func `an observer that failed at first is well once it goes well`() throws {
    struct Failure: Error {}
    let context = BindingContext()
    let list = ValueList(["a"])
    let table = BindingTable.of(.current)
    let others = table.errors.count
    var fails = true
    context.observe(list, initial: true) { _ in if fails { throw Failure() } }
    #expect(table.errors.count == others + 1)
    fails = false
    try list.append("b")
    #expect(table.errors.count == others)
  }

  @Test func `a list describes itself`() {
    #expect(ValueList(["a\"b", 2, nil]).describedText == "list { \"a\\\"b\", 2, null }")
    #expect(ValueList().describedText == "list {}")
    #expect(ValueList((0..<30).map { .integer($0) }).describedText.hasSuffix("… (30 in all) }"))
    let nested = ValueList()
    try? nested.append(.object(nested))
    #expect(nested.describedText == "list { list }")
  }
}
