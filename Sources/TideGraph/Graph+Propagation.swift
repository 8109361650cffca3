import CTideSlots

extension Graph {
  /// Follows a change to everything that depends on it, lowest first; effects are only queued.
  ///
  /// Several changes that settle together are followed without draining what waits, so that what
  /// joins them is evaluated once; the last call, from no slot, drains.
  func propagate(from start: UInt32, settledInBatch: Bool = false, draining: Bool = true) {
    // At hand, because the calls in between make the compiler read them anew.
    let slots = slots, edges = edges, stack = stack, state = state, bodies = bodies
    arena.pointee.isRunning = true
    let base = state.pointee.stackTop
    var top = base
    var node = start
    var edge = slots[Int(node)].firstOut
    // After a batch, what a reader brought up to date meanwhile needs no second evaluation.
    var onlyMarked = settledInBatch
    var steps = arena.pointee.steps
    let limit = state.pointee.liveEdges &+ 8

    while true {
      while edge != 0 {
        let record = edges + Int(edge)
        let next = record.pointee.nextOut
        let index = record.pointee.target
        let target = slots + Int(index)
        steps &+= 1
        if _fastPath(record.pointee.flags & ~EdgeFlag.back == EdgeFlag.binding) {
          if _slowPath(steps > limit), endlessly(follow: edge) {
            state.pointee.stackTop = base
            arena.pointee.steps = 0
            arena.pointee.isRunning = false
            return
          }
          if target.hasMark(Mark.joins) {
            record.pointee.flags |= EdgeFlag.fired
            enqueue(index, target)
          } else if applyBody(record, edge, slots + Int(node), target, bodies) {
            if _slowPath(target.hasMark(Mark.watched)) { touch(target) }
            let first = target.pointee.firstOut
            if first != 0 && (next == 0 || !isAwaited(edges + Int(first), slots)) {
              if next != 0 {
                stack[top] = next
                stack[top &+ 1] = node
                top &+= 2
              }
              node = index
              edge = first
              onlyMarked = false
              continue
            }
          }
        } else if next == 0 && top == base && isNext(target, record, onlyMarked) {
          // Nothing else is on its way, so it need not wait for its turn.
          if _slowPath(steps > limit), endlessly(evaluate: index) {
            state.pointee.stackTop = base
            arena.pointee.steps = 0
            arena.pointee.isRunning = false
            return
          }
          let (end, walked) = evaluateChain(from: index, steps, limit)
          steps = walked
          if end != 0 {
            node = end
            edge = slots[Int(node)].firstOut
            onlyMarked = false
            continue
          }
        } else if reach(record, index, target, onlyMarked: onlyMarked) {
          // A computed slot that nothing acts on: what depends on it is no more current than it. Or
          // a binding that is noted.
          if record.pointee.flags & EdgeFlag.binding != 0 {
            onlyMarked = false
            if _slowPath(steps > limit), endlessly(follow: edge) {
              state.pointee.stackTop = base
              arena.pointee.steps = 0
              arena.pointee.isRunning = false
              return
            }
          }
          if next != 0 {
            stack[top] = next
            stack[top &+ 1] = node
            top &+= 2
          }
          node = index
          edge = target.pointee.firstOut
          continue
        }
        edge = next
      }
      if top > base {
        top &-= 2
        edge = stack[top]
        node = stack[top &+ 1]
        continue
      }
      state.pointee.stackTop = top
      arena.pointee.steps = steps
      guard draining, state.pointee.waiting > 0, let ready = nextWaiting() else { break }
      if _slowPath(steps > limit), endlessly(evaluate: ready) { break }
      onlyMarked = state.pointee.tookTurnEarly
      node = ready
      edge = slots[Int(node)].firstOut
      steps = arena.pointee.steps
    }
    state.pointee.waveHeight = 0
    arena.pointee.isRunning = false
  }

  /// Evaluates a computed slot that is all that a wave has still to do, and goes on with the one behind
  /// it for as long as that holds. Gives the last one, where it has changed, else 0, and the steps.
  ///
  /// It does what `propagate` would do step by step, with less to keep in mind. The steps come and go
  /// as values, because `propagate` would keep in memory what it lends.
  @inline(never)
  private func evaluateChain(
    from start: UInt32, _ walked: Int, _ limit: Int
  ) -> (end: UInt32, steps: Int) {
    var index = start, steps = walked
    while true {
      let target = slots + Int(index)
      state.pointee.waveHeight = target.pointee.height
      guard evaluate(target) else { return (0, steps) }
      tellIfDropped(target)
      if _slowPath(target.hasMark(Mark.watched)) { touch(target) }
      let edge = target.pointee.firstOut
      if edge == 0 || steps >= limit { return (index, steps) }
      let record = edges + Int(edge)
      // No binding, and alive.
      guard record.pointee.nextOut == 0, record.pointee.flags & ~EdgeFlag.back == 0,
        isNext(slots + Int(record.pointee.target), record, false)
      else { return (index, steps) }
      steps &+= 1
      index = record.pointee.target
    }
  }

  /// Whether all that a slot leads to is one computed slot that waits for its turn already.
  @inline(__always)
  private func isAwaited(_ record: UnsafeMutablePointer<TideEdge>, _ slots: Slot) -> Bool {
    if record.pointee.nextOut != 0 { return false }
    let target = slots + Int(record.pointee.target)
    let both = Mark.queued | Mark.stale
    return target.pointee.state & both == both && target.pointee.kind == Kind.computed
  }

  /// Whether a computed slot is all that a wave has still to do, whatever follows from it.
  @inline(__always)
  private func isNext(
    _ target: Slot, _ record: UnsafeMutablePointer<TideEdge>, _ onlyMarked: Bool
  ) -> Bool {
    target.pointee.kind == Kind.computed && target.hasMark(Mark.live)
      && state.pointee.waiting == 0 && record.pointee.flags & EdgeFlag.dead == 0 && !onlyMarked
      && !target.hasMark(Mark.running)
  }

  /// Carries a value along a binding; true when the target changed.
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

  /// Arrives at something that is not written by this edge. True when the walk should go on into it.
  @inline(__always)
  func reach(
    _ record: UnsafeMutablePointer<TideEdge>, _ index: UInt32, _ target: Slot, onlyMarked: Bool
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
      // Behind one that is not evaluated now it is open whether anything has changed.
      target.mark(isUncertain(slots + Int(record.pointee.source)) ? Mark.check : Mark.stale)
      return !wasMarked && target.pointee.firstOut != 0
    case Kind.effect, Kind.observer:
      if record.pointee.flags & EdgeFlag.dead == 0 { queueEffect(index, target) }
      return false
    default:
      // Here, so that bindings that are not noted pay nothing for it.
      if record.pointee.flags & ~EdgeFlag.aside == EdgeFlag.binding {
        return carryNoting(record, index, target)
      }
      if record.pointee.flags & EdgeFlag.disabled != 0 { record.pointee.flags |= EdgeFlag.missed }
      return false
    }
  }

  /// Whether a slot is to be looked at when it is read, and not before.
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

  /// Evaluates waiting slots in order of height until one has changed, and gives that one.
  @inline(__always)
  func nextWaiting(upTo height: UInt32 = .max) -> UInt32? {
    while state.pointee.waiting > 0 {
      guard let lowest = waiting.lowest(), lowest <= height else { return nil }
      let index = waiting.removeFirst(at: lowest)
      let slot = slots + Int(index)
      if slot.pointee.height > lowest && lowest < waiting.heightLimit {
        // It was lifted while it waited.
        waiting.insert(index, at: slot.pointee.height)
        continue
      }
      state.pointee.waiting &-= 1
      slot.clear(Mark.queued)
      state.pointee.waveHeight = lowest
      state.pointee.tookTurnEarly = false
      if takeTurn(slot) {
        if slot.hasMark(Mark.watched) { touch(slot) }
        if slot.pointee.firstOut != 0 { return index }
      }
    }
    return nil
  }

  /// Lets a waiting slot find its new value; true when it differs.
  @inline(__always)
  private func takeTurn(_ slot: Slot) -> Bool {
    switch slot.pointee.kind {
    case Kind.computed:
      if slot.hasMark(Mark.running) {
        // What it has read in a loop has changed: it runs once more when it has come to its end.
        slot.clear(Mark.early | Mark.stale)
        slot.mark(Mark.outrun)
        state.pointee.outrunBy = slot.index
        return false
      }
      if slot.hasMark(Mark.early) {
        slot.clear(Mark.early)
        if !slot.hasMark(Mark.stale) {
          state.pointee.tookTurnEarly = true
          return true
        }
        _ = evaluate(slot)
        tellIfDropped(slot)
        state.pointee.tookTurnEarly = false
        // It takes its turn again, and has nothing to tell before.
        if slot.hasMark(Mark.blocked) { slot.mark(Mark.early) }
        return !slot.hasMark(Mark.blocked)
      }
      let changed = slot.hasMark(Mark.stale) && evaluate(slot)
      if changed { tellIfDropped(slot) }
      // What it read may have taken its turn meanwhile, and early.
      state.pointee.tookTurnEarly = false
      return changed
    case Kind.source: return join(slot)
    default: return false
    }
  }

  /// A slot has changed in its turn, and in its evaluation it has become part of a loop that nothing
  /// acts on. The wave may come back to it and be uncertain of it: what depends on it is stale for
  /// certain.
  @inline(__always)
  private func tellIfDropped(_ slot: Slot) {
    if _slowPath(!slot.hasMark(Mark.live)) { markDependents(of: slot, andRunning: false) }
  }

  /// Several bindings write this slot: the one that was made last, of those that fired, wins.
  ///
  /// Those that share it, or may hold their value back, are all asked, in the order of making.
  @inline(never)
  private func join(_ slot: Slot) -> Bool {
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
        // The latest comes first.
        if winner == 0 { winner = edge }
      }
      edge = edges[Int(edge)].nextIn
    }
    guard winner != 0 else { return false }
    if isContested {
      edges[Int(winner)].flags |= EdgeFlag.fired
      return joinAll(slot)
    }
    return apply(edges + Int(winner), winner, slots + Int(edges[Int(winner)].source), slot, bodies)
  }

  /// Applies every edge that fired: what one of them calls may end the others.
  private func joinAll(_ slot: Slot) -> Bool {
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
