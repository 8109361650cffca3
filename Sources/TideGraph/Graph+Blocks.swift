import CTideSlots

extension Graph {
  /// Allocates consecutive slots, all of them empty sources, and returns the first.
  package func allocate(slots count: UInt32) -> Slot {
    let first = reserve(slots: count)
    let generation = first.pointee.generation
    for i in 0..<Int(count) {
      first[i] = TideSlot()
      first[i].generation = i == 0 ? generation : UInt32(i)
      first[i].state = i == 0 ? 0 : Mark.inner
      first[i].kind = Kind.source
    }
    return first
  }

  /// Allocates consecutive slots and sets nothing but the first slot's generation.
  @inline(__always)
  func reserve(slots count: UInt32) -> Slot {
    if tide_arena_has_remote(arena) != 0 { reclaimRemoteBlocks() }
    state.pointee.liveBlocks += 1
    state.pointee.liveSlots += Int(count)
    let first = reuse(count) ?? extend(count)
    // A slot inside a block may previously have been the header of another block.
    if first.pointee.generation & TIDE_BLOCK_GENERATION == 0 {
      first.pointee.generation = state.pointee.firstGeneration
    }
    return first
  }

  @inline(__always)
  private func reuse(_ count: UInt32) -> Slot? {
    if count < 64 {
      let free = arena.freeBlocks(ofSize: count)
      if free.pointee == 0 { return nil }
      let first = slots + Int(free.pointee)
      free.pointee = first.pointee.firstOut
      return first
    }
    return largeFreeBlocks[count]?.popLast().map { slots + Int($0) }
  }

  @inline(__always)
  private func extend(_ count: UInt32) -> Slot {
    let index = arena.pointee.slotCount, end = index + count
    if _slowPath(end > arena.pointee.slotCapacity) { growSlots(to: end) }
    arena.pointee.slotCount = end
    // Prefault 48 KiB ahead, except in small graphs.
    if (index ^ end) >> 10 != 0 { tide_prefault(slots + Int(end & ~1023), 48 << 10) }
    return slots + Int(index)
  }

  /// Ends everything that depends on an object's slots and frees its block.
  package func freeBlock(_ header: Slot) {
    let count = header.pointee.kind == Kind.header ? Int(header.pointee.hi) : 1
    if _slowPath(!state.pointee.formerBlocks.isEmpty) { freeFormerBlocks(of: header) }
    // First, so that a script that still refers to the object sees that it is gone.
    header.pointee.generation &+= 1
    if header.pointee.kind == Kind.header {
      header.pointee.lo = 0
      if header.pointee.cache != 0 { header.buryCache() }
    }
    for i in 0..<count {
      let slot = header + i
      dropEdges(of: slot)
      if let object = slot.takeObject() { scheduleRelease(object) } else { slot.releasePayload() }
      if slot.pointee.body != 0 && slot.pointee.kind != Kind.header {
        releaseBody(slot.pointee.body)
        slot.pointee.body = 0
      }
      slot.pointee.access = 0
      slot.pointee.kind = Kind.free
    }
    state.pointee.liveBlocks -= 1
    state.pointee.liveSlots -= count
    header.pointee.hi = UInt64(count)
    if isBusy || !state.pointee.pending.isEmpty || !state.pointee.touched.isEmpty {
      state.pointee.deadBlocks.append(header.index)
      arena.pointee.hasLeftovers = true
    } else {
      recycle(header)
    }
  }

  /// Releases the object that a freed slot held. A chain of objects is released iteratively, so
  /// that a long chain causes no deep recursion.
  private func scheduleRelease(_ object: Unmanaged<AnyObject>) {
    state.pointee.pendingReleases.append(object)
    if state.pointee.isReleasing { return }
    state.pointee.isReleasing = true
    while let next = state.pointee.pendingReleases.popLast() { next.release() }
    state.pointee.isReleasing = false
  }

  private func freeFormerBlocks(of header: Slot) {
    let former = state.pointee.formerBlocks.removeValue(forKey: header.index)
    for index in former ?? [] { freeBlock(slots + Int(index)) }
  }

  func recycle(_ header: Slot) {
    let count = Int(header.pointee.hi)
    if count < 64 {
      let free = arena.freeBlocks(ofSize: UInt32(count))
      header.pointee.firstOut = free.pointee
      free.pointee = header.index
    } else {
      largeFreeBlocks[UInt32(count), default: []].append(header.index)
    }
  }

  /// Tells the host to reclaim what was released on another thread. Any thread may call it.
  package func noteRemoteRelease() { tide_arena_free_remote_node(slots) }

  /// Reclaims the nodes and the objects' blocks that other threads released.
  package func reclaimRemoteBlocks() {
    while let node = tide_arena_take_remote_node(arena) {
      // Slot 0, which is never used, stands for objects that the host reclaims.
      if node == slots { host?.reclaim(self) } else { dispose(node) }
    }
    var index = tide_arena_take_remote(arena)
    while index != 0 {
      let header = slots + Int(index)
      index = header.pointee.firstIn
      header.pointee.firstIn = 0
      freeBlock(header)
    }
  }
}

extension UnsafeMutablePointer where Pointee == TideArena {
  /// The head of the list of free blocks of a size below 64.
  @inline(__always)
  func freeBlocks(ofSize size: UInt32) -> UnsafeMutablePointer<UInt32> {
    tide_arena_free_blocks(self, size)
  }
}
