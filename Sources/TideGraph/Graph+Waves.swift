import CTideSlots

// A wave is the propagation of one change, or of the changes of one batch. It begins with a write
// and ends when no slot is stale and every effect has run.

extension Graph {
  /// Notifies the graph of a slot's new value. Everything that depends on the slot settles now, or
  /// when the outermost batch ends.
  package func changed(_ slot: Slot) {
    if slot.hasMark(Mark.watched) { touch(slot) }
    if slot.pointee.firstOut == 0 { return }
    if arena.pointee.batch > 0 || arena.pointee.evaluating > 0 || arena.pointee.isRunning {
      postpone(slot)
      return
    }
    if copiesAlone(slot) { return endWave() }
    // The effect that performs the write does not depend on the slots that bindings' functions
    // read.
    if _slowPath(isTracking) { return untracked { changed(slot) } }
    // Objects that are created during the wave belong to this graph.
    if _slowPath(elder != nil), tide_thread().pointee.entered != arena {
      return entered { changed(slot) }
    }
    beginWave()
    propagate(from: slot.index)
    endWave()
  }

  @inline(__always)
  func beginWave() {
    // Effects that keep writing do not form a loop of edges; their rounds are counted separately.
    arena.pointee.steps = 0
    if arena.pointee.isFlushing { return }
    arena.pointee.wave &+= 1
  }

  /// Runs effects and observers, unless an outer wave will.
  @inline(__always)
  func endWave() {
    if _slowPath(arena.pointee.hasLeftovers) { finishWave() }
  }

  /// Runs what was deferred until the end of the wave, and frees the records that the wave might
  /// still have used.
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

  /// Reads the changes of observable objects outside of the graph, and settles.
  package func settle() {
    drainObserved?()
    settleIfIdle()
  }

  /// Finishes the work that is left after an interpreter has changed slots directly.
  package func catchUp() {
    settleIfIdle()
    if arena.pointee.hasLeftovers && !isBusy && arena.pointee.batch == 0 { finishWave() }
  }

  /// Makes the end of the next wave finish deferred work.
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

  /// Releases one use of a body, which may be running.
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
