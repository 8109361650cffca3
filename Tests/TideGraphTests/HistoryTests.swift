import TideGraph
import Testing

@Suite struct `History` {
  @Test func `is not kept unless somebody asks`() throws {
    try withOwnGraph { graph in
      let slot = graph.makeSource(.integer(1))
      graph.write(slot, .integer(2))
      #expect(!graph.keepsHistory)
      #expect(graph.lastChange(of: slot) == nil)
    }
  }

  @Test func `keeps the latest change of each slot`() throws {
    try withOwnGraph { graph in
      graph.keepHistory()
      let one = graph.makeSource(.integer(1)), two = graph.makeSource(.string("a"))
      #expect(graph.lastChange(of: one) == nil)
      graph.write(one, .integer(2))
      graph.write(two, .string("b"))
      graph.write(one, .integer(3))
      graph.write(one, .integer(3))
      #expect(graph.lastChange(of: one)?.oldValue == .integer(2))
      #expect(graph.lastChange(of: two)?.oldValue == .string("a"))
      let order = try #require(graph.lastChange(of: one)).sequence
      #expect(order > graph.lastChange(of: two)?.sequence ?? .max)
    }
  }

  @Test func `knows bindings made before it was kept`() throws {
    try withOwnGraph { graph in
      let source = graph.makeSource(.integer(1)), target = graph.makeSource(.integer(0))
      let edge = graph.connect(source, to: target)
      graph.keepHistory()
      graph.write(source, .integer(5))
      #expect(target.load() == .integer(5))
      let change = try #require(graph.lastChange(of: target))
      #expect(change.cause == .binding)
      #expect(change.causedBy == edge)
      #expect(change.oldValue == .integer(0))
    }
  }

  @Test func `logs all changes where that is wanted, and then the latest of them`() throws {
    try withOwnGraph { graph in
      #expect(!graph.logChanges())
      graph.keepHistory()
      let slot = graph.makeSource(.integer(0)), other = graph.makeSource(.string("a"))
      graph.write(slot, .integer(1))
      #expect(graph.loggedChanges(after: 0, upTo: graph.latestSequence).isEmpty)
      #expect(graph.logChanges())
      let start = graph.latestSequence
      graph.write(slot, .integer(2))
      graph.write(other, .string("b"))
      let middle = graph.latestSequence
      graph.write(slot, .integer(3))
      func olds(_ first: UInt64, _ last: UInt64) -> [Value?] {
        graph.loggedChanges(after: first, upTo: last).map { $0.1.oldValue }
      }
      #expect(olds(start, graph.latestSequence) == [.integer(1), .string("a"), .integer(2)])
      #expect(olds(start, middle) == [.integer(1), .string("a")])
      #expect(olds(middle, start).isEmpty)
      #expect(graph.beginMeasuring())
      for number in 0..<20_000 { graph.write(slot, .integer(number)) }
      #expect(graph.measure(of: slot)?.changes == 20_000)
      graph.endMeasuring()
      let last = graph.loggedChanges(after: start, upTo: graph.latestSequence)
      #expect(last.count == 8192)
      #expect(last.last?.1.oldValue == .integer(19_998))
      graph.write(slot, .integer(0))
      #expect(graph.loggedChanges(after: start, upTo: graph.latestSequence).last?.0 == slot)
    }
  }

  @Test func `logs nothing of a slot that is gone`() throws {
    try withOwnGraph { graph in
      graph.keepHistory()
      graph.logChanges()
      let slot = graph.makeSource(.integer(0))
      graph.write(slot, .integer(1))
      graph.dispose(slot)
      #expect(graph.loggedChanges(after: 0, upTo: graph.latestSequence).isEmpty)
    }
  }

  @Test func `keeps any kind of value`() throws {
    try withOwnGraph { graph in
      graph.keepHistory()
      let values: [Value] = [
        .null, .boolean(true), .integer(-4), .number(0.5), .string(""), .string("ü"),
        .string(String(repeating: "x", count: 32)), .bytes([0, 255]),
      ]
      let slot = graph.makeSource(.integer(0))
      for (old, new) in zip(values, values.dropFirst()) {
        graph.write(slot, old)
        graph.write(slot, new)
        #expect(graph.lastChange(of: slot)?.oldValue == old)
      }
    }
  }

  @Test func `forgets a slot that is made anew`() throws {
    try withOwnGraph { graph in
      graph.keepHistory()
      let slot = graph.makeSource(.integer(1))
      graph.write(slot, .integer(2))
      graph.dispose(slot)
      let next = graph.makeSource(.integer(1))
      #expect(next == slot)
      #expect(graph.lastChange(of: next) == nil)
    }
  }

  @Test func `takes bounded memory however many slots there are`() throws {
    try withOwnGraph { graph in
      graph.keepHistory()
      let slots = (0..<100_000).map { _ in graph.makeSource(.integer(0)) }
      for slot in slots { graph.write(slot, .integer(1)) }
      let known = slots.count { graph.lastChange(of: $0) != nil }
      #expect(known > 60_000 && known <= 65_536)
    }
  }

  @Test func `ends a ring of noted bindings as of others`() throws {
    try withOwnGraph { graph in
      graph.keepHistory()
      let one = graph.makeSource(.integer(0)), two = graph.makeSource(.integer(0))
      let plus = Plus()
      _ = graph.connect(one, to: two, through: plus)
      _ = graph.connect(two, to: one, through: plus)
      graph.write(one, .integer(1))
      #expect(one.load() != .integer(0))
    }
  }
}

private final class Plus: TransformBody {
  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    guard case .integer(let number) = source.load() else { return false }
    return target.store(.integer(number + 1))
  }
}

extension Change {
  /// The value before, where it was kept whole.
  fileprivate var oldValue: Value? {
    if case .value(let value) = old { value } else { nil }
  }
}
