public import CTideSlots

extension Graph {
  /// Reads a slot: brings it up to date, records the read, and gives its value.
  package func read(_ slot: Slot) throws -> Value {
    try refreshTracking(slot)
    return slot.load()
  }

  /// Writes a slot and settles what depends on it; true when the value differs from the one before.
  @discardableResult
  package func write(_ slot: Slot, _ value: consuming Value) -> Bool {
    guard keepsHistory else {
      guard slot.store(value) else { return false }
      if slot.pointee.access & Access.observed != 0 { changed(slot) }
      return true
    }
    let value = value
    guard Graph.noting(slot, { slot.store(value) }) else { return false }
    if slot.pointee.access & Access.observed != 0 { changed(slot) }
    return true
  }
}

extension Graph {
  /// Records a read of a slot whose value is at hand.
  @inlinable @inline(__always)
  package static func trackRead(of slot: Slot) {
    if _slowPath(tide_arena_of(slot).pointee.active != 0) { recordRead(of: slot) }
  }

  @usableFromInline @inline(never)
  static func recordRead(of slot: Slot) {
    // As `record` does, without finding the graph first.
    guard let arena = tide_arena_of(slot) else { return }
    let cursor = Int(arena.pointee.cursor)
    if cursor != 0, let edges = arena.pointee.edges, edges[cursor].source == slot.index {
      arena.pointee.lastRead = UInt32(truncatingIfNeeded: cursor)
      arena.pointee.cursor = edges[cursor].nextIn
      return
    }
    Graph.with(slot) { $0.record(slot.index) }
  }

  @inlinable @inline(__always)
  package static func needsConsent(_ slot: Slot) -> Bool {
    slot.pointee.access & UInt8(TIDE_VALIDATED | TIDE_PRIOR) != 0
  }

  /// Whether a write is more than a store: somebody is to be asked, to be told before, or it is to be
  /// noted.
  @inlinable @inline(__always)
  package static func needsCare(_ slot: Slot) -> Bool {
    needsConsent(slot) || tide_arena_of(slot).pointee.history != nil
  }

  /// Settles after a slot was stored to, if anybody depends on it.
  @inlinable @inline(__always)
  package static func noteChange(of slot: Slot) {
    if _slowPath(slot.pointee.access & UInt8(TIDE_OBSERVED) != 0) { settleChange(of: slot) }
  }

  @usableFromInline @inline(never)
  static func settleChange(of slot: Slot) {
    Graph.with(slot) { $0.changed(slot) }
  }

  /// Gives a plain slot something to keep, such as a validator.
  package func attach(_ body: Body, to slot: Slot) {
    if slot.pointee.body != 0 { releaseBody(slot.pointee.body) }
    slot.pointee.body = bodies.retain(body)
  }

  package func body(of slot: Slot) -> Body? {
    bodies.with(slot.pointee.body, as: Body.self) { $0 }
  }

  /// Moves a slot that nothing depends on, and that stands for itself, into its object's block.
  @inline(__always)
  package func move(_ old: Slot, to new: Slot) {
    let distance = new.pointee.generation
    new.pointee = old.pointee
    new.pointee.generation = distance
    new.mark(Mark.inner)
    giveBack(old)
  }

  /// Takes back a slot whose value and body have moved.
  private func giveBack(_ old: Slot) {
    old.pointee.tag = UInt8(TIDE_NIL)
    old.pointee.kind = Kind.free
    old.pointee.access = 0
    old.pointee.body = 0
    old.pointee.cache = 0
    old.pointee.generation &+= 1
    old.pointee.hi = 1
    state.pointee.liveBlocks -= 1
    state.pointee.liveSlots -= 1
    recycle(old)
  }
}

extension Graph {
  /// What a computed slot's last evaluation threw; nil for others.
  package func currentFailure(of slot: Slot) -> (any Error)? {
    slot.hasMark(Mark.failed) ? failure(of: slot) : nil
  }
}
