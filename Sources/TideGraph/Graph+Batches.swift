package import CTideSlots

extension Graph {
  /// Runs a function and settles once when it returns, however many slots it writes.
  ///
  /// Inside the function, computed values are up to date when read. Bound slots, observers and
  /// effects wait until the end.
  ///
  /// - Throws: The function's error, after its writes have settled.
  public func batch<R>(_ body: () throws -> R) rethrows -> R {
    beginBatch()
    defer { endBatch() }
    return try body()
  }

  /// The memory that is shared with the interpreter.
  package var memory: UnsafeMutablePointer<TideArena> { arena }

  package func beginBatch() { arena.pointee.batch += 1 }

  package func endBatch() {
    arena.pointee.batch -= 1
    if arena.pointee.batch == 0 { settleIfIdle() }
  }

  /// Defers a write until propagation is allowed, and marks the computed slots that the write makes
  /// stale.
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

  /// Marks the downstream computed slots as `check`. Those that are being evaluated will run again.
  ///
  /// - Parameter first: The mark for the slot's direct dependents: `stale` if the slot has changed,
  ///   `check` if it may have changed.
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
    // The effect that performs the write does not depend on the slots that the bindings' functions
    // read.
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
          // The slot was read before its turn, and one of its dependencies was written since. It is
          // evaluated again in its turn, because its dependents have not been notified of its
          // current value.
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

  /// Abandons the pending writes: evaluations that keep writing the slots they read never settle.
  private func giveUp(_ roots: [UInt32]) {
    for root in roots { (slots + Int(root)).clear(Mark.pending) }
    guard let first = roots.first else { return }
    report(loop: [slots + Int(first), slots + Int(first)])
  }
}
