import CTideSlots
import Fuzzing
import Glibc
import OwnThread
import Testing

/// The memory of graphs, without graphs.
@Suite struct `Regions of memory` {
  /// Arenas of one thread, and what was written to each.
  private struct Arenas {
    private var held: [(arena: UnsafeMutablePointer<TideArena>, slots: Int, mark: UInt64)] = []
    private(set) var mistakes: [String] = []

    /// Takes, grows or gives back one of a few.
    mutating func step(_ random: inout SeededGenerator) {
      if held.count < 6, Bool.random(using: &random) { return take(&random) }
      guard let index = held.indices.randomElement(using: &random) else { return }
      check(index)
      if Int.random(in: 0..<3, using: &random) == 0 { return give(index) }
      grow(index, to: Int.random(in: 2...20_000, using: &random))
    }

    private mutating func take(_ random: inout SeededGenerator) {
      guard let arena = tide_arena_reserve() else { return mistakes.append("no memory") }
      if UInt(bitPattern: arena) % UInt(tide_window_size()) != 0 { mistakes.append("not aligned") }
      for index in stride(from: 0, to: Int(arena.pointee.slotCapacity), by: 61)
      where arena.pointee.slots[index].lo != 0 {
        mistakes.append("slots are not empty at first")
      }
      held.append((arena, 1, .random(in: 1...UInt64.max >> 1, using: &random)))
    }

    private mutating func grow(_ index: Int, to count: Int) {
      let (arena, slots, mark) = held[index]
      guard tide_arena_grow_slots(arena, UInt64(count)), tide_arena_grow_edges(arena, UInt64(count))
      else { return mistakes.append("no memory") }
      for slot in slots..<max(slots, count) {
        arena.pointee.slots[slot].lo = mark + UInt64(slot)
        if tide_arena_of(arena.pointee.slots + slot) != arena { mistakes.append("not found") }
      }
      arena.pointee.edges[count - 1].source = 1
      held[index].slots = max(slots, count)
    }

    private mutating func check(_ index: Int) {
      let (arena, slots, mark) = held[index]
      for slot in 1..<slots where arena.pointee.slots[slot].lo != mark + UInt64(slot) {
        return mistakes.append("slot \(slot) was overwritten")
      }
    }

    private mutating func give(_ index: Int) {
      tide_arena_release(held.remove(at: index).arena)
    }

    mutating func giveAll() { while !held.isEmpty { give(held.count - 1) } }
  }

  @Test func `keep their contents while many threads take them and give them back`() async throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<8 {
        group.addTask {
          try await onOwnThread {
            var random = SeededGenerator(seed: seed &+ UInt64(number))
            var arenas = Arenas()
            for _ in 0..<200 { arenas.step(&random) }
            arenas.giveAll()
            return arenas.mistakes
          }
        }
      }
      for try await mistakes in group { #expect(mistakes == [], "seed \(seed)") }
    }
  }

  @Test func `lie where the system puts nothing of its own`() throws {
    let arena = try #require(tide_arena_reserve())
    defer { tide_arena_release(arena) }
    let window = UInt(bitPattern: arena)..<UInt(bitPattern: arena) + UInt(tide_window_size())
    for size in [1 << 12, 1 << 16, 1 << 21, 1 << 26] {
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
      let memory = try #require(mmap(nil, size, PROT_NONE, flags, -1, 0))
      #expect(memory != MAP_FAILED)
      #expect(!window.contains(UInt(bitPattern: memory)))
      munmap(memory, size)
    }
  }

  @Test func `are refused beyond a window's share, and stay usable`() throws {
    let arena = try #require(tide_arena_reserve())
    defer { tide_arena_release(arena) }
    #expect(!tide_arena_grow_slots(arena, UInt64(arena.pointee.slotLimit) + 1))
    #expect(!tide_arena_grow_edges(arena, UInt64(arena.pointee.edgeLimit) + 1))
    #expect(!tide_arena_grow_slots(arena, .max))
    #expect(tide_arena_grow_slots(arena, 100_000))
    arena.pointee.slots[99_999].lo = 7
    #expect(arena.pointee.slots[99_999].lo == 7)
  }
}
