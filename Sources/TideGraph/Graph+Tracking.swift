public import CTideSlots

// The reads of a slot during its evaluation, stored as its edges in the order of the reads.

extension Graph {
  /// Records that the slot being evaluated, if any, depends on this one.
  @inlinable @inline(__always)
  package func track(_ slot: Slot) {
    if arena.pointee.active != 0 { record(slot.index) }
  }

  /// Records a read. A read in the same order as last time finds its edge at the cursor.
  @usableFromInline
  func record(_ source: UInt32) {
    let cursor = arena.pointee.cursor
    if cursor != 0 && edges[Int(cursor)].source == source {
      arena.pointee.lastRead = cursor
      arena.pointee.cursor = edges[Int(cursor)].nextIn
      return
    }
    recordNew(source)
  }

  @inline(never)
  private func recordNew(_ source: UInt32) {
    let active = arena.pointee.active
    if source == active { return }
    if slots[Int(active)].state & Mark.hasDeadInputs != 0, skipDead(before: source) { return }
    let last = arena.pointee.lastRead
    if last != 0 && edges[Int(last)].source == source { return }
    if arena.pointee.isRunning && slots[Int(source)].height >= state.pointee.waveHeight
      && state.pointee.waiting > 0
    {
      settle(before: slots + Int(source))
    }
    guard canRecordReads else { return slots[Int(active)].state |= Mark.overflowed }
    let edge = makeEdge(source, active)
    edges[Int(edge)].nextIn = arena.pointee.cursor
    if last != 0 {
      edges[Int(last)].nextIn = edge
    } else {
      slots[Int(active)].firstIn = edge
    }
    arena.pointee.lastRead = edge
  }

  /// Skips dependencies whose source is freed. Returns true if the next one is the slot being read.
  private func skipDead(before source: UInt32) -> Bool {
    var cursor = arena.pointee.cursor
    while cursor != 0 && edges[Int(cursor)].flags & EdgeFlag.dead != 0 {
      cursor = edges[Int(cursor)].nextIn
    }
    arena.pointee.cursor = cursor
    guard cursor != 0 && edges[Int(cursor)].source == source else { return false }
    arena.pointee.lastRead = cursor
    arena.pointee.cursor = edges[Int(cursor)].nextIn
    return true
  }

  /// Removes the dependencies whose source was freed during the slot's evaluation.
  private func removeDead(of slot: Slot) {
    slot.clear(Mark.hasDeadInputs)
    var previous: EdgeIndex = 0
    var edge = slot.pointee.firstIn
    while edge != 0 {
      let next = edges[Int(edge)].nextIn
      if edges[Int(edge)].flags & EdgeFlag.dead == 0 {
        previous = edge
      } else {
        if previous == 0 { slot.pointee.firstIn = next } else { edges[Int(previous)].nextIn = next }
        if arena.pointee.cursor == edge { arena.pointee.cursor = next }
        if arena.pointee.lastRead == edge { arena.pointee.lastRead = previous }
      }
      edge = next
    }
  }

  /// Stops recording for a slot that is freed while it runs. Its further reads create no
  /// dependencies.
  func stopRecording(for slot: Slot) {
    slot.clear(Mark.hasDeadInputs)
    if arena.pointee.active == slot.index { resume(Tracking(active: 0, cursor: 0, lastRead: 0)) }
  }

  /// Resumes recording for the outer evaluation, unless its slot was freed meanwhile.
  private func resume(_ outer: Tracking) {
    if _fastPath(outer.active == 0) {
      (arena.pointee.active, arena.pointee.cursor, arena.pointee.lastRead) = (0, 0, 0)
      return
    }
    let isGone = outer.active != 0 && slots[Int(outer.active)].kind == Kind.free
    arena.pointee.active = isGone ? 0 : outer.active
    arena.pointee.cursor = isGone ? 0 : outer.cursor
    arena.pointee.lastRead = isGone ? 0 : outer.lastRead
  }

  struct Tracking {
    let active: UInt32
    let cursor: EdgeIndex
    let lastRead: EdgeIndex
  }

  @inline(__always)
  func beginTracking(_ slot: Slot) -> Tracking {
    let outer = Tracking(
      active: arena.pointee.active, cursor: arena.pointee.cursor,
      lastRead: arena.pointee.lastRead)
    arena.pointee.active = slot.index
    arena.pointee.cursor = slot.pointee.firstIn
    arena.pointee.lastRead = 0
    slot.mark(Mark.running)
    return outer
  }

  /// Drops the dependencies that were not read this time, unless `keepingReads` is true.
  @inline(__always)
  func endTracking(_ slot: Slot, _ outer: Tracking, keepingReads: Bool = false) {
    slot.clear(Mark.running)
    if _slowPath(slot.hasMark(Mark.hasDeadInputs)) { removeDead(of: slot) }
    var edge = arena.pointee.cursor
    // A slot that was freed while it ran has no dependencies left.
    if edge != 0 && slot.pointee.kind != Kind.free && !keepingReads {
      let last = arena.pointee.lastRead
      if last != 0 { edges[Int(last)].nextIn = 0 } else { slot.pointee.firstIn = 0 }
      while edge != 0 {
        let next = edges[Int(edge)].nextIn
        removeOut(edge)
        edge = next
      }
    }
    resume(outer)
  }

  /// Runs a function without recording its reads.
  ///
  /// - Throws: The function's error.
  public func untracked<R>(_ body: () throws -> R) rethrows -> R {
    let outer = Tracking(
      active: arena.pointee.active, cursor: arena.pointee.cursor,
      lastRead: arena.pointee.lastRead)
    arena.pointee.active = 0
    defer { resume(outer) }
    return try body()
  }

  /// Whether reads are recorded.
  var isTracking: Bool { arena.pointee.active != 0 }

  /// The slots that a function reads.
  package func slotsRead(by body: () -> Void) -> [Slot] {
    let probe = allocate(slots: 1)
    // A computed slot without dependents, so recording makes no source live.
    probe.pointee.kind = Kind.computed
    let outer = beginTracking(probe)
    // As in an evaluation: edges that are removed meanwhile are not reused.
    arena.pointee.evaluating &+= 1
    body()
    arena.pointee.evaluating &-= 1
    endTracking(probe, outer)
    let read = dependencies(of: probe).map { source(of: $0) }
    dispose(probe)
    return read
  }
}
