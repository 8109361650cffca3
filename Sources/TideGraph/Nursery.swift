public import CTideSlots

// The nursery holds the values of objects that have joined no graph. No slot depends on these
// values, and computed ones are evaluated at each read.
//
//     object ──▶ header, value, value      in the nursery, outside of every graph
//       joins    │
//       ▼        ▼
//     object ──▶ header, value, value      in the graph; the former slots are freed

extension Slot {
  /// Whether the slot is part of no graph.
  @inlinable @inline(__always)
  package var isUnjoined: Bool { tide_arena_of(self).pointee.owner == nil }

  /// The slot's computed body or validator.
  package var attachedBody: Body? {
    guard isUnjoined else { return Graph.with(self) { $0.body(of: self) } }
    return Nursery.body(of: self)?.takeUnretainedValue()
  }
}

extension Slot {
  fileprivate var heldObject: AnyObject? {
    pointee.tag == Tag.object ? reference?.takeUnretainedValue() : nil
  }
}

/// Slots that belong to no graph.
package enum Nursery {
  /// Allocates a slot for a property whose object is being initialized.
  @inline(__always)
  package static func makeSource() -> Slot { tide_nursery_take(1) }

  /// Allocates a computed slot for a property whose object is being initialized.
  package static func makeComputed(_ body: ComputedBody) -> Slot {
    let slot = makeSource()
    slot.pointee.kind = Kind.computed
    slot.pointee.access |= Access.derived
    slot.mark(Mark.stale)
    attach(body, to: slot)
    return slot
  }

  /// Attaches a body to a slot, and releases the previous one.
  package static func attach(_ body: Body, to slot: Slot) {
    let former = self.body(of: slot)
    tide_nursery_body(slot).pointee = Unmanaged.passRetained(body).toOpaque()
    former?.release()
  }

  static func body(of slot: Slot) -> Unmanaged<Body>? {
    tide_nursery_body(slot).pointee.map { Unmanaged<Body>.fromOpaque($0) }
  }

  /// Moves a separately allocated slot into its object's block.
  @inline(__always)
  package static func move(_ old: Slot, to new: Slot) {
    let distance = new.pointee.generation
    new.pointee = old.pointee
    new.pointee.generation = distance
    new.mark(Mark.inner)
    tide_nursery_give(old, 1)
  }

  /// Brings a computed value up to date. A function that reads its own value while it runs gets the
  /// previous value.
  ///
  /// Throws the function's error, the error of a slot that it read without being able to throw, or
  /// `DepthError` if evaluations nest too deep.
  package static func evaluate(_ slot: Slot) throws {
    guard !slot.hasMark(Mark.running),
      let body = body(of: slot)?.takeUnretainedValue() as? ComputedBody
    else { return }
    if Graph.isStackLow() { throw DepthError() }
    let thread = tide_thread()
    let outer = thread.pointee.deriving
    thread.pointee.deriving = slot
    slot.mark(Mark.running)
    defer {
      slot.clear(Mark.running | Mark.poisoned)
      thread.pointee.deriving = outer
    }
    _ = try body.evaluate(slot)
    if slot.hasMark(Mark.poisoned), let error = takePassedOn() { throw error }
  }

  /// Makes the running function fail with the error of a value that it read. Returns false if no
  /// function is running.
  package static func passOn(_ error: any Error) -> Bool {
    let thread = tide_thread()
    guard let reader = thread.pointee.deriving else { return false }
    _ = takePassedOn()
    reader.mark(Mark.poisoned)
    thread.pointee.passedOn = Unmanaged.passRetained(PassedOn(error)).toOpaque()
    return true
  }

  private static func takePassedOn() -> (any Error)? {
    let thread = tide_thread()
    guard let held = thread.pointee.passedOn else { return nil }
    thread.pointee.passedOn = nil
    return Unmanaged<PassedOn>.fromOpaque(held).takeRetainedValue().error
  }

  private final class PassedOn {
    let error: any Error
    init(_ error: any Error) { self.error = error }
  }

  /// Frees a block and the contents of its slots.
  static func free(_ header: Slot) {
    let count = Int(header.pointee.hi)
    header.pointee.kind = Kind.free
    header.pointee.lo = 0
    for distance in 1..<max(1, count) { empty(header + distance) }
    tide_nursery_give(header, UInt32(count))
  }

  private static func empty(_ slot: Slot) {
    let body = body(of: slot)
    tide_nursery_body(slot).pointee = nil
    body?.release()
    if let object = slot.takeObject() {
      ChainedRelease.release(object)
    } else {
      slot.releasePayload()
    }
  }

  /// Calls a function with a temporary slot that holds a value.
  package static func withScratch<Result>(
    _ value: consuming Value = .null, _ body: (Slot) throws -> Result
  ) rethrows -> Result {
    let slot = makeSource()
    _ = slot.store(value)
    defer {
      empty(slot)
      tide_nursery_give(slot, 1)
    }
    return try body(slot)
  }
}

extension Graph {
  /// Moves an unjoined object into this graph, with its values and functions.
  func take(_ block: Block) {
    let old = block.firstSlot
    let count = UInt32(truncatingIfNeeded: old.pointee.hi)
    let new = reserve(slots: count)
    let isPlain = tide_nursery_move(old, new)
    block.firstSlot = new
    if isPlain { return }
    for distance in 1..<Int(count) { takeOver(new + distance) }
  }

  /// Registers the body and the object that a slot has brought from the nursery.
  private func takeOver(_ new: Slot) {
    let body = Nursery.body(of: new)
    new.pointee.firstOut = 0
    new.pointee.firstIn = 0
    if new.isDerived { new.mark(Mark.stale) }
    if let held = new.heldObject { new.noteFirstSlot(of: held) }
    if let body {
      new.pointee.body = bodies.retain(body.takeUnretainedValue())
      body.release()
    }
  }
}

// MARK: Reading

extension Graph {
  /// Resolves a read of a slot that may belong to no graph, and returns the slot of the value. If
  /// the running code's reads are recorded, the object joins its graph.
  @inlinable @inline(__always)
  package static func trackedSlot(of slot: Slot) -> Slot {
    #if DEBUG
      checkAccess(to: slot)
    #endif
    if _slowPath(tide_arena_of(slot).pointee.active != 0) { return recordedSlot(of: slot) }
    return slot
  }

  @usableFromInline @inline(never)
  static func recordedSlot(of slot: Slot) -> Slot {
    // The same as `record`, without looking up the graph first.
    guard let arena = tide_arena_of(slot) else { return slot }
    let cursor = Int(arena.pointee.cursor)
    if cursor != 0, let edges = arena.pointee.edges, edges[cursor].source == slot.index {
      arena.pointee.lastRead = UInt32(truncatingIfNeeded: cursor)
      arena.pointee.cursor = edges[cursor].nextIn
      return slot
    }
    if _slowPath(arena.pointee.owner == nil) {
      let slot = joinedSlot(of: slot)
      if !slot.isUnjoined { Graph.with(slot) { $0.record(slot.index) } }
      return slot
    }
    Graph.with(slot) { $0.record(slot.index) }
    return slot
  }

  /// The slot of a value whose slot may be unjoined. If the running code's reads are recorded, the
  /// object joins the graph first; otherwise the slot stays where it is.
  package static func joinedSlot(of slot: Slot) -> Slot {
    guard slot.isUnjoined, let graph = tracking else { return slot }
    let distance = Int(slot.pointee.generation)
    guard let block = slot.blockHeader?.block else { return slot }
    block.join(graph)
    return block.firstSlot + distance
  }

  /// Traps in a debug build if the caller is not the owner of the property's graph.
  @usableFromInline @inline(never)
  package static func checkAccess(to slot: Slot) {
    guard let arena = tide_arena_of(slot), arena.pointee.owner != nil, !tide_arena_is_here(arena)
    else { return }
    let name = Graph.of(arena).ownerName
    preconditionFailure(
      "a property is used here whose object belongs to \(name): send it values, or make the object "
        + "where it is used")
  }
}
