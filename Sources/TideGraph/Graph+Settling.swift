import CTideSlots

extension Graph {
  /// The maximum number of dependencies that are searched for queued slots.
  private static var mostLookedThrough: Int { 256 }

  /// Prepares a slot for its first read by an evaluation in the middle of a wave. Dependencies of
  /// the slot may still be queued. Their dependents are marked `check`, so reading the slot
  /// evaluates only the slots in between, ahead of their turn.
  ///
  /// If bindings or too many slots are in between, the wave runs up to the slot's height instead.
  @inline(never)
  func settle(before slot: Slot) {
    guard slot.pointee.kind == Kind.computed else {
      if slot.pointee.firstIn != 0 { settle(upTo: slot.pointee.height) }
      return
    }
    var seen = [slot.index]
    slot.mark(Mark.seen)
    var index = 0
    var left = Self.mostLookedThrough
    while index < seen.count, left > 0 {
      let next = slots + Int(seen[index])
      index += 1
      var edge = next.pointee.firstIn
      while edge != 0, left > 0 {
        left -= 1
        let source = slots + Int(edges[Int(edge)].source)
        edge = edges[Int(edge)].nextIn
        if source.pointee.height < state.pointee.waveHeight { continue }
        if source.hasMark(Mark.queued), source.hasMark(Mark.stale),
          !next.hasMark(Mark.stale | Mark.check)
        {
          markDependents(of: source, as: Mark.check, andRunning: false)
        }
        if source.pointee.kind != Kind.computed {
          // Bindings write the source.
          if source.pointee.firstIn != 0 || source.hasMark(Mark.queued) { left = 0 }
        } else if !source.hasMark(Mark.seen) {
          source.mark(Mark.seen)
          seen.append(source.index)
        }
      }
    }
    for index in seen { (slots + Int(index)).clear(Mark.seen) }
    if left == 0 { settle(upTo: slot.pointee.height) }
  }

  /// Settles everything up to a height, for an evaluation that reads a value which this wave may
  /// not have updated yet.
  @inline(never)
  func settle(upTo height: UInt32) {
    let outerHeight = state.pointee.waveHeight
    let outerFloor = state.pointee.askingFloor
    let blockedBefore = state.pointee.blocked.count
    state.pointee.askingFloor = state.pointee.evaluationDepth
    while let ready = nextWaiting(upTo: height) {
      arena.pointee.steps &+= 1
      if arena.pointee.steps > state.pointee.liveEdges &+ 8, exceedsRoundLimit(evaluating: ready) {
        break
      }
      propagateWithoutDraining(from: ready, onlyMarked: state.pointee.wasEvaluatedAhead)
    }
    state.pointee.askingFloor = outerFloor
    requeueBlocked(since: blockedBefore)
    state.pointee.waveHeight = outerHeight
  }

  /// Queues the slots again that were evaluated before one of their dependencies.
  private func requeueBlocked(since start: Int) {
    while state.pointee.blocked.count > start, let index = state.pointee.blocked.popLast() {
      let slot = slots + Int(index)
      guard slot.pointee.kind == Kind.computed else { continue }
      if !slot.hasMark(Mark.live) {
        // The slot has no live dependents any more, so it propagates its change when it is read.
        if !slot.hasMark(Mark.queued) { slot.clear(Mark.evaluatedAhead) }
      } else if slot.hasMark(Mark.stale) {
        enqueue(index, slot)
      }
    }
  }
}

extension Graph {
  /// Makes `drainTouched` report this slot's changes.
  package func watch(_ slot: Slot) {
    slot.mark(Mark.watched)
    slot.pointee.access |= Access.observed
  }

  @inline(never)
  func touch(_ slot: Slot) {
    if slot.hasMark(Mark.touched) { return }
    slot.mark(Mark.touched)
    let isFirst = state.pointee.touched.isEmpty
    state.pointee.touched.append(slot.index)
    if isFirst { onTouch?() }
  }

  package var hasTouched: Bool { !state.pointee.touched.isEmpty }

  /// Visits the watched slots that have changed since the last call, each once, in the order of
  /// their first change.
  package func drainTouched(_ visit: (Slot) -> Void) {
    while !state.pointee.touched.isEmpty {
      var slotsNow: [UInt32] = []
      swap(&slotsNow, &state.pointee.touched)
      for index in slotsNow {
        let slot = slots + Int(index)
        slot.clear(Mark.touched)
        if slot.pointee.kind != Kind.free { visit(slot) }
      }
    }
    if !isBusy && arena.pointee.batch == 0 { recycleDead() }
  }
}
