import CTideSlots

// What has to be looked at before a slot is read: whether anything that it depends on has changed.

extension Graph {
  /// How deep evaluations nest before what is further up is brought up to date by itself.
  static var nestingBeforeBottomUp: Int { 16 }

  /// Finds out whether anything that a slot depends on has changed, from the bottom up and without
  /// recursion: then it is stale, else nothing is left to do. True where that has to wait.
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
          // It is left as it is, and whoever needs it is told so when it reads.
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
          // Whether that is a loop shows when it is asked for.
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
        // Without room to look further, it is evaluated, which asks for what it needs.
        if canPush { push(found, &check) } else { top.mark(Mark.stale) }
        continue
      }
      top.clear(Mark.check)
      if position == check.base { return false }
      pop(&check)
    }
  }

  /// Brings what a slot read last time up to date, from the bottom up and without recursion, so
  /// that a long chain that was read before can be read again at any depth.
  func refreshDependencies(of slot: Slot) {
    // What it read last time it may not ask for this time.
    let outerFloor = state.pointee.askingFloor
    let blockedBefore = state.pointee.blocked.count
    state.pointee.askingFloor = state.pointee.evaluationDepth
    var check = beginCheck()
    push(slot, &check)
    defer {
      end(&check)
      state.pointee.askingFloor = outerFloor
      // They stay stale, and somebody else has them in mind.
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
          // One that has read nothing so far is evaluated when it is asked for.
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
      // One that stays stale, because it failed, must not be tried for ever.
      if top.hasMark(Mark.stale) { return }
    }
  }

  /// A walk over what a slot depends on, on the stack from a position upwards: pairs of a slot that
  /// is being looked at and the edge from which to go on.
  ///
  /// What is evaluated on the way may begin another walk, which must not take for looked at what
  /// this one has not come to the end of.
  private struct Check {
    let base: Int
    let isOutermost: Bool
    /// What lies on the stack from the base upwards; nil as long as nobody has asked.
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

  /// The edge from which to go on with what lies at a position of the stack: the first one where it
  /// has been evaluated meanwhile, or another walk has been there.
  @inline(__always)
  private func nextEdge(of slot: Slot, at position: Int) -> EdgeIndex {
    if _fastPath(slot.hasMark(Mark.checking)) { return tables.pointee.stack[position &+ 1] }
    slot.mark(Mark.checking)
    return slot.pointee.firstIn
  }

  /// Whether a slot is being looked at by this walk, which has then come round a loop.
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
