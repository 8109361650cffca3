import CTideSlots

extension Graph {
  /// Propagates a change to everything that depends on it, lowest height first; effects are only
  /// queued. If `start` is 0, runs the queued slots.
  @inline(__always)
  func propagate(from start: UInt32) {
    arena.pointee.isRunning = true
    walk(from: start, onlyMarked: false, draining: true)
    state.pointee.waveHeight = 0
    arena.pointee.isRunning = false
  }

  /// Propagates one of several changes that settle together, or propagates up to a height. The
  /// computed slots that it reaches are only queued, so each is evaluated once.
  ///
  /// - Parameter onlyMarked: Whether to skip slots that a read has brought up to date meanwhile.
  func propagateWithoutDraining(from start: UInt32, onlyMarked: Bool) {
    let wasRunning = arena.pointee.isRunning
    arena.pointee.isRunning = true
    // Counts as a queued slot, so that `isLoneComputed` does not take a slot for the last one.
    state.pointee.waiting &+= 1
    walk(from: start, onlyMarked: onlyMarked, draining: false)
    state.pointee.waiting &-= 1
    arena.pointee.isRunning = wasRunning
  }

  /// Walks the edges depth first, along bindings and through computed slots that no effect or
  /// observer depends on. Live computed slots are queued. All propagation except `Shortcuts` uses
  /// this walk.
  ///
  ///     stack ── base ──▶ (next edge, its source) … ◀── top
  ///
  /// Code that runs during the walk may start another walk, above `stackTop`.
  private func walk(from start: UInt32, onlyMarked startsMarked: Bool, draining: Bool) {
    // Local copies, because the compiler reloads the properties after each call.
    let slots = slots, edges = edges, state = state, bodies = bodies
    let base = state.pointee.stackTop
    var top = base
    var node = start
    var edge = slots[Int(node)].firstOut
    var onlyMarked = startsMarked
    var steps = arena.pointee.steps
    let limit = state.pointee.liveEdges &+ 8

    walk: while true {
      while edge != 0 {
        let record = edges + Int(edge)
        let next = record.pointee.nextOut
        let index = record.pointee.target
        let target = slots + Int(index)
        steps &+= 1
        if _fastPath(record.pointee.flags & ~EdgeFlag.back == EdgeFlag.binding) {
          if _slowPath(steps > limit), exceedsRoundLimit(following: edge) { break walk }
          if carry(record, edge, slots + Int(node), index, target, bodies, isNoted: false) {
            let first = target.pointee.firstOut
            if first != 0 && (next == 0 || !leadsToQueued(edges + Int(first), slots)) {
              if next != 0 { push(next, node, at: &top) }
              node = index
              edge = first
              onlyMarked = false
              continue
            }
          }
        } else if next == 0 && top == base && isLoneComputed(target, record, onlyMarked) {
          if _slowPath(steps > limit), exceedsRoundLimit(evaluating: index) { break walk }
          let (end, walked) = evaluateChain(from: index, steps, limit)
          steps = walked
          if end != 0 {
            node = end
            edge = slots[Int(node)].firstOut
            onlyMarked = false
            continue
          }
        } else if reach(record, edge, index, target, onlyMarked: onlyMarked) {
          // A binding whose transfers are recorded may be part of a loop, too.
          if record.pointee.flags & EdgeFlag.binding != 0 {
            onlyMarked = false
            if _slowPath(steps > limit), exceedsRoundLimit(following: edge) { break walk }
          }
          if next != 0 { push(next, node, at: &top) }
          node = index
          edge = target.pointee.firstOut
          continue
        }
        edge = next
      }
      if top > base {
        top &-= 2
        edge = tables.pointee.stack[top]
        node = tables.pointee.stack[top &+ 1]
        continue
      }
      state.pointee.stackTop = base
      arena.pointee.steps = steps
      guard draining, state.pointee.waiting > 0, let ready = nextWaiting() else { return }
      if _slowPath(steps > limit), exceedsRoundLimit(evaluating: ready) { return }
      onlyMarked = state.pointee.wasEvaluatedAhead
      node = ready
      edge = slots[Int(node)].firstOut
      steps = arena.pointee.steps
    }
    state.pointee.stackTop = base
    arena.pointee.steps = 0
  }

  /// Pushes the edge at which the walk resumes after the current branch.
  @inline(__always)
  private func push(_ edge: EdgeIndex, _ source: UInt32, at top: inout Int) {
    if _slowPath(top &+ 2 > Int(tables.pointee.stackCapacity)) { growStack() }
    tables.pointee.stack[top] = edge
    tables.pointee.stack[top &+ 1] = source
    top &+= 2
    state.pointee.stackTop = top
  }

  /// Propagates a change along a binding. Its target is written now, or in its turn if several
  /// bindings write it. Returns true if the target changed.
  @inline(__always)
  func carry(
    _ record: UnsafeMutablePointer<TideEdge>, _ edge: EdgeIndex, _ source: Slot, _ index: UInt32,
    _ target: Slot, _ bodies: BodyTable, isNoted: Bool
  ) -> Bool {
    if target.hasMark(Mark.multipleWriters) {
      record.pointee.flags |= EdgeFlag.fired
      enqueue(index, target)
      return false
    }
    if isNoted {
      guard applyNoting(record, edge, source, target) else { return false }
    } else {
      guard applyBody(record, edge, source, target, bodies) else { return false }
    }
    if _slowPath(target.hasMark(Mark.watched)) { touch(target) }
    return true
  }

  /// Transfers a value along a binding. Returns true if the target changed.
  @inline(__always)
  func apply(
    _ record: UnsafeMutablePointer<TideEdge>, _ edge: EdgeIndex, _ source: Slot, _ target: Slot,
    _ bodies: BodyTable
  ) -> Bool {
    if _slowPath(record.pointee.flags & EdgeFlag.noted != 0) {
      return applyNoting(record, edge, source, target)
    }
    return applyBody(record, edge, source, target, bodies)
  }

  @inline(__always)
  func applyBody(
    _ record: UnsafeMutablePointer<TideEdge>, _ edge: EdgeIndex, _ source: Slot, _ target: Slot,
    _ bodies: BodyTable
  ) -> Bool {
    let body = record.pointee.body
    if body == 0 { return target.copy(from: source) }
    return bodies.with(body, as: TransformBody.self) { $0.apply(edge, from: source, to: target) }
      ?? false
  }

  /// Handles the target of an edge that is not a plain binding. Returns true if the walk should
  /// continue into the target: a computed slot that is not live, whose dependents are as stale as
  /// it is, or the target of a binding whose transfers are recorded.
  @inline(__always)
  private func reach(
    _ record: UnsafeMutablePointer<TideEdge>, _ edge: EdgeIndex, _ index: UInt32, _ target: Slot,
    onlyMarked: Bool
  ) -> Bool {
    switch target.pointee.kind {
    case Kind.computed:
      if record.pointee.flags & EdgeFlag.dead != 0 { return false }
      if target.hasMark(Mark.live) {
        if onlyMarked && !target.hasMark(Mark.stale | Mark.check) { return false }
        target.mark(Mark.stale)
        enqueue(index, target)
        return false
      }
      if onlyMarked { return false }
      let wasMarked = target.hasMark(Mark.stale | Mark.check)
      // Downstream of a slot that is not evaluated now, it is unknown whether anything has changed.
      target.mark(isUncertain(slots + Int(record.pointee.source)) ? Mark.check : Mark.stale)
      return !wasMarked && target.pointee.firstOut != 0
    case Kind.effect, Kind.observer:
      if record.pointee.flags & EdgeFlag.dead == 0 { queueEffect(index, target) }
      return false
    default:
      // Handled here, so that other bindings have no cost.
      if record.pointee.flags & EdgeFlag.superseded != 0 {
        record.pointee.flags &= ~EdgeFlag.superseded
        return false
      }
      if record.pointee.flags & ~EdgeFlag.aside == EdgeFlag.binding {
        return carryNoting(record, edge, index, target)
      }
      if record.pointee.flags & EdgeFlag.disabled != 0 { record.pointee.flags |= EdgeFlag.missed }
      return false
    }
  }

  /// Whether a slot is checked only when it is read.
  @inline(__always)
  private func isUncertain(_ slot: Slot) -> Bool {
    slot.pointee.kind == Kind.computed && slot.hasMark(Mark.stale | Mark.check)
      && !slot.hasMark(Mark.live)
  }

  @inline(__always)
  func enqueue(_ index: UInt32, _ slot: Slot) {
    if slot.hasMark(Mark.queued) { return }
    slot.mark(Mark.queued)
    waiting.insert(index, at: slot.pointee.height)
    state.pointee.waiting &+= 1
  }

  /// Evaluates queued slots in order of height until one has changed, and returns that one.
  @inline(__always)
  func nextWaiting(upTo height: UInt32 = .max) -> UInt32? {
    while state.pointee.waiting > 0 {
      guard let lowest = waiting.lowest(), lowest <= height else { return nil }
      let index = waiting.removeFirst(at: lowest)
      let slot = slots + Int(index)
      if slot.pointee.height > lowest && lowest < waiting.heightLimit {
        // The height increased while the slot was queued.
        waiting.insert(index, at: slot.pointee.height)
        continue
      }
      state.pointee.waiting &-= 1
      slot.clear(Mark.queued)
      state.pointee.waveHeight = lowest
      state.pointee.wasEvaluatedAhead = false
      if takeTurn(slot) {
        if slot.hasMark(Mark.watched) { touch(slot) }
        if slot.pointee.firstOut != 0 { return index }
      }
    }
    return nil
  }

  /// Evaluates a queued slot. Returns true if its value changed.
  @inline(__always)
  private func takeTurn(_ slot: Slot) -> Bool {
    switch slot.pointee.kind {
    case Kind.computed:
      if slot.hasMark(Mark.running) {
        // The slot is part of a loop, and one of its dependencies has changed: it runs again
        // afterwards.
        slot.clear(Mark.evaluatedAhead | Mark.stale)
        slot.mark(Mark.mustRerun)
        state.pointee.rerunCause = slot.index
        return false
      }
      if slot.hasMark(Mark.evaluatedAhead) {
        slot.clear(Mark.evaluatedAhead)
        if !slot.hasMark(Mark.stale) {
          state.pointee.wasEvaluatedAhead = true
          return true
        }
        _ = evaluate(slot)
        reportIfDropped(slot)
        state.pointee.wasEvaluatedAhead = false
        // The slot is evaluated again in its turn, and its dependents are notified then.
        if slot.hasMark(Mark.blocked) { slot.mark(Mark.evaluatedAhead) }
        return !slot.hasMark(Mark.blocked)
      }
      let changed = slot.hasMark(Mark.stale) && evaluate(slot)
      if changed { reportIfDropped(slot) }
      // A slot that it read may have had its turn meanwhile, after being evaluated ahead.
      state.pointee.wasEvaluatedAhead = false
      return changed
    case Kind.source: return resolveWriters(of: slot)
    default: return false
    }
  }

  /// Marks a slot's dependents as stale if the slot, evaluated in its turn, has become part of a
  /// loop that is not live. A wave that returns to the slot would only mark it as `check`.
  @inline(__always)
  func reportIfDropped(_ slot: Slot) {
    if _slowPath(!slot.hasMark(Mark.live)) { markDependents(of: slot, andRunning: false) }
  }

  /// Writes a slot with several bindings: of the bindings that fired, the one created last wins.
  ///
  /// If a binding shares the slot, or may withhold its value, all of them are applied in the order
  /// of their creation.
  @inline(never)
  private func resolveWriters(of slot: Slot) -> Bool {
    var winner: EdgeIndex = 0
    var isContested = false
    var isSettled = false
    var edge = slot.pointee.firstIn
    while edge != 0 {
      if edges[Int(edge)].flags & EdgeFlag.fired != 0 {
        if winner != 0 && !isSettled {
          isContested = anyShares(slot)
          isSettled = true
        }
        if isContested { break }
        edges[Int(edge)].flags &= ~EdgeFlag.fired
        // The latest binding comes first.
        if winner == 0 { winner = edge }
      }
      edge = edges[Int(edge)].nextIn
    }
    guard winner != 0 else { return false }
    if isContested {
      edges[Int(winner)].flags |= EdgeFlag.fired
      return applyAllFired(slot)
    }
    return apply(edges + Int(winner), winner, slots + Int(edges[Int(winner)].source), slot, bodies)
  }

  /// Applies every edge that fired. A function that one of them calls may end other edges.
  private func applyAllFired(_ slot: Slot) -> Bool {
    var changed = false
    for edge in dependencies(of: slot).reversed()
    where edges[Int(edge)].flags & EdgeFlag.fired != 0 {
      let record = edges + Int(edge)
      record.pointee.flags &= ~EdgeFlag.fired
      if record.pointee.flags & EdgeFlag.dead != 0 { continue }
      if apply(record, edge, slots + Int(record.pointee.source), slot, bodies) { changed = true }
    }
    return changed
  }

  private func anyShares(_ slot: Slot) -> Bool {
    dependencies(of: slot).contains { edge in
      bodies.with(edges[Int(edge)].body, as: TransformBody.self) { $0.sharesTarget } ?? false
    }
  }
}
