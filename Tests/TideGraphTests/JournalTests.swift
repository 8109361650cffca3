import TideGraph
import Testing

@Suite struct `A journal` {
  /// An object with some values.
  private func object(_ graph: Graph, _ values: [Value]) -> Block {
    let block = graph.entered { Block(valueCount: values.count) }
    for (index, value) in values.enumerated() { _ = (block.header + index + 1).store(value) }
    return block
  }

  private func values(of block: Block) -> [Value] {
    (1...block.valueCount).map { (block.header + $0).load() }
  }

  @Test func `takes back the first value of whatever was written, of any kind`() throws {
    try withOwnGraph { graph in
      let other = object(graph, [.null])
      let first: [Value] = [
        .null, .boolean(true), .integer(-4), .number(0.5), .string("long enough to be on the heap"),
        .bytes([0, 255]), .object(other),
      ]
      let block = object(graph, first)
      let journal = graph.beginJournal()
      for round in 0..<3 {
        for index in first.indices {
          graph.write(block.header + index + 1, .string("\(round) \(index)"))
          graph.write(block.header + index + 1, .integer(round))
        }
      }
      journal.rollBack()
      graph.end(journal)
      #expect(values(of: block) == first)
      withExtendedLifetime(other) {}
    }
  }

  @Test func `keeps nothing after its end`() throws {
    try withOwnGraph { graph in
      let block = object(graph, [.integer(1)])
      let journal = graph.beginJournal()
      graph.end(journal)
      graph.write(block.header + 1, .integer(2))
      journal.rollBack()
      #expect(values(of: block) == [.integer(2)])
    }
  }

  @Test func `takes back what observers make of that`() throws {
    try withOwnGraph { graph in
      let block = object(graph, [.integer(1), .integer(0)])
      let count = block.header + 2
      let watch = graph.makeObserver(of: block.header + 1, Counter(count, graph))
      graph.write(block.header + 1, .integer(2))
      #expect(values(of: block) == [.integer(2), .integer(1)])
      let journal = graph.beginJournal()
      graph.write(block.header + 1, .integer(3))
      graph.write(block.header + 1, .integer(4))
      journal.rollBack()
      graph.end(journal)
      #expect(values(of: block) == [.integer(2), .integer(1)])
      graph.dispose(watch)
    }
  }

  private final class Counter: ObserverBody {
    let slot: Slot
    unowned let graph: Graph

    init(_ slot: Slot, _ graph: Graph) {
      self.slot = slot
      self.graph = graph
    }

    override func valueChanged(of source: Slot, from old: Value, to new: Value) throws {
      guard case .integer(let count) = slot.load() else { return }
      graph.write(slot, .integer(count + 1))
    }
  }

  @Test func `leaves objects alone that are gone, and those in their place`() throws {
    try withOwnGraph { graph in
      let journal: Journal
      var next: Block
      do {
        let block = object(graph, [.integer(1)])
        journal = graph.beginJournal()
        graph.write(block.header + 1, .integer(2))
      }
      next = object(graph, [.integer(7)])
      journal.rollBack()
      graph.end(journal)
      #expect(values(of: next) == [.integer(7)])
      next = object(graph, [])
    }
  }

  @Test(arguments: [false, true])
  func `within another one is rolled back alone, and the outer one still restores everything`(
    endsFirst: Bool
  ) throws {
    try withOwnGraph { graph in
      let block = object(graph, [.integer(1), .string("one"), .integer(0)])
      let outer = graph.beginJournal()
      graph.write(block.header + 1, .integer(2))
      let inner = graph.beginJournal()
      graph.write(block.header + 1, .integer(3))
      graph.write(block.header + 2, .string("two"))
      if endsFirst { graph.end(inner) }
      inner.rollBack()
      graph.end(inner)
      #expect(values(of: block) == [.integer(2), .string("one"), .integer(0)])
      // Slots that the inner journal saw first belong to the outer one as well.
      graph.write(block.header + 2, .string("three"))
      graph.write(block.header + 3, .integer(9))
      graph.end(outer)
      outer.rollBack()
      #expect(values(of: block) == [.integer(1), .string("one"), .integer(0)])
    }
  }

  @Test func `within another one leaves what it keeps to the outer one`() throws {
    try withOwnGraph { graph in
      let block = object(graph, [.integer(1), .integer(1)])
      let outer = graph.beginJournal()
      for number in 2...4 {
        let inner = graph.beginJournal()
        graph.write(block.header + 1, .integer(number))
        graph.write(block.header + 2, .integer(number))
        graph.end(inner)
      }
      #expect(outer.count == 2)
      graph.end(outer)
      outer.rollBack()
      #expect(values(of: block) == [.integer(1), .integer(1)])
    }
  }

  @Test func `restores nothing after an outer one has restored older values`() throws {
    try withOwnGraph { graph in
      let block = object(graph, [.integer(1)])
      let outer = graph.beginJournal()
      graph.write(block.header + 1, .integer(2))
      let inner = graph.beginJournal()
      graph.write(block.header + 1, .integer(3))
      graph.end(inner)
      graph.end(outer)
      outer.rollBack()
      inner.rollBack()
      #expect(values(of: block) == [.integer(1)])
    }
  }

  @Test func `that ends before one within it has what that one recorded`() throws {
    try withOwnGraph { graph in
      let block = object(graph, [.integer(1), .integer(1)])
      let outer = graph.beginJournal()
      let middle = graph.beginJournal()
      let inner = graph.beginJournal()
      graph.write(block.header + 1, .integer(2))
      graph.end(middle)
      graph.write(block.header + 2, .integer(2))
      graph.end(inner)
      middle.rollBack()
      #expect(values(of: block) == [.integer(1), .integer(2)])
      graph.end(outer)
      outer.rollBack()
      #expect(values(of: block) == [.integer(1), .integer(1)])
    }
  }

  @Test func `leaves restored values, and takes back later writes of the same slots`() throws {
    try withOwnGraph { graph in
      let block = object(graph, [.integer(1), .integer(1), .integer(1)])
      let outer = graph.beginJournal()
      graph.write(block.header + 1, .integer(2))
      graph.write(block.header + 3, .integer(2))
      let inner = graph.beginJournal()
      graph.restoring {
        graph.write(block.header + 1, .integer(3))
        graph.write(block.header + 2, .integer(3))
      }
      graph.write(block.header + 2, .integer(4))
      graph.end(inner)
      outer.rollBack()
      graph.end(outer)
      #expect(values(of: block) == [.integer(3), .integer(3), .integer(1)])
    }
  }

  @Test func `takes back restored values if it includes them`() throws {
    try withOwnGraph { graph in
      let block = object(graph, [.integer(1)])
      let journal = graph.beginJournal(includesRestored: true)
      graph.restoring { _ = graph.write(block.header + 1, .integer(2)) }
      journal.rollBack()
      graph.end(journal)
      #expect(values(of: block) == [.integer(1)])
    }
  }
}
