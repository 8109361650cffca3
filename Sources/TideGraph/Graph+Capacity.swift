import CTideSlots

// A graph grows until its address range is full or the system refuses memory. If address space is
// limited, a script can reach that point, so code that acts for a script reserves room in advance.
// The number of reads of a function is known only after it has run, so the function fails if edges
// run out.

extension Graph {
  package static let slotSize = MemoryLayout<TideSlot>.stride

  /// Whether there is room for the given number of additional slots, the same number of edges and a
  /// quarter as many bodies, plus a reserve.
  package func hasRoom(slots count: Int) -> Bool { fits(count + reserve) }

  /// Whether half of the reserve is left, which is enough for calls that allocate few slots.
  package var hasReserve: Bool { fits(reserve / 2) }

  /// The number of slots kept free for what a call creates along the way, such as nodes of rows.
  private var reserve: Int { min(1 << 14, Int(arena.pointee.slotLimit) / 16) }

  /// Reserves room for the given number of slots and edges. Returns false if that fails.
  private func fits(_ count: Int) -> Bool {
    tide_arena_grow_slots(arena, UInt64(arena.pointee.slotCount) + UInt64(count))
      && tide_arena_grow_edges(arena, UInt64(state.pointee.liveEdges + count))
      && bodies.hasRoom(for: count / 4)
  }

  /// Whether another read of a running function can be recorded.
  @inline(__always)
  var canRecordReads: Bool {
    arena.pointee.freeEdge != 0 || arena.pointee.edgeCount < arena.pointee.edgeCapacity
      || tide_arena_grow_edges(arena, UInt64(arena.pointee.edgeCount) + 1)
  }

  /// Makes a computed slot fail if its function read more slots than could be recorded. Returns
  /// false for any other slot.
  func failOverflowed(_ slot: Slot) -> Bool {
    guard slot.hasMark(Mark.overflowed) else { return false }
    slot.clear(Mark.overflowed)
    slot.mark(Mark.failed)
    bodies.with(slot.pointee.body, as: ComputedBody.self) { $0.failure = CapacityError() }
    return true
  }

  /// Throws if the effect that has just run read more slots than could be recorded.
  @inline(__always)
  func checkReads(of slot: Slot) throws(CapacityError) {
    if _slowPath(slot.hasMark(Mark.overflowed)) {
      slot.clear(Mark.overflowed)
      throw CapacityError()
    }
  }

  /// Discards the free blocks after the last one in use, so that blocks of any size can be
  /// allocated there. Does nothing during propagation.
  package func trim() {
    guard !isBusy, !arena.pointee.hasLeftovers, state.pointee.pending.isEmpty,
      state.pointee.touched.isEmpty, state.pointee.effects.isEmpty,
      state.pointee.blocked.isEmpty, state.pointee.deadBlocks.isEmpty,
      state.pointee.formerBlocks.isEmpty
    else { return }
    let used = endOfUsedSlots
    let end = Int(arena.pointee.slotCount)
    if used == end { return }
    for index in used..<end where slots[index].generation & TIDE_BLOCK_GENERATION != 0 {
      state.pointee.firstGeneration = max(
        state.pointee.firstGeneration, (slots[index].generation &+ 1) | TIDE_BLOCK_GENERATION)
    }
    for size in 1..<64 { forgetFreeBlocks(ofSize: size, behind: used) }
    for size in largeFreeBlocks.keys { largeFreeBlocks[size]?.removeAll { Int($0) >= used } }
    arena.pointee.slotCount = UInt32(used)
  }

  private var endOfUsedSlots: Int {
    let end = Int(arena.pointee.slotCount)
    var (index, used) = (1, 1)
    while index < end {
      let slot = slots + index
      let count = slot.pointee.kind == Kind.header ? max(1, Int(slot.pointee.hi)) : 1
      if slot.pointee.kind != Kind.free { used = index + count }
      index += count
    }
    return used
  }

  private func forgetFreeBlocks(ofSize size: Int, behind used: Int) {
    var link = arena.freeBlocks(ofSize: UInt32(size))
    while link.pointee != 0 {
      let block = slots + Int(link.pointee)
      if Int(link.pointee) >= used {
        link.pointee = block.pointee.firstOut
      } else {
        link = UnsafeMutableRawPointer(block).advanced(
          by: MemoryLayout<TideSlot>.offset(of: \.firstOut) ?? 0
        ).assumingMemoryBound(to: UInt32.self)
      }
    }
  }
}
