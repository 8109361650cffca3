import CTideSlots

// Records the reads of a binding's function. Nearly all such functions read nothing, so they share
// a spare slot. The slot becomes the binding's own only if something was read.

extension Graph {
  /// Runs a function and records its reads at a slot.
  ///
  /// - Parameters:
  ///   - recorder: The slot that recorded the function's reads before; nil if it has read nothing
  ///     so far.
  ///   - recorded: Receives the recorder if the function has read something for the first time. It
  ///     must keep the recorder and dispose of it later.
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

  /// A running function whose reads are recorded at a slot.
  @usableFromInline struct Recording {
    fileprivate let slot: Slot
    fileprivate let isNew: Bool
    fileprivate let outer: Tracking
  }

  @usableFromInline
  func beginRecording(at recorder: Slot?) -> Recording {
    let slot = recorder ?? takeRecorder()
    let outer = beginTracking(slot)
    // The function may read a slot whose evaluation is already running further out, and must then
    // wait for it.
    pushEvaluation(slot.index)
    return Recording(slot: slot, isNew: recorder == nil, outer: outer)
  }

  /// Returns an error that the function did not throw itself.
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

  /// Returns a slot to record at. The counts of live slots do not include it until it is kept.
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
      // Bindings' functions were nested.
      state.pointee.liveBlocks += 1
      state.pointee.liveSlots += 1
      dispose(slot)
    }
  }

  /// The error of a function apart from the one it threw.
  @inline(never)
  private func takeMarks(of slot: Slot) -> (any Error)? {
    let isBlocked = slot.hasMark(Mark.blocked), overflowed = slot.hasMark(Mark.overflowed)
    // The function is called again if it wrote a slot that it had read, must wait, or read a slot
    // that must be evaluated again.
    let isAgain = isBlocked || slot.hasMark(Mark.mustRerun | Mark.provisional)
    slot.clear(Mark.mustRerun | Mark.provisional | Mark.overflowed | Mark.blocked)
    if isAgain { slot.mark(Mark.stale) }
    do { try takePassedOn(by: slot) } catch { return error }
    if isBlocked { return BlockedError() }
    return overflowed ? CapacityError() : nil
  }

  /// Turns a recorder that is kept into a computed node, which changes whenever one of the recorded
  /// slots does.
  package func follow(_ recorder: Slot, by body: ComputedBody) {
    state.pointee.liveBlocks += 1
    state.pointee.liveSlots += 1
    let wasStale = recorder.hasMark(Mark.stale)
    derive(recorder, by: body)
    if !wasStale { recorder.clear(Mark.stale) }
  }

  /// Frees a recorder that is not kept.
  package func drop(_ recorder: Slot) {
    state.pointee.liveBlocks += 1
    state.pointee.liveSlots += 1
    dispose(recorder)
  }

  /// Makes the current evaluation keep the reads of the previous one.
  package func keepReads() { arena.pointee.cursor = 0 }
}
