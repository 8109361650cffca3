import CTideSlots

// Checks before a read whether any of a slot's dependencies has changed.

extension Graph {
  /// The nesting depth of evaluations from which dependencies are refreshed from the bottom up
  /// instead of by recursion.
  static var nestingBeforeBottomUp: Int { 16 }

  /// Finds out whether any of a slot's dependencies has changed, from the bottom up and without
  /// recursion. If so, the slot is stale afterwards; otherwise it is up to date. Returns true if
  /// the check has to wait.
  func settleChecks(of slot: Slot) -> Bool {
    var check = beginCheck()
    push(slot, &check)
    defer { end(&check) }
    while true {
      let position = state.pointee.stackTop &- 2
      let top = self.slot(at: position)
      if top.hasMark(Mark.stale) {
        if position == check.base { return false }
        pop(&check)
        if isStackLow() {
          // It stays stale, and its readers get the error.
        } else if evaluate(top) {
          tellDependents(top)
        }
        if top.hasMark(Mark.blocked) { return true }
        if top.hasMark(Mark.stale) { self.slot(at: position &- 2).mark(Mark.stale) }
        continue
      }
      var edge = top.hasMark(Mark.check) ? nextEdge(of: top, at: position) : 0
      var found: Slot?
      while edge != 0 && found == nil {
        let source = slots + Int(edges[Int(edge)].source)
        if source.hasMark(Mark.running) {
          // Reading the slot determines whether this is a loop.
          top.mark(Mark.stale)
          break
        }
        if source.hasMark(Mark.stale | Mark.check) && !isAbove(source, in: &check) {
          found = source
        }
        edge = edges[Int(edge)].nextIn
      }
      if top.hasMark(Mark.stale) { continue }
      tables.pointee.stack[position &+ 1] = edge
      if let found {
        // If the stack cannot grow, the slot is evaluated, which reads what it needs.
        if canPush { push(found, &check) } else { top.mark(Mark.stale) }
        continue
      }
      top.clear(Mark.check)
      if position == check.base { return false }
      pop(&check)
    }
  }

  /// Brings the slots that a slot read in its last run up to date, from the bottom up and without
  /// recursion. So a long chain that has been read before can be read again at any depth.
  func refreshDependencies(of slot: Slot) {
    // This time, the function may not read the slots that it read last time.
    let outerFloor = state.pointee.askingFloor
    let blockedBefore = state.pointee.blocked.count
    state.pointee.askingFloor = state.pointee.evaluationDepth
    var check = beginCheck()
    push(slot, &check)
    defer {
      end(&check)
      state.pointee.askingFloor = outerFloor
      // They stay stale, and are already listed elsewhere.
      state.pointee.blocked.removeSubrange(blockedBefore...)
    }
    while true {
      let position = state.pointee.stackTop &- 2
      let top = self.slot(at: position)
      var edge = nextEdge(of: top, at: position)
      var found: Slot?
      while edge != 0 && found == nil {
        let source = slots + Int(edges[Int(edge)].source)
        if source.hasMark(Mark.running) {
          top.mark(Mark.stale)
        } else if source.hasMark(Mark.stale | Mark.check) {
          // A slot that has read nothing so far is evaluated when it is read.
          if source.pointee.firstIn == 0 {
            top.mark(Mark.stale)
          } else if !isAbove(source, in: &check) {
            found = source
          }
        }
        edge = edges[Int(edge)].nextIn
      }
      tables.pointee.stack[position &+ 1] = edge
      if let found {
        if canPush {
          push(found, &check)
          continue
        }
        top.mark(Mark.stale)
      }
      pop(&check)
      if position == check.base { return }
      if !top.hasMark(Mark.stale) {
        top.clear(Mark.check)
      } else if evaluate(top) {
        tellDependents(top)
      }
      // A slot that stays stale because it failed must not be retried forever.
      if top.hasMark(Mark.stale) { return }
    }
  }

  /// A traversal of a slot's dependencies, stored on the stack from `base` upwards as pairs of a
  /// slot being checked and its next edge.
  ///
  /// An evaluation during the traversal may begin another traversal, which must not treat slots
  /// that this one is still checking as its own.
  private struct Check {
    let base: Int
    let isOutermost: Bool
    /// The slots on the stack from the base upwards; nil until first needed.
    var own: Set<UInt32>?
  }

  private func beginCheck() -> Check {
    state.pointee.checkDepth &+= 1
    return Check(base: state.pointee.stackTop, isOutermost: state.pointee.checkDepth == 1)
  }

  private func end(_ check: inout Check) {
    while state.pointee.stackTop > check.base { pop(&check) }
    state.pointee.checkDepth &-= 1
  }

  private var canPush: Bool {
    state.pointee.stackTop &+ 2 <= Int(tables.pointee.stackCapacity)
      || tide_tables_grow_stack(tables)
  }

  private func push(_ slot: Slot, _ check: inout Check) {
    let top = state.pointee.stackTop
    if _slowPath(top &+ 2 > Int(tables.pointee.stackCapacity)) { growStack() }
    tables.pointee.stack[top] = slot.index
    tables.pointee.stack[top &+ 1] = slot.pointee.firstIn
    state.pointee.stackTop = top &+ 2
    slot.mark(Mark.checking)
    check.own?.insert(slot.index)
  }

  private func pop(_ check: inout Check) {
    state.pointee.stackTop &-= 2
    let index = tables.pointee.stack[state.pointee.stackTop]
    (slots + Int(index)).clear(Mark.checking)
    check.own?.remove(index)
  }

  private func slot(at position: Int) -> Slot { slots + Int(tables.pointee.stack[position]) }

  /// The next edge to check for the slot at a stack position. It is the first edge if the slot has
  /// been evaluated meanwhile, or if another traversal has visited it.
  @inline(__always)
  private func nextEdge(of slot: Slot, at position: Int) -> EdgeIndex {
    if _fastPath(slot.hasMark(Mark.checking)) { return tables.pointee.stack[position &+ 1] }
    slot.mark(Mark.checking)
    return slot.pointee.firstIn
  }

  /// Whether this traversal is already checking the slot, so it has followed a loop.
  @inline(__always)
  private func isAbove(_ slot: Slot, in check: inout Check) -> Bool {
    slot.hasMark(Mark.checking) && (check.isOutermost || isOwn(slot, of: &check))
  }

  @inline(never)
  private func isOwn(_ slot: Slot, of check: inout Check) -> Bool {
    if check.own == nil {
      let positions = stride(from: check.base, to: state.pointee.stackTop, by: 2)
      check.own = Set(positions.map { tables.pointee.stack[$0] })
    }
    return check.own?.contains(slot.index) ?? false
  }
}
