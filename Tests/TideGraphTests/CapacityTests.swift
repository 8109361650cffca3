import CTideSlots
import Testing

@testable import TideGraph

/// A graph that has been full and is so no more.
@Suite struct `The room in a graph` {
  private func withGraph(slots: Int, _ body: (Graph) throws -> Void) throws {
    try withOwnGraph { graph in
      let most = graph.arena.pointee.slotCount + UInt32(slots)
      graph.arena.pointee.slotLimit = most
      #expect(tide_arena_grow_slots(graph.arena, UInt64(most)))
      try body(graph)
    }
  }

  /// As many blocks of a size as the graph has room for.
  private func fill(_ graph: Graph, blocksOf size: UInt32) -> [Slot] {
    var blocks: [Slot] = []
    while Int(graph.arena.pointee.slotCount) + Int(size) <= graph.arena.pointee.slotCapacity {
      let block = graph.allocate(slots: size)
      block.pointee.kind = UInt8(TIDE_HEADER)
      block.pointee.hi = UInt64(size)
      blocks.append(block)
    }
    return blocks
  }

  @Test func `comes back when what was there is gone, for blocks of any size`() throws {
    try withGraph(slots: 40_000) { graph in
      #expect(graph.hasRoom(slots: 1000))
      let small = fill(graph, blocksOf: 4)
      #expect(!graph.hasRoom(slots: 1000))
      for block in small.dropFirst(10) { graph.freeBlock(block) }
      graph.trim()
      #expect(graph.hasRoom(slots: 1000))
      let large = fill(graph, blocksOf: 100)
      #expect(large.count > 300)
      for block in large { graph.freeBlock(block) }
      graph.trim()
      // What still lies in between stays where it is.
      let last = graph.allocate(slots: 7)
      #expect(last.index == small[9].index + 4)
      for block in small.prefix(10) { #expect(block.pointee.hi == 4) }
    }
  }

  @Test func `gives no index twice, and no generation again`() throws {
    try withGraph(slots: 20_000) { graph in
      var random = SystemRandomNumberGenerator()
      var known: [UInt32: Set<UInt32>] = [:]
      for _ in 0..<20 {
        var blocks: [Slot] = []
        var taken: Set<UInt32> = []
        while graph.arena.pointee.slotCount + 100 <= graph.arena.pointee.slotCapacity {
          let size = UInt32.random(in: 1...90, using: &random)
          let block = graph.allocate(slots: size)
          block.pointee.kind = UInt8(TIDE_HEADER)
          block.pointee.hi = UInt64(size)
          // Nothing that named an earlier block here takes this one for it.
          #expect(known[block.index, default: []].insert(block.generation).inserted)
          for index in 0..<size {
            #expect(taken.insert(block.index + index).inserted)
            let inner = (block + Int(index)).generation
            #expect(index == 0 || known[block.index + index]?.contains(inner) != true)
          }
          blocks.append(block)
        }
        for block in blocks { graph.freeBlock(block) }
        graph.trim()
      }
    }
  }
}
