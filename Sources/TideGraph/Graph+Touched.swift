import CTideSlots

extension Graph {
  /// Lets `drainTouched` tell of this slot's changes.
  package func watch(_ slot: Slot) {
    slot.mark(Mark.watched)
    slot.pointee.access |= Access.observed
  }

  @inline(never)
  func touch(_ slot: Slot) {
    if slot.hasMark(Mark.touched) { return }
    slot.mark(Mark.touched)
    state.pointee.touched.append(slot.index)
  }

  package var hasTouched: Bool { !state.pointee.touched.isEmpty }

  /// Visits the watched slots that have changed since the last time, each once, in order.
  package func drainTouched(_ visit: (Slot) -> Void) {
    while !state.pointee.touched.isEmpty {
      var slotsNow: [UInt32] = []
      swap(&slotsNow, &state.pointee.touched)
      for index in slotsNow {
        let slot = slots + Int(index)
        slot.clear(Mark.touched)
        if slot.pointee.kind != Kind.free { visit(slot) }
      }
    }
    if !isBusy && arena.pointee.batch == 0 { recycleDead() }
  }
}
