public import CTideSlots

extension Graph {
  /// Records that the slot being evaluated, if there is one, depends on this one.
  @inlinable @inline(__always)
  package func track(_ slot: Slot) {
    if arena.pointee.active != 0 { record(slot.index) }
  }

  /// A read in the same order as last time finds its edge at the cursor.
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
    if slots[Int(active)].state & Mark.thinned != 0, skipDead(before: source) { return }
    let last = arena.pointee.lastRead
    if last != 0 && edges[Int(last)].source == source { return }
    if arena.pointee.isRunning && slots[Int(source)].height >= state.pointee.waveHeight
      && state.pointee.waiting > 0
    {
      settle(upTo: slots[Int(source)].height)
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

  /// Goes past dependencies whose source is gone; true when the next one is what is being read.
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

  /// Takes the dependencies whose source went while the slot ran out of its list.
  private func takeOutDead(of slot: Slot) {
    slot.clear(Mark.thinned)
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

  /// A slot that is freed while it runs reads on, and depends on nothing.
  func stopRecording(for slot: Slot) {
    slot.clear(Mark.thinned)
    if arena.pointee.active == slot.index { resume(Tracking(active: 0, cursor: 0, lastRead: 0)) }
  }

  /// Goes on recording for whoever was evaluated around this, unless that was freed meanwhile.
  private func resume(_ outer: Tracking) {
    let isGone = outer.active != 0 && slots[Int(outer.active)].kind == Kind.free
    arena.pointee.active = isGone ? 0 : outer.active
    arena.pointee.cursor = isGone ? 0 : outer.cursor
    arena.pointee.lastRead = isGone ? 0 : outer.lastRead
  }

  /// Brings a slot up to date before it is read.
  ///
  /// Throws what its body threw, `CycleError` when it is being evaluated already, `DepthError`
  /// where evaluations nest too deep for the stack.
  @inlinable @inline(__always)
  package func refresh(_ slot: Slot) throws {
    if slot.pointee.access & UInt8(TIDE_DERIVED) != 0 { try refreshDerived(slot) }
  }

  /// Brings a slot up to date and records the read. The read of a failed slot is recorded as well,
  /// so that the reader runs again when the slot recovers.
  package func refreshTracking(_ slot: Slot) throws {
    do {
      try refresh(slot)
    } catch {
      // Except of a slot that is running: it would depend on itself.
      if slot.hasMark(Mark.failed) && !slot.hasMark(Mark.running) { track(slot) }
      throw error
    }
    track(slot)
  }

  @usableFromInline
  func refreshDerived(_ slot: Slot) throws {
    if slot.hasMark(Mark.stale | Mark.check | Mark.running) { try refreshStale(slot) }
    if slot.hasMark(Mark.failed), let failure = failure(of: slot) { throw failure }
  }

  package func failure(of slot: Slot) -> (any Error)? {
    bodies.with(slot.pointee.body, as: ComputedBody.self) { $0.failure } ?? nil
  }

  @inline(never)
  private func refreshStale(_ slot: Slot) throws {
    if slot.hasMark(Mark.running) {
      if blockEvaluations(waitingFor: slot) { throw BlockedError() }
      throw cycle(through: slot)
    }
    if !slot.hasMark(Mark.stale) {
      var edge = slot.pointee.firstIn
      while edge != 0 && !slot.hasMark(Mark.stale) {
        let source = slots + Int(edges[Int(edge)].source)
        if source.hasMark(Mark.stale | Mark.check) && !source.hasMark(Mark.running) {
          try? refreshStale(source)
          if source.hasMark(Mark.blocked) { throw BlockedError() }
        }
        edge = edges[Int(edge)].nextIn
      }
      slot.clear(Mark.check)
      if !slot.hasMark(Mark.stale) { return }
    }
    if arena.pointee.evaluating >= Self.nestingBeforeBottomUp { refreshDependencies(of: slot) }
    if stackIsShort() { throw DepthError() }
    if evaluate(slot) { tellDependents(slot) }
    if slot.hasMark(Mark.blocked) { throw BlockedError() }
    settleIfIdle()
  }

  /// How deep evaluations nest before what is further up is brought up to date by itself.
  private static var nestingBeforeBottomUp: Int { 16 }

  /// Brings what a slot read last time up to date, from the bottom up and without recursion, so
  /// that a long chain that was read before can be read again at any depth.
  private func refreshDependencies(of slot: Slot) {
    // What it read last time it may not ask for this time.
    let outerFloor = state.pointee.askingFloor
    let blockedBefore = state.pointee.blocked.count
    state.pointee.askingFloor = state.pointee.evaluationDepth
    defer {
      state.pointee.askingFloor = outerFloor
      // They stay stale, and somebody else has them in mind.
      state.pointee.blocked.removeSubrange(blockedBefore...)
    }
    var work: [Slot] = [slot]
    while let top = work.last {
      var edge = top.pointee.firstIn
      var stale: Slot?
      while edge != 0 && stale == nil {
        let source = slots + Int(edges[Int(edge)].source)
        let isStale = source.hasMark(Mark.stale | Mark.check) && !source.hasMark(Mark.running)
        if isStale && source.pointee.firstIn != 0 { stale = source }
        edge = edges[Int(edge)].nextIn
      }
      if let stale, work.count < 1 << 20 {
        work.append(stale)
        continue
      }
      work.removeLast()
      if work.isEmpty { return }
      if !top.hasMark(Mark.stale) {
        top.clear(Mark.check)
      } else if evaluate(top) {
        tellDependents(top)
      }
      // One that stays stale, because it failed, must not be tried for ever.
      if top.hasMark(Mark.stale) { return }
    }
  }

  /// A slot found its new value because somebody read it, not because it was its turn.
  private func tellDependents(_ slot: Slot) {
    var edge = slot.pointee.firstOut
    while edge != 0 {
      let target = slots + Int(edges[Int(edge)].target)
      if target.pointee.kind == Kind.computed && !target.hasMark(Mark.running) {
        target.mark(Mark.stale)
      }
      edge = edges[Int(edge)].nextOut
    }
    guard slot.hasMark(Mark.live) || slot.hasMark(Mark.watched) else { return }
    if slot.hasMark(Mark.queued) {
      slot.mark(Mark.early)
    } else {
      if slot.hasMark(Mark.watched) { touch(slot) }
      if !slot.hasMark(Mark.pending) {
        slot.mark(Mark.pending)
        state.pointee.pending.append(slot.index)
        arena.pointee.hasLeftovers = true
      }
    }
  }

  /// Brings a computed slot up to date, recording what it reads; true when the value changed.
  func evaluate(_ slot: Slot) -> Bool {
    guard arena.pointee.history != nil else { return evaluateBody(of: slot) }
    return noting(.function, by: slot) { Graph.noting(slot) { evaluateBody(of: slot) } }
  }

  @inline(__always)
  private func evaluateBody(of slot: Slot) -> Bool {
    slot.clear(Mark.stale | Mark.check | Mark.blocked)
    let hadFailed = slot.hasMark(Mark.failed)
    var changed = false
    var keepsReads = false
    let outer = beginTracking(slot)
    evaluations[state.pointee.evaluationDepth] = slot.index
    state.pointee.evaluationDepth &+= 1
    arena.pointee.evaluating &+= 1
    bodies.with(slot.pointee.body, as: ComputedBody.self) { body in
      do {
        changed = try body.evaluate(slot)
        if hadFailed {
          body.failure = nil
          slot.clear(Mark.failed)
          changed = true
        }
      } catch {
        if slot.hasMark(Mark.blocked) { return }
        body.failure = error
        slot.mark(Mark.failed)
        if let error = error as? any PassingFailure {
          if error.isPassing { slot.mark(Mark.stale) }
          keepsReads = error.keepsReads
        }
        changed = true
      }
    }
    state.pointee.evaluationDepth &-= 1
    arena.pointee.evaluating &-= 1
    endTracking(slot, outer, keepingReads: keepsReads)
    if slot.hasMark(Mark.outrun | Mark.blocked | Mark.overflowed) {
      if failOverflowed(slot) { changed = true }
      slot.clear(Mark.outrun)
      slot.mark(Mark.stale)
      // Whatever has read it is no more current than it.
      markDependents(of: slot)
    }
    return changed
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

  /// Drops the dependencies that were not read this time, unless they are to be kept.
  @inline(__always)
  func endTracking(_ slot: Slot, _ outer: Tracking, keepingReads: Bool = false) {
    slot.clear(Mark.running)
    if _slowPath(slot.hasMark(Mark.thinned)) { takeOutDead(of: slot) }
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

  /// Runs a function whose reads nobody depends on.
  public func untracked<R>(_ body: () throws -> R) rethrows -> R {
    let outer = Tracking(
      active: arena.pointee.active, cursor: arena.pointee.cursor,
      lastRead: arena.pointee.lastRead)
    arena.pointee.active = 0
    defer { resume(outer) }
    return try body()
  }

  /// A change's settling, in the middle of an evaluation, takes up what may need the very value
  /// that is being evaluated. That is no loop as long as nobody asked for it: the evaluations since
  /// then are given up, and made up for afterwards. False where it is a loop.
  private func blockEvaluations(waitingFor slot: Slot) -> Bool {
    let floor = state.pointee.askingFloor, depth = state.pointee.evaluationDepth
    if floor >= depth { return false }
    let running = UnsafeBufferPointer(start: evaluations, count: depth)
    guard let place = running.lastIndex(of: slot.index), place < floor else { return false }
    for index in running[floor...] {
      let waiting = slots + Int(index)
      guard waiting.pointee.kind == Kind.computed else { continue }
      waiting.mark(Mark.blocked)
      state.pointee.blocked.append(index)
    }
    return true
  }

  private func cycle(through slot: Slot) -> CycleError {
    let running = UnsafeBufferPointer(start: evaluations, count: state.pointee.evaluationDepth)
    let start = running.lastIndex(of: slot.index) ?? 0
    return CycleError(loop: running[start...] + [slot.index])
  }
}

extension Graph {
  /// The slots that a function reads.
  package func slotsRead(by body: () -> Void) -> [Slot] {
    let probe = allocate(slots: 1)
    // Computed, and dead: recording makes nothing live.
    probe.pointee.kind = Kind.computed
    let outer = beginTracking(probe)
    // As in an evaluation: records that are given up meanwhile are not given out again.
    arena.pointee.evaluating &+= 1
    body()
    arena.pointee.evaluating &-= 1
    endTracking(probe, outer)
    let read = dependencies(of: probe).map { source(of: $0) }
    dispose(probe)
    return read
  }
}
