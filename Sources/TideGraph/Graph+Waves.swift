import CTideSlots

// A wave is all that follows from one change, or from those of a batch: it begins with a write and
// ends when nothing is stale and every effect has run.

extension Graph {
  /// Tells the graph that a slot has a new value: everything that depends on it is settled, or
  /// will be when the outermost batch ends.
  package func changed(_ slot: Slot) {
    if slot.hasMark(Mark.watched) { touch(slot) }
    if slot.pointee.firstOut == 0 { return }
    if arena.pointee.batch > 0 || arena.pointee.evaluating > 0 || arena.pointee.isRunning {
      postpone(slot)
      return
    }
    if copiesAlone(slot) { return endWave() }
    // The effect that writes does not depend on what the functions of bindings read.
    if _slowPath(isTracking) { return untracked { changed(slot) } }
    // Objects that the wave makes belong to this graph.
    if _slowPath(elder != nil), tide_thread().pointee.entered != arena {
      return entered { changed(slot) }
    }
    beginWave()
    propagate(from: slot.index)
    endWave()
  }

  @inline(__always)
  func beginWave() {
    // Effects that keep writing are not a loop of edges: their rounds have a count of their own.
    arena.pointee.steps = 0
    if arena.pointee.isFlushing { return }
    arena.pointee.wave &+= 1
  }

  /// Runs effects and observers, unless an outer wave will.
  @inline(__always)
  func endWave() {
    if _slowPath(arena.pointee.hasLeftovers) { finishWave() }
  }

  /// Does what waited for the wave to end, and gives back what it might still have looked at.
  @inline(never)
  func finishWave() {
    if !state.pointee.pending.isEmpty { settlePending() }
    if arena.pointee.isFlushing { return }
    if !state.pointee.effects.isEmpty { flushEffects() }
    if state.pointee.foundCycle, !isBusy { endCycles() }
    recycleDead()
    if !state.pointee.stepCounts.isEmpty { state.pointee.stepCounts.removeAll() }
    if !state.pointee.lastRounds.isEmpty { state.pointee.lastRounds = LastRounds() }
    if !state.pointee.evaluationCounts.isEmpty { state.pointee.evaluationCounts.removeAll() }
    arena.pointee.hasLeftovers =
      !state.pointee.pending.isEmpty || state.pointee.withheldShortcuts.contains(.quietEnd)
    if let drainObserved, arena.pointee.batch == 0, !isBusy { drainObserved() }
  }

  /// Reads what has changed outside of the graph, and settles.
  package func settle() {
    drainObserved?()
    settleIfIdle()
  }

  /// Does what an interpreter has left to do, which has changed slots by itself.
  package func catchUp() {
    settleIfIdle()
    if arena.pointee.hasLeftovers && !isBusy && arena.pointee.batch == 0 { finishWave() }
  }

  /// Lets the end of the next wave look for what is left to do.
  package func setHasLeftovers() { arena.pointee.hasLeftovers = true }

  @inline(never)
  func recycleDead() {
    if isBusy || !state.pointee.pending.isEmpty { return }
    for body in state.pointee.deadBodies { bodies.release(body) }
    state.pointee.deadBodies.removeAll(keepingCapacity: true)
    for edge in state.pointee.deadEdges { recycleEdge(edge) }
    state.pointee.deadEdges.removeAll(keepingCapacity: true)
    if !state.pointee.touched.isEmpty { return }
    let blocks = state.pointee.deadBlocks
    state.pointee.deadBlocks.removeAll(keepingCapacity: true)
    for block in blocks { recycle(slots + Int(block)) }
  }

  /// Gives up one use of a body, which may be the one that runs.
  func releaseBody(_ body: UInt32) {
    if body == 0 { return }
    if isBusy {
      state.pointee.deadBodies.append(body)
      arena.pointee.hasLeftovers = true
    } else {
      bodies.release(body)
    }
  }
}
