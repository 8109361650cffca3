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
}
