package import CTideSlots

extension Graph {
  /// Runs a function and settles once at its end, whatever it writes.
  ///
  /// Inside, computed values read fresh, while bound slots, observers and effects wait.
  ///
  /// - Throws: what the function throws, after what it has written has settled.
  public func batch<R>(_ body: () throws -> R) rethrows -> R {
    beginBatch()
    defer { endBatch() }
    return try body()
  }

  /// The memory that the interpreter shares.
  package var memory: UnsafeMutablePointer<TideArena> { arena }

  package func beginBatch() { arena.pointee.batch += 1 }

  package func endBatch() {
    arena.pointee.batch -= 1
    if arena.pointee.batch == 0 { settleIfIdle() }
  }

  /// Defers a write until it may propagate, and marks the computed slots that it makes stale.
  @inline(never)
  func postpone(_ slot: Slot) {
    if !slot.hasMark(Mark.pending) {
      slot.mark(Mark.pending)
      state.pointee.pending.append(slot.index)
      arena.pointee.postponed = 1
      arena.pointee.hasLeftovers = true
    } else if state.pointee.hasTwoWayBindings {
      noteRewrite(of: slot)
    }
    markDependents(of: slot)
  }

  /// Marks the computed slots downstream as `check`; those that are running will have to run again.
  ///
  /// - Parameter first: the mark for direct dependents of the slot: `stale` if it has changed,
  ///   `check` if it may have.
  func markDependents(
    of slot: Slot, as first: UInt32 = Mark.stale, andRunning marksRunning: Bool = true
  ) {
    var work: [UInt32] = []
    var node = slot.index
    var mark = first
    repeat {
      var edge = slots[Int(node)].firstOut
      while edge != 0 {
        let index = edges[Int(edge)].target
        let target = slots + Int(index)
        if target.pointee.kind == Kind.computed && target.hasMark(Mark.running) {
          if marksRunning {
            target.mark(Mark.mustRerun)
            state.pointee.rerunCause = slot.index
          }
        } else if target.pointee.kind == Kind.computed {
          if !target.hasMark(Mark.stale | Mark.check) && target.pointee.firstOut != 0 {
            work.append(index)
          }
          target.mark(mark)
        }
        edge = edges[Int(edge)].nextOut
      }
      mark = Mark.check
      node = work.popLast() ?? 0
    } while node != 0
  }

  package func settleIfIdle() {
    if state.pointee.pending.isEmpty || arena.pointee.batch > 0 { return }
    if arena.pointee.isRunning || arena.pointee.evaluating > 0 { return }
    settleNow()
  }

  @inline(never)
  private func settleNow() {
    // The effect that writes does not depend on what the functions of bindings read.
    if isTracking { return untracked { settleNow() } }
    beginWave()
    settlePending()
    endWave()
  }

  /// Propagates all deferred writes together.
  func settlePending() {
    if arena.pointee.batch > 0 || arena.pointee.isRunning || arena.pointee.evaluating > 0 {
      return
    }
    var rounds = 0
    while !state.pointee.pending.isEmpty {
      var roots: [UInt32] = []
      swap(&roots, &state.pointee.pending)
      arena.pointee.postponed = 0
      rounds += 1
      if rounds > Graph.roundLimit { return giveUp(roots) }
      let superseded = markSuperseded(by: &roots)
      for index in roots {
        let slot = slots + Int(index)
        slot.clear(Mark.pending)
        if slot.pointee.kind == Kind.free || slot.pointee.firstOut == 0 { continue }
        if slot.hasMark(Mark.stale | Mark.check) {
          // It was read ahead of its turn, and something upstream was written since. It takes its
          // turn like the others; its dependents have not been notified of its present value.
          slot.mark(Mark.stale | Mark.evaluatedAhead)
          enqueue(index, slot)
          continue
        }
        propagateWithoutDraining(from: index, onlyMarked: true)
      }
      propagate(from: 0)
      clearSuperseded(superseded)
    }
  }

  /// Evaluations that keep writing what they read never settle.
  private func giveUp(_ roots: [UInt32]) {
    for root in roots { (slots + Int(root)).clear(Mark.pending) }
    guard let first = roots.first else { return }
    report(loop: [slots + Int(first), slots + Int(first)])
  }
}
