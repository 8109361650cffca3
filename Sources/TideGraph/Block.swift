import CTideSlots

/// An object whose observable values are stored in consecutive slots, which are part of a graph's
/// memory once the object has joined a graph.
///
/// The first slot of a block is its header, which refers to the object; the other slots hold its
/// values. The object may be released on any thread. If that is not the thread of its graph's
/// owner, the block is queued, and the owner reclaims it.
nonisolated open class Block {
  /// The first slot of the block. The block may belong to no graph yet.
  // Unchecked, because no code calls anything else while it accesses this property.
  @exclusivity(unchecked) @usableFromInline package final var firstSlot: Slot

  /// Creates an object without a block, until `adopt(valueCount:)` is called.
  package init() { firstSlot = tide_nursery_nothing() }

  /// Allocates a block for the given number of values in the current thread's or actor's graph.
  ///
  /// - Parameter isUnjoined: Whether the block belongs to no graph until it joins one.
  package init(valueCount: Int, isUnjoined: Bool = false) {
    firstSlot = tide_nursery_nothing()
    if isUnjoined {
      adoptUnjoined(valueCount: valueCount)
    } else {
      adopt(valueCount: valueCount)
    }
  }

  /// Allocates a block in the current thread's or actor's graph. Call it once per object.
  package final func adopt(valueCount: Int) {
    begin(at: Graph.current.allocate(slots: UInt32(valueCount) + 1), valueCount)
  }

  /// Allocates a block that belongs to no graph. Call it once per object.
  package final func adoptUnjoined(valueCount: Int) {
    let first = tide_nursery_take(UInt32(valueCount) + 1)
    first.pointee.generation = TIDE_BLOCK_GENERATION
    for distance in 0..<valueCount { first[distance + 1].state = Mark.inner }
    begin(at: first, valueCount)
  }

  private final func begin(at first: Slot, _ valueCount: Int) {
    firstSlot = first
    first.pointee.kind = Kind.header
    first.pointee.hi = UInt64(valueCount + 1)
    first.pointee.lo = UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    if firstSlot.pointee.kind != Kind.header { return }
    guard let arena = tide_arena_of(firstSlot), arena.pointee.owner != nil else {
      return Nursery.free(firstSlot)
    }
    if tide_arena_is_here(arena) {
      Graph.of(firstSlot).freeBlock(firstSlot)
    } else {
      tide_arena_free_remote(firstSlot)
    }
  }

  /// Whether the object has not joined a graph yet.
  @inlinable
  package final var isUnjoined: Bool { firstSlot.isUnjoined }

  /// The first slot of the block, in a graph. A block without a graph first joins the current
  /// thread's or actor's graph.
  package final var header: Slot {
    @inline(__always) get {
      if _slowPath(firstSlot.isUnjoined) { joinHere() }
      return firstSlot
    }
    @inline(__always) set { firstSlot = newValue }
  }

  @inline(never)
  private final func joinHere() { join(Graph.current) }

  /// Joins a graph, together with everything that the object holds. Does nothing if the object
  /// already belongs to a graph.
  package final func join(_ graph: Graph) {
    if isUnjoined, firstSlot.pointee.kind == Kind.header { graph.take(self) }
  }

  /// Returns the slot of one of an object's values. An object without a graph first joins the given
  /// one. If there is no object, returns `known`.
  package static func slot(
    _ distance: Int, in object: Block?, or known: Slot, joining graph: Unmanaged<Graph>? = nil
  ) -> Slot {
    guard let object else { return known }
    graph?._withUnsafeGuaranteedRef { object.join($0) }
    return object.firstSlot + distance
  }

  /// The number of values after the header.
  package final var valueCount: Int { max(0, Int(firstSlot.pointee.hi) - 1) }

  /// The graph that this object belongs to. An object without a graph first joins the current
  /// thread's or actor's graph.
  public final var graph: Graph { Graph.of(header) }

  /// The graph that the object has joined; nil if it has not joined one.
  package final var joinedGraph: Graph? { isUnjoined ? nil : Graph.of(firstSlot) }
}

extension Block: SlotOwner {
  package final var slotAddress: UnsafeMutableRawPointer { UnsafeMutableRawPointer(header) }
}

extension Slot {
  /// The header of the block that contains this slot; nil if the slot is not part of a block.
  package var blockHeader: Slot? {
    if pointee.kind == Kind.header { return self }
    guard hasMark(Mark.inner) else { return nil }
    let header = self - Int(pointee.generation)
    return header.pointee.kind == Kind.header ? header : nil
  }

  /// The object of a slot that belongs to no graph yet; nil if the object has no block yet.
  package var unjoinedObject: Block? {
    guard hasMark(Mark.inner) else { return nil }
    return (self - Int(pointee.generation)).block
  }

  /// The object of a header slot.
  package var block: Block? {
    guard pointee.kind == Kind.header, let reference else { return nil }
    return unsafeDowncast(reference.takeUnretainedValue(), to: Block.self)
  }
}
