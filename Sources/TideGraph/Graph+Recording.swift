import CTideSlots

// What a binding's function reads. Nearly all read nothing, so a spare slot records for them, and only
// when something was read it becomes the binding's own.

extension Graph {
  /// Runs a function and records what it reads at a slot.
  ///
  /// - Parameters:
  ///   - recorder: where the function's reads were recorded before; nil where it has read nothing so
  ///     far.
  ///   - recorded: gets the recorder to keep, and to dispose of, when something was read for the first
  ///     time.
  @inline(__always)
  package func recording<Result>(
    at recorder: Slot?, _ body: () throws -> Result, recorded: (Slot) -> Void
  ) throws -> Result {
    let slot = recorder ?? takeRecorder()
    let outer = beginTracking(slot)
    let result = Swift.Result { try body() }
    endTracking(slot, outer)
    let late = Mark.outrun | Mark.provisional | Mark.poisoned | Mark.overflowed
    if _slowPath(slot.hasMark(late)) { try noteMarks(of: slot) }
    if recorder == nil {
      if _fastPath(slot.pointee.firstIn == 0) { giveBack(recorder: slot) } else { recorded(slot) }
    }
    return try result.get()
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

  @inline(never)
  private func noteMarks(of slot: Slot) throws {
    let hasWritten = slot.hasMark(Mark.outrun), overflowed = slot.hasMark(Mark.overflowed)
    slot.clear(Mark.outrun | Mark.provisional | Mark.overflowed)
    // It has written what it had read, and is to be called again when that is followed.
    if hasWritten { slot.mark(Mark.stale) }
    try takePassedOn(by: slot)
    if overflowed { throw CapacityError() }
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
