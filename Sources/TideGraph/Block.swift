import CTideSlots

/// An object whose observable values lie side by side, in a graph's memory as soon as it has joined
/// one.
///
/// The first slot of a block is its header, which finds the object; the others are its values. The
/// object may be released on any thread: where its graph is not, the block is queued and taken back
/// by its owner.
nonisolated open class Block {
  /// The first slot of the block, which may be nobody's.
  // Unchecked, because nobody holds access to it while calling anything.
  @exclusivity(unchecked) @usableFromInline package final var firstSlot: Slot

  /// Stands for a block until `adopt(valueCount:)` gives one.
  package init() { firstSlot = tide_nursery_nothing() }

  /// Takes a block of the graph of whoever runs here, with room for some values.
  ///
  /// - Parameter isUnjoined: whether it is to belong to nobody until it joins a graph.
  package init(valueCount: Int, isUnjoined: Bool = false) {
    firstSlot = tide_nursery_nothing()
    if isUnjoined {
      adoptUnjoined(valueCount: valueCount)
    } else {
      adopt(valueCount: valueCount)
    }
  }

  /// Takes a block of the graph of whoever runs here; once for an object.
  package final func adopt(valueCount: Int) {
    begin(at: Graph.current.allocate(slots: UInt32(valueCount) + 1), valueCount)
  }

  /// Takes a block that belongs to nobody; once for an object.
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

  /// Whether it has joined no graph yet.
  @inlinable
  package final var isUnjoined: Bool { firstSlot.isUnjoined }

  /// The first slot of the block, in a graph: one that is nobody's joins that of whoever runs here.
  package final var header: Slot {
    @inline(__always) get {
      if _slowPath(firstSlot.isUnjoined) { joinHere() }
      return firstSlot
    }
    @inline(__always) set { firstSlot = newValue }
  }

  @inline(never)
  private final func joinHere() { join(Graph.current) }

  /// Joins a graph, with all that it holds; nothing happens where it has one.
  package final func join(_ graph: Graph) {
    if isUnjoined, firstSlot.pointee.kind == Kind.header { graph.take(self) }
  }

  /// The slot of a value of an object, which first joins the graph if it has joined none; without
  /// an object, the slot that is known.
  package static func slot(
    _ distance: Int, in object: Block?, or known: Slot, joining graph: Unmanaged<Graph>? = nil
  ) -> Slot {
    guard let object else { return known }
    graph?._withUnsafeGuaranteedRef { object.join($0) }
    return object.firstSlot + distance
  }

  /// How many values follow the header.
  package final var valueCount: Int { max(0, Int(firstSlot.pointee.hi) - 1) }

  /// The graph that this object belongs to. One that belongs to nobody joins that of whoever runs
  /// here.
  public final var graph: Graph { Graph.of(header) }

  /// The graph that it has joined.
  package final var joinedGraph: Graph? { isUnjoined ? nil : Graph.of(firstSlot) }
}

extension Block: SlotOwner {
  package final var slotAddress: UnsafeMutableRawPointer { UnsafeMutableRawPointer(header) }
}

extension Slot {
  /// The header of the block that this slot is part of; nil for a node that stands for itself.
  package var blockHeader: Slot? {
    if pointee.kind == Kind.header { return self }
    guard hasMark(Mark.inner) else { return nil }
    let header = self - Int(pointee.generation)
    return header.pointee.kind == Kind.header ? header : nil
  }

  /// The object that has a slot which is nobody's; nil before the object has its block.
  package var unjoinedObject: Block? {
    guard hasMark(Mark.inner) else { return nil }
    return (self - Int(pointee.generation)).block
  }

  /// The object that a header slot stands for.
  package var block: Block? {
    guard pointee.kind == Kind.header, let reference else { return nil }
    return unsafeDowncast(reference.takeUnretainedValue(), to: Block.self)
  }
}
