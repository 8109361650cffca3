import CTideSlots

// An object that gets more values than its block has room for moves to a larger block, with
// everything that depends on it:
//
//     old block   ┌ header ─ ─ ─ ─ ─ ─ ─▶ object ┐      stays allocated, empty, while the object
//                 └ (empty) (empty)       ▲      │      lives: code that still has one of its slots
//     new block   ┌ header ───────────────┘ ◀────┘      finds the object there
//                 └ value 1, value 2, new value

extension Graph {
  /// Moves an object to a block with room for more values. Existing values keep their indexes,
  /// contents and dependents.
  package func relocate(_ block: Block, valueCount: Int) {
    let old = block.header
    let count = Int(old.pointee.hi)
    let new = allocate(slots: UInt32(valueCount) + 1)
    let journal = Graph.journal(of: old)
    new.pointee.kind = Kind.header
    new.pointee.hi = UInt64(valueCount + 1)
    new.pointee.lo = old.pointee.lo
    new.pointee.body = old.pointee.body
    new.pointee.cache = old.pointee.cache
    old.pointee.cache = 0
    for index in 0..<count {
      if index > 0 { moveContent(of: old + index, to: new + index) }
      moveEdges(of: old + index, to: new + index)
      journal?.moved(old + index, to: new + index)
      keepHistory(of: old + index, in: new + index)
    }
    block.header = new
    state.pointee.formerBlocks[new.index, default: []]
      .append(contentsOf: (state.pointee.formerBlocks.removeValue(forKey: old.index) ?? []))
    state.pointee.formerBlocks[new.index]?.append(old.index)
  }

  private func moveContent(of old: Slot, to new: Slot) {
    let distance = new.pointee.generation
    new.pointee = old.pointee
    new.pointee.generation = distance
    new.mark(Mark.inner)
    old.pointee.tag = Tag.null
    old.pointee.lo = 0
    old.pointee.hi = 0
    old.pointee.body = 0
    old.pointee.cache = 0
    old.pointee.access = 0
    old.pointee.kind = Kind.source
    old.pointee.state = Mark.inner
    if new.hasMark(Mark.pending) { replace(old, by: new, in: &state.pointee.pending) }
    if new.hasMark(Mark.touched) { replace(old, by: new, in: &state.pointee.touched) }
  }

  private func replace(_ old: Slot, by new: Slot, in indexes: inout [UInt32]) {
    for index in indexes.indices where indexes[index] == old.index { indexes[index] = new.index }
  }

  private func moveEdges(of old: Slot, to new: Slot) {
    new.pointee.firstOut = old.pointee.firstOut
    new.pointee.firstIn = old.pointee.firstIn
    if old.pointee.kind == Kind.header { new.pointee.access = old.pointee.access }
    old.pointee.firstOut = 0
    old.pointee.firstIn = 0
    old.pointee.access &= ~Access.observed
    var edge = new.pointee.firstOut
    while edge != 0 {
      edges[Int(edge)].source = new.index
      edge = edges[Int(edge)].nextOut
    }
    edge = new.pointee.firstIn
    while edge != 0 {
      edges[Int(edge)].target = new.index
      edge = edges[Int(edge)].nextIn
    }
  }

  /// Updates the slots that refer to objects which have moved.
  package func followRelocations(of blocks: [Block]) {
    var moved: Set<UInt64> = []
    for block in blocks {
      moved.insert(UInt64(UInt(bitPattern: block.header.reference?.toOpaque())))
    }
    for index in 1..<Int(arena.pointee.slotCount) {
      let slot = slots + index
      guard slot.pointee.tag == Tag.object, slot.pointee.kind != Kind.free,
        slot.pointee.kind != Kind.header, moved.contains(slot.pointee.lo),
        let block = slot.reference?.takeUnretainedValue() as? Block
      else { continue }
      slot.pointee.hi = UInt64(UInt(bitPattern: block.header))
    }
  }

  /// Visits all objects of the graph.
  package func forEachBlock(_ visit: (Block) -> Void) {
    tide_arena_lock_remote(arena)
    defer { tide_arena_unlock_remote(arena) }
    let end = Int(arena.pointee.slotCount)
    var index = 1
    while index < end {
      let slot = slots + index
      guard slot.pointee.kind == Kind.header else {
        // Every slot of a free block is marked as free.
        index += 1
        continue
      }
      // Abandoned blocks refer to their object as well.
      if let block = slot.block, block.header == slot { visit(block) }
      index += max(1, Int(slot.pointee.hi))
    }
  }

  /// Resets a slot of an object to the empty source that it was at first, without dependents.
  package func renew(_ slot: Slot) {
    dropEdges(of: slot)
    slot.releasePayload()
    releaseBody(slot.pointee.body)
    slot.pointee.body = 0
    slot.pointee.height = 0
    slot.pointee.access = 0
    slot.pointee.kind = Kind.source
    slot.pointee.state = Mark.inner
  }

  /// Makes a computed slot stale although none of its dependencies has changed. Returns the node
  /// that causes the evaluation; dispose of it after the graph has settled.
  package func invalidate(_ slot: Slot) -> Slot? {
    if !slot.isDerived || slot.hasMark(Mark.stale) { return nil }
    let cause = makeSource(.integer(0))
    let edge = makeEdge(cause.index, slot.index)
    edges[Int(edge)].nextIn = slot.pointee.firstIn
    slot.pointee.firstIn = edge
    _ = write(cause, .integer(1))
    return cause
  }
}
