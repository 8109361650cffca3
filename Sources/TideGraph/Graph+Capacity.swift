import CTideSlots

// A graph lies in one reservation of address space and never grows. Where that is short, what scripts
// make may fill it: whoever acts for a script asks for room before, and what is found out only while
// a function runs, how much it reads, makes that function fail.

extension Graph {
  /// Kept free for what is made on the way: nodes of rows, edges of bindings.
  private static let reserve = 1 << 14

  /// Whether half of what is kept free is left, for calls that make little or nothing.
  package var hasReserve: Bool {
    let half = min(Self.reserve, Int(arena.pointee.slotCapacity) / 16) / 2
    return Int(arena.pointee.slotCount) + half <= Int(arena.pointee.slotCapacity)
      && state.pointee.liveEdges + half <= Int(arena.pointee.edgeCapacity)
      && bodies.hasRoom(for: half / 4)
  }

  package static let slotSize = MemoryLayout<TideSlot>.stride

  /// Whether there is room for so many slots more, and as many edges and functions.
  package func hasRoom(slots count: Int) -> Bool {
    let wanted = count + min(Self.reserve, Int(arena.pointee.slotCapacity) / 16)
    return Int(arena.pointee.slotCount) + wanted <= Int(arena.pointee.slotCapacity)
      && state.pointee.liveEdges + wanted <= Int(arena.pointee.edgeCapacity)
      && bodies.hasRoom(for: wanted / 4)
  }

  /// Whether what a running function reads can still be noted.
  @inline(__always)
  var canNoteReads: Bool {
    arena.pointee.freeEdge != 0 || arena.pointee.edgeCount < arena.pointee.edgeCapacity
  }

  /// Lets a computed slot fail whose function read more than could be noted; false for others.
  func failOverflowed(_ slot: Slot) -> Bool {
    guard slot.hasMark(Mark.overflowed) else { return false }
    slot.clear(Mark.overflowed)
    slot.mark(Mark.failed)
    bodies.with(slot.pointee.body, as: ComputedBody.self) { $0.failure = CapacityError() }
    return true
  }

  /// Throws when the effect that has just run read more than could be noted.
  @inline(__always)
  func checkReads(of slot: Slot) throws(CapacityError) {
    if _slowPath(slot.hasMark(Mark.overflowed)) {
      slot.clear(Mark.overflowed)
      throw CapacityError()
    }
  }
}
