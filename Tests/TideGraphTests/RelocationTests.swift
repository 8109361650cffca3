import TideGraph
import Testing

@Suite struct `An object that moves to a larger block` {
  @Test func `keeps its values, and what depends on them`() throws {
    try withOwnGraph { graph in
      let block = Block(valueCount: 2)
      let holder = Block(valueCount: 1)
      _ = (holder.header + 1).store(.object(block))
      graph.write(block.header + 1, .integer(1))
      graph.write(block.header + 2, .string("a text that is kept on the heap"))
      let target = graph.makeSource(.null)
      _ = graph.connect(block.header + 1, to: target)
      let old = block.header
      let source = graph.makeSource(.string("first"))
      _ = graph.connect(source, to: block.header + 2)

      graph.relocate(block, valueCount: 5)
      graph.followRelocations(of: [block])
      #expect(block.header != old)
      #expect(block.valueCount == 5)
      #expect(graph.brokenInvariants() == [])
      graph.write(block.header + 1, .integer(2))
      #expect(target.load() == .integer(2))
      graph.write(source, .string("second"))
      #expect((block.header + 2).load() == .string("second"))
      graph.write(block.header + 5, .integer(5))
      #expect((block.header + 5).load() == .integer(5))
      // Whoever kept the old place finds the object, and the values nowhere else.
      #expect(old.block === block)
      #expect((holder.header + 1).load() == .object(block))
      #expect((old + 1).load() == .null)
    }
  }

  @Test func `gives all of its blocks back`() throws {
    try withOwnGraph { graph in
      let before = graph.counts
      do {
        let block = Block(valueCount: 1)
        for count in 2..<6 { graph.relocate(block, valueCount: count) }
        graph.write(block.header + 5, .integer(1))
      }
      #expect(graph.counts.slots == before.slots)
      #expect(graph.brokenInvariants() == [])
    }
  }

  @Test func `is found once when all are visited`() throws {
    try withOwnGraph { graph in
      let blocks = (0..<3).map { Block(valueCount: $0) }
      graph.relocate(blocks[1], valueCount: 9)
      var found: [Block] = []
      graph.forEachBlock { found.append($0) }
      #expect(found.count == 3)
      #expect(Set(found.map(ObjectIdentifier.init)) == Set(blocks.map(ObjectIdentifier.init)))
    }
  }

  @Test func `takes what a journal has kept with it`() throws {
    try withOwnGraph { graph in
      let block = Block(valueCount: 1)
      graph.write(block.header + 1, .integer(1))
      let journal = graph.beginJournal()
      graph.write(block.header + 1, .integer(2))
      graph.relocate(block, valueCount: 3)
      graph.write(block.header + 1, .integer(3))
      journal.rollBack()
      graph.end(journal)
      #expect((block.header + 1).load() == .integer(1))
    }
  }
}
