public import CTideSlots

extension Graph {
  /// Brings a slot up to date before it is read.
  ///
  /// Throws its body's error, `CycleError` if the slot is already being evaluated, or `DepthError`
  /// if evaluations nest too deep for the stack.
  @inlinable @inline(__always)
  package func refresh(_ slot: Slot) throws {
    if slot.pointee.access & UInt8(TIDE_DERIVED) != 0 { try refreshDerived(slot) }
  }

  /// Brings a slot up to date and records the read. The read of a failing slot is recorded as well,
  /// so that the reader runs again when the slot recovers.
  @inlinable @inline(__always)
  package func refreshTracking(_ slot: Slot) throws {
    if slot.pointee.access & UInt8(TIDE_DERIVED) == 0 { return track(slot) }
    try refreshTrackingDerived(slot)
  }

  /// Inlined wherever a computed value is read, because a call would take as long as the rest.
  @inlinable @inline(__always)
  func refreshTrackingDerived(_ slot: Slot) throws {
    guard _fastPath(!slot.hasMark(Mark.stale | Mark.check | Mark.running | Mark.failed)) else {
      return try refreshTrackingStale(slot)
    }
    if arena.pointee.active == 0 { return }
    // The same as `record`, for a slot that is read in the same order as last time.
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
      // The read of a slot that this read waits for is recorded only as a wait.
      if error is BlockedError {
        recordWait(for: slot)
        throw error
      }
      let hadFailed = slot.hasMark(Mark.failed)
      let wasOpen = slot.hasMark(Mark.stale | Mark.check | Mark.running)
      track(slot)
      if !wasOpen, slot.hasMark(Mark.stale | Mark.check) { return try refreshAgain(slot) }
      if slot.hasMark(Mark.stale | Mark.check) { markProvisional() }
      // A loop may have been closed since the earlier error.
      if arena.pointee.active != 0, !slot.hasMark(Mark.running) { try leaveLoop(through: slot) }
      guard hadFailed && !slot.hasMark(Mark.running | Mark.stale | Mark.check) else { throw error }
      // Recording may have evaluated the slot, to order it before its reader.
      guard slot.hasMark(Mark.failed) else { return }
      throw failure(of: slot) ?? error
    }
    if arena.pointee.active != 0 { try trackDerived(slot) }
  }

  /// If a binding's function has read nothing yet, makes it a dependent of the slot it waits for.
  private func recordWait(for slot: Slot) {
    let reader = slots + Int(arena.pointee.active)
    if reader.pointee.kind == Kind.computed, reader.pointee.body == 0 { track(slot) }
  }

  /// Records the read of a slot whatever the result of its evaluation. If the slot must be
  /// evaluated again, its reader becomes provisional as well.
  @inlinable @inline(__always)
  package func trackAsItIs(_ slot: Slot) {
    if _slowPath(arena.pointee.active != 0) { recordAsItIs(slot) }
  }

  @usableFromInline
  func recordAsItIs(_ slot: Slot) {
    record(slot.index)
    if _slowPath(slot.hasMark(Mark.stale | Mark.check)) { markProvisional() }
  }

  /// Records the read of a slot that has just been evaluated, and throws its error without
  /// evaluating it again.
  package func trackEvaluated(_ slot: Slot) throws {
    guard slot.hasMark(Mark.failed), slot.hasMark(Mark.stale), let failure = failure(of: slot)
    else {
      return try refreshTracking(slot)
    }
    track(slot)
    markProvisional()
    throw failure
  }

  /// Records the read of a computed slot. Recording may evaluate the slot, to order it before its
  /// reader, and the slot may then depend on its reader.
  @usableFromInline
  func trackDerived(_ slot: Slot) throws {
    record(slot.index)
    if slot.hasMark(Mark.stale | Mark.check | Mark.failed) { return try refreshAgain(slot) }
    try leaveLoop(through: slot)
  }

  /// Refreshes a slot that became stale while its read was recorded, because recording evaluated
  /// some of its dependencies.
  private func refreshAgain(_ slot: Slot) throws {
    let edge = arena.pointee.lastRead
    defer { if slot.hasMark(Mark.stale | Mark.check) { markProvisional() } }
    try refreshDerived(slot)
    if edge == arena.pointee.lastRead { try leaveLoop(through: slot) }
  }

  /// Throws if the read that has just been recorded closes a loop.
  @inline(__always)
  private func leaveLoop(through slot: Slot) throws {
    let edge = arena.pointee.lastRead
    let record = edges + Int(edge)
    if _slowPath(record.pointee.flags & EdgeFlag.back != 0), record.pointee.source == slot.index {
      try leaveLoop(closedBy: edge)
    }
  }

  /// Marks the current reader as provisional: it has read a value that must be evaluated again.
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
      // Checking its dependencies instead may cause writes.
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

  /// Propagates a new value of a slot that was evaluated before its turn because it was read.
  func tellDependents(_ slot: Slot) {
    // Mark all downstream slots. Otherwise a later change would stop at slots that are already
    // marked.
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

  /// Evaluates a computed slot and records its reads. Returns true if the value changed.
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

  /// An evaluation in progress, with the reader that was active before it.
  package struct Evaluation {
    package let slot: Slot
    fileprivate let outer: Tracking
    fileprivate let hadFailed: Bool
    fileprivate var causer = TideCauser()
    /// The profile that measures the evaluation, if profiling was on when it began.
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

  /// Records that a function returned a value. Returns true if the slot had failed before. Throws
  /// the error of a slot that the function read without being able to throw.
  @inline(never)
  private func succeed(_ slot: Slot, _ body: ComputedBody) throws -> Bool {
    try takePassedOn(by: slot)
    guard slot.hasMark(Mark.failed) else { return false }
    body.failure = nil
    slot.clear(Mark.failed)
    return true
  }

  /// Records a function's error.
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

  /// Whether two errors count as the same failure: every slot of a loop fails with a cycle error of
  /// its own, and a function that exceeds its time limit does so each time.
  private func isSame(_ error: any Error, as former: (any Error)?) -> Bool {
    guard let error = error as? any PassingFailure, let former = former as? any PassingFailure
    else { return false }
    return error.isCycle && former.isCycle || error.isPassing && former.isPassing
  }

  /// Evaluates a slot again if one evaluation is not enough. Returns true if the value changed.
  @inline(never)
  private func evaluateOn(_ slot: Slot) -> Bool {
    var changed = false
    var rounds = 1
    while slot.hasMark(Mark.mustRerun) && !slot.hasMark(Mark.stale | Mark.blocked | Mark.overflowed)
    {
      // The function wrote a slot that it had already read. The next evaluation reads the new
      // value.
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
    // Its readers are stale, too. Functions that are reading it right now find that out themselves.
    markDependents(of: slot, andRunning: slot.hasMark(Mark.blocked))
    return changed
  }

  private func fail(_ slot: Slot, with error: any Error) {
    slot.mark(Mark.failed)
    bodies.with(slot.pointee.body, as: ComputedBody.self) { $0.failure = error }
  }

  // MARK: Evaluations that wait

  /// Whether a slot's function must run before the slot can be read.
  package func needsEvaluation(_ slot: Slot) -> Bool {
    slot.hasMark(Mark.stale) && !slot.hasMark(Mark.running) && slot.pointee.kind == Kind.computed
  }

  /// Begins the evaluation of a slot that another evaluation needs and waits for. Returns nil if
  /// too many evaluations wait. Evaluations end in reverse order.
  package func beginEvaluation(of slot: Slot) -> Evaluation? {
    // Reserve room for a few more that nest on the stack.
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

  /// Ends an evaluation with its function's error or with whether the slot's value has changed.
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

  // MARK: Errors in functions that cannot throw

  /// Handles the error of a slot that a function read without being able to throw. If a computed
  /// slot is running, it fails with the error; otherwise the host is notified.
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

  /// Throws the error of a slot that a computed slot's function read without being able to throw.
  func takePassedOn(by slot: Slot) throws {
    guard slot.hasMark(Mark.poisoned) else { return }
    slot.clear(Mark.poisoned)
    guard let error = state.pointee.passedOn else { return }
    state.pointee.passedOn = nil
    throw error
  }

  /// Settling in the middle of an evaluation may reach a slot that needs the value being evaluated.
  /// That is not a loop as long as the evaluation did not read the slot: the evaluations since then
  /// are blocked and repeated later. Returns false if it is a loop.
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

  /// Throws if the edge that records a read closes a loop of computed slots, because each would
  /// depend on itself. A loop that includes bindings may settle.
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
