public import CTideSlots

extension Graph {
  /// Brings a slot up to date before it is read.
  ///
  /// Throws what its body threw, `CycleError` when it is being evaluated already, `DepthError`
  /// where evaluations nest too deep for the stack.
  @inlinable @inline(__always)
  package func refresh(_ slot: Slot) throws {
    if slot.pointee.access & UInt8(TIDE_DERIVED) != 0 { try refreshDerived(slot) }
  }

  /// Brings a slot up to date and records the read. A slot that fails is recorded as well, so that
  /// the reader runs again when it recovers.
  @inlinable @inline(__always)
  package func refreshTracking(_ slot: Slot) throws {
    if slot.pointee.access & UInt8(TIDE_DERIVED) == 0 { return track(slot) }
    try refreshTrackingDerived(slot)
  }

  /// Wherever a computed value is read, since a call would take as long as the rest.
  @inlinable @inline(__always)
  func refreshTrackingDerived(_ slot: Slot) throws {
    guard _fastPath(!slot.hasMark(Mark.stale | Mark.check | Mark.running | Mark.failed)) else {
      return try refreshTrackingStale(slot)
    }
    if arena.pointee.active == 0 { return }
    // As `record` does, for a slot that is read in the same order as last time.
    let cursor = arena.pointee.cursor, edge = edges + Int(cursor)
    let isHere = cursor != 0 && slots + Int(edge.pointee.source) == slot
    if isHere, edge.pointee.flags & EdgeFlag.back == 0 {
      arena.pointee.lastRead = cursor
      arena.pointee.cursor = edge.pointee.nextIn
    } else {
      try trackDerived(slot)
    }
  }

  @usableFromInline @inline(never)
  func refreshTrackingStale(_ slot: Slot) throws {
    do {
      try refreshDerived(slot)
    } catch {
      // A slot that this read waits for is only recorded as a wait.
      if error is BlockedError {
        recordWait(for: slot)
        throw error
      }
      let hadFailed = slot.hasMark(Mark.failed)
      let wasOpen = slot.hasMark(Mark.stale | Mark.check | Mark.running)
      track(slot)
      if !wasOpen, slot.hasMark(Mark.stale | Mark.check) { return try refreshAgain(slot) }
      if slot.hasMark(Mark.stale | Mark.check) { markProvisional() }
      // The earlier error says nothing about a loop that was closed since.
      if arena.pointee.active != 0, !slot.hasMark(Mark.running) { try leaveLoop(through: slot) }
      guard hadFailed && !slot.hasMark(Mark.running | Mark.stale | Mark.check) else { throw error }
      // To order the two, the wave may have evaluated it.
      guard slot.hasMark(Mark.failed) else { return }
      throw failure(of: slot) ?? error
    }
    if arena.pointee.active != 0 { try trackDerived(slot) }
  }

  /// Keeps a binding's function that has read nothing yet as a dependent of the slot it waits for.
  private func recordWait(for slot: Slot) {
    let reader = slots + Int(arena.pointee.active)
    if reader.pointee.kind == Kind.computed, reader.pointee.body == 0 { track(slot) }
  }

  /// Records the read of a slot as it is, whatever its evaluation came to. A slot that must be
  /// tried again makes its reader provisional as well.
  @inlinable @inline(__always)
  package func trackAsItIs(_ slot: Slot) {
    if _slowPath(arena.pointee.active != 0) { recordAsItIs(slot) }
  }

  @usableFromInline
  func recordAsItIs(_ slot: Slot) {
    record(slot.index)
    if _slowPath(slot.hasMark(Mark.stale | Mark.check)) { markProvisional() }
  }

  /// Records the read of a slot that has just been evaluated, and throws its failure without
  /// another try.
  package func trackEvaluated(_ slot: Slot) throws {
    guard slot.hasMark(Mark.failed), slot.hasMark(Mark.stale), let failure = failure(of: slot)
    else {
      return try refreshTracking(slot)
    }
    track(slot)
    markProvisional()
    throw failure
  }

  /// Records the read of a computed slot. To order the two, the wave may have evaluated the slot,
  /// and the slot may now depend on its reader.
  @usableFromInline
  func trackDerived(_ slot: Slot) throws {
    record(slot.index)
    if slot.hasMark(Mark.stale | Mark.check | Mark.failed) { return try refreshAgain(slot) }
    try leaveLoop(through: slot)
  }

  /// Refreshes a slot that became stale while its read was recorded: to order the two, the wave has
  /// reached what the slot depends on.
  private func refreshAgain(_ slot: Slot) throws {
    let edge = arena.pointee.lastRead
    defer { if slot.hasMark(Mark.stale | Mark.check) { markProvisional() } }
    try refreshDerived(slot)
    if edge == arena.pointee.lastRead { try leaveLoop(through: slot) }
  }

  /// Throws when the read of a slot, just recorded, closes a loop.
  @inline(__always)
  private func leaveLoop(through slot: Slot) throws {
    let edge = arena.pointee.lastRead
    let record = edges + Int(edge)
    if _slowPath(record.pointee.flags & EdgeFlag.back != 0), record.pointee.source == slot.index {
      try leaveLoop(closedBy: edge)
    }
  }

  /// Marks the current reader as one that has read a value to be tried again.
  private func markProvisional() {
    let reader = slots + Int(arena.pointee.active)
    if reader.pointee.kind == Kind.computed { reader.mark(Mark.provisional) }
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
      // Its dependencies are checked instead, which may write.
      arena.pointee.evaluating &+= 1
      let isBlocked = settleChecks(of: slot)
      arena.pointee.evaluating &-= 1
      if isBlocked { throw BlockedError() }
      if !slot.hasMark(Mark.stale) { return settleIfIdle() }
    }
    if arena.pointee.evaluating >= Self.nestingBeforeBottomUp { refreshDependencies(of: slot) }
    if isStackLow() { throw DepthError() }
    if evaluate(slot) { tellDependents(slot) }
    if slot.hasMark(Mark.blocked) { throw BlockedError() }
    settleIfIdle()
  }

  /// Propagates a new value that a slot found because it was read, before its turn.
  func tellDependents(_ slot: Slot) {
    // Marks all the way down; otherwise a later change would stop at slots that are marked already.
    markDependents(of: slot, andRunning: false)
    guard slot.hasMark(Mark.live) || slot.hasMark(Mark.watched) else { return }
    if slot.hasMark(Mark.queued) {
      slot.mark(Mark.evaluatedAhead)
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
    _fastPath(arena.pointee.history == nil) ? evaluateBody(of: slot) : evaluateNoting(slot)
  }

  @inline(never)
  private func evaluateNoting(_ slot: Slot) -> Bool {
    noting(.function, by: slot) {
      let before = contents(of: slot)
      guard evaluateBody(of: slot) else { return false }
      noteChange(of: slot, from: before)
      return true
    }
  }

  @inline(__always)
  private func evaluateBody(of slot: Slot) -> Bool {
    let changed = evaluateOnce(slot)
    let late = Mark.mustRerun | Mark.blocked | Mark.overflowed | Mark.provisional
    return _slowPath(slot.hasMark(late)) ? evaluateOn(slot) || changed : changed
  }

  @inline(__always)
  private func evaluateOnce(_ slot: Slot) -> Bool {
    let evaluation = begin(slot)
    var changed = false
    var keepsReads = false
    bodies.with(slot.pointee.body, as: ComputedBody.self) { body in
      do {
        changed = try body.evaluate(slot)
        if _slowPath(slot.hasMark(Mark.poisoned | Mark.failed)) {
          changed = try succeed(slot, body) || changed
        }
      } catch {
        (changed, keepsReads) = fail(slot, body, with: error)
      }
    }
    finish(evaluation, keepingReads: keepsReads)
    return changed
  }

  /// An evaluation that runs, and for whom reads were recorded before.
  package struct Evaluation {
    package let slot: Slot
    fileprivate let outer: Tracking
    fileprivate let hadFailed: Bool
    fileprivate var causer = TideCauser()
    /// What measures it, if anything did when it began.
    fileprivate var profile: UnsafeMutablePointer<TideProfile>?
  }

  @inline(__always)
  private func begin(_ slot: Slot) -> Evaluation {
    slot.clear(Mark.stale | Mark.check | Mark.blocked | Mark.checking)
    let hadFailed = slot.hasMark(Mark.failed)
    let outer = beginTracking(slot)
    pushEvaluation(arena.pointee.active)
    arena.pointee.evaluating &+= 1
    return Evaluation(slot: slot, outer: outer, hadFailed: hadFailed)
  }

  /// Notes that a function came to a value. True when the slot had failed before, and throws what
  /// the function has read and could not throw itself.
  @inline(never)
  private func succeed(_ slot: Slot, _ body: ComputedBody) throws -> Bool {
    try takePassedOn(by: slot)
    guard slot.hasMark(Mark.failed) else { return false }
    body.failure = nil
    slot.clear(Mark.failed)
    return true
  }

  /// Notes what a function threw.
  @inline(never)
  private func fail(
    _ slot: Slot, _ body: ComputedBody, with error: any Error
  ) -> (changed: Bool, keepsReads: Bool) {
    slot.clear(Mark.poisoned)
    if slot.hasMark(Mark.blocked) { return (false, false) }
    let changed = !isSame(error, as: body.failure)
    body.failure = error
    slot.mark(Mark.failed)
    guard let error = error as? any PassingFailure else { return (changed, false) }
    if error.isPassing { slot.mark(Mark.stale | Mark.provisional) }
    return (changed, error.keepsReads)
  }

  @inline(__always)
  private func finish(_ evaluation: Evaluation, keepingReads: Bool) {
    state.pointee.evaluationDepth &-= 1
    arena.pointee.evaluating &-= 1
    endTracking(evaluation.slot, evaluation.outer, keepingReads: keepingReads)
    if _slowPath(evaluation.hadFailed), !evaluation.slot.hasMark(Mark.failed) {
      host?.graph(self, recovered: evaluation.slot)
    }
  }

  /// Whether one failure is no news after the other: each of a loop fails with a cycle of its own,
  /// and what has run out of time does so at every try.
  private func isSame(_ error: any Error, as former: (any Error)?) -> Bool {
    guard let error = error as? any PassingFailure, let former = former as? any PassingFailure
    else { return false }
    return error.isCycle && former.isCycle || error.isPassing && former.isPassing
  }

  /// Goes on where one evaluation is not the end of it. True when the value changed.
  @inline(never)
  private func evaluateOn(_ slot: Slot) -> Bool {
    var changed = false
    var rounds = 1
    while slot.hasMark(Mark.mustRerun) && !slot.hasMark(Mark.stale | Mark.blocked | Mark.overflowed)
    {
      // What it wrote it had read before: the next evaluation reads what is there now.
      slot.clear(Mark.mustRerun | Mark.provisional)
      if rounds == Graph.roundLimit {
        let written = slots + Int(state.pointee.rerunCause)
        fail(slot, with: CycleError(loop: [written.index, slot.index, written.index]))
        return true
      }
      rounds += 1
      if evaluateOnce(slot) { changed = true }
      if slot.pointee.kind != Kind.computed { return changed }
    }
    let late = Mark.stale | Mark.blocked | Mark.overflowed | Mark.provisional
    if !slot.hasMark(late) { return changed }
    if failOverflowed(slot) { changed = true }
    slot.clear(Mark.mustRerun | Mark.provisional)
    slot.mark(Mark.stale)
    // Whatever has read it is no more current than it. Who does so just now finds that out itself.
    markDependents(of: slot, andRunning: slot.hasMark(Mark.blocked))
    return changed
  }

  private func fail(_ slot: Slot, with error: any Error) {
    slot.mark(Mark.failed)
    bodies.with(slot.pointee.body, as: ComputedBody.self) { $0.failure = error }
  }

  // MARK: Evaluations that wait

  /// Whether a slot's function has to run before the slot can be read.
  package func needsEvaluation(_ slot: Slot) -> Bool {
    slot.hasMark(Mark.stale) && !slot.hasMark(Mark.running) && slot.pointee.kind == Kind.computed
  }

  /// Begins the evaluation of a slot that an evaluation has come to need, and which waits for it;
  /// nil where no more can wait. The ones that were begun last end first.
  package func beginEvaluation(of slot: Slot) -> Evaluation? {
    // A few more may nest on the stack.
    guard makeRoom(evaluations: state.pointee.evaluationDepth + 256) else { return nil }
    var evaluation = begin(slot)
    evaluation.causer = tide_history_begin(
      arena.pointee.history, Change.Cause.function.rawValue, slot.index)
    if let profile = arena.pointee.history?.pointee.profile {
      tide_profile_enter(profile, Profile.Key.slot(slot).number)
      evaluation.profile = profile
    }
    return evaluation
  }

  /// Ends it with whether the slot's value has changed, or with what its function threw.
  package func end(_ evaluation: Evaluation, _ result: Result<Bool, any Error>) {
    let slot = evaluation.slot
    var changed = false
    var keepsReads = false
    bodies.with(slot.pointee.body, as: ComputedBody.self) { body in
      do {
        changed = try result.get()
        changed = try succeed(slot, body) || changed
      } catch {
        (changed, keepsReads) = fail(slot, body, with: error)
      }
    }
    finish(evaluation, keepingReads: keepsReads)
    tide_history_end(arena.pointee.history, evaluation.causer)
    if let profile = evaluation.profile, profile == arena.pointee.history?.pointee.profile {
      tide_profile_leave(profile)
    }
    if slot.hasMark(Mark.mustRerun | Mark.blocked | Mark.overflowed | Mark.provisional) {
      changed = evaluateOn(slot) || changed
    }
    if changed { tellDependents(slot) }
  }

  // MARK: Errors where none can be thrown

  /// Lets whoever reads a slot that has failed, by a function that cannot throw, fail as well;
  /// where nobody does, or what runs is no computed value, the host is told.
  @usableFromInline
  package func passOn(_ error: any Error, of slot: Slot) {
    let reader = slots + Int(arena.pointee.active)
    guard arena.pointee.active != 0, reader.pointee.kind == Kind.computed else {
      host?.graph(self, body: slot, failed: error)
      return
    }
    state.pointee.passedOn = error
    reader.mark(Mark.poisoned)
  }

  /// Throws what a computed slot's function has read and could not throw itself.
  func takePassedOn(by slot: Slot) throws {
    guard slot.hasMark(Mark.poisoned) else { return }
    slot.clear(Mark.poisoned)
    guard let error = state.pointee.passedOn else { return }
    state.pointee.passedOn = nil
    throw error
  }

  /// A change's settling, in the middle of an evaluation, takes up what may need the very value
  /// that is being evaluated. That is no loop as long as nobody asked for it: the evaluations since
  /// then are given up, and made up for afterwards. False where it is a loop.
  private func blockEvaluations(waitingFor slot: Slot) -> Bool {
    let floor = state.pointee.askingFloor, depth = state.pointee.evaluationDepth
    if floor >= depth { return false }
    let running = runningEvaluations
    guard let index = running.lastIndex(of: slot.index), index < floor else { return false }
    for index in running[floor...] {
      let waiting = slots + Int(index)
      guard waiting.pointee.kind == Kind.computed else { continue }
      waiting.mark(Mark.blocked)
      state.pointee.blocked.append(index)
    }
    return true
  }

  private func cycle(through slot: Slot) -> CycleError {
    let running = runningEvaluations
    let start = running.lastIndex(of: slot.index) ?? 0
    return CycleError(loop: running[start...] + [slot.index])
  }

  /// Throws where the edge that records a read closes a loop of computed slots: each of them would
  /// only ever follow itself. Where bindings are part of the loop it may settle.
  @inline(never)
  func leaveLoop(closedBy edge: EdgeIndex) throws {
    let source = edges[Int(edge)].source, reader = edges[Int(edge)].target
    if arena.pointee.isRunning && state.pointee.waiting > 0 {
      settle(upTo: slots[Int(source)].height)
      try? refreshDerived(slots + Int(source))
    }
    guard slots[Int(reader)].kind == Kind.computed,
      let way = computedWay(from: reader, to: source)
    else {
      reconsider(edge)
      return try refreshDerived(slots + Int(source))
    }
    throw CycleError(loop: [reader] + way.reversed())
  }
}
