import CTideSlots

// What a binding's function reads. Nearly all read nothing, so a spare slot records for them, and
// only when something was read it becomes the binding's own.

extension Graph {
  /// Runs a function and records what it reads at a slot.
  ///
  /// - Parameters:
  ///   - recorder: where the function's reads were recorded before; nil where it has read nothing
  ///     so far.
  ///   - recorded: gets the recorder to keep, and to dispose of, when something was read for the
  ///     first time.
  @inlinable @inline(__always)
  package func recording<Result>(
    at recorder: Slot?, _ body: () throws -> Result, recorded: (Slot) -> Void
  ) throws -> Result {
    let recording = beginRecording(at: recorder)
    let result: Result
    do { result = try body() } catch { throw end(recording, recorded) ?? error }
    if let failure = end(recording, recorded) { throw failure }
    return result
  }

  /// A function that runs, whose reads are recorded at a slot.
  @usableFromInline struct Recording {
    fileprivate let slot: Slot
    fileprivate let isNew: Bool
    fileprivate let outer: Tracking
  }

  @usableFromInline
  func beginRecording(at recorder: Slot?) -> Recording {
    let slot = recorder ?? takeRecorder()
    let outer = beginTracking(slot)
    // It may come to need what is being found further out, and is then to wait for that.
    pushEvaluation(slot.index)
    return Recording(slot: slot, isNew: recorder == nil, outer: outer)
  }

  /// Gives what the function fails with beside what it throws.
  @usableFromInline
  func end(_ recording: Recording, _ recorded: (Slot) -> Void) -> (any Error)? {
    let slot = recording.slot
    state.pointee.evaluationDepth &-= 1
    endTracking(slot, recording.outer)
    let late = Mark.mustRerun | Mark.provisional | Mark.poisoned | Mark.overflowed | Mark.blocked
    let failure = _slowPath(slot.hasMark(late)) ? takeMarks(of: slot) : nil
    if recording.isNew {
      if _fastPath(slot.pointee.firstIn == 0) { giveBack(recorder: slot) } else { recorded(slot) }
    }
    return failure
  }

  /// A slot to record at, which counts as none until it is kept.
  @inline(__always)
  private func takeRecorder() -> Slot {
    let spare = state.pointee.spareRecorder
    if _fastPath(spare != 0) {
      state.pointee.spareRecorder = 0
      let slot = slots + Int(spare)
      slot.pointee.kind = Kind.computed
      return slot
    }
    let slot = allocate(slots: 1)
    state.pointee.liveBlocks -= 1
    state.pointee.liveSlots -= 1
    slot.pointee.kind = Kind.computed
    return slot
  }

  @inline(__always)
  private func giveBack(recorder slot: Slot) {
    slot.pointee.kind = Kind.source
    if _fastPath(state.pointee.spareRecorder == 0) {
      slot.pointee.height = 0
      state.pointee.spareRecorder = slot.index
    } else {
      // Functions of bindings were called inside of others.
      state.pointee.liveBlocks += 1
      state.pointee.liveSlots += 1
      dispose(slot)
    }
  }

  /// What a function fails with beside what it throws.
  @inline(never)
  private func takeMarks(of slot: Slot) -> (any Error)? {
    let isBlocked = slot.hasMark(Mark.blocked), overflowed = slot.hasMark(Mark.overflowed)
    // It is called again where it has written what it had read, has to wait, or has read what is
    // itself to be tried again.
    let isAgain = isBlocked || slot.hasMark(Mark.mustRerun | Mark.provisional)
    slot.clear(Mark.mustRerun | Mark.provisional | Mark.overflowed | Mark.blocked)
    if isAgain { slot.mark(Mark.stale) }
    do { try takePassedOn(by: slot) } catch { return error }
    if isBlocked { return BlockedError() }
    return overflowed ? CapacityError() : nil
  }

  /// Makes a recorder that is to be kept a node, which changes whenever what was read does.
  package func follow(_ recorder: Slot, by body: ComputedBody) {
    state.pointee.liveBlocks += 1
    state.pointee.liveSlots += 1
    let wasStale = recorder.hasMark(Mark.stale)
    derive(recorder, by: body)
    if !wasStale { recorder.clear(Mark.stale) }
  }

  /// Gives back a recorder that is not to be kept after all.
  package func drop(_ recorder: Slot) {
    state.pointee.liveBlocks += 1
    state.pointee.liveSlots += 1
    dispose(recorder)
  }

  /// Lets the evaluation that runs keep what was read in those before.
  package func keepReads() { arena.pointee.cursor = 0 }
}
