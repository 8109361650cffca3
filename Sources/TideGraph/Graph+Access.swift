public import CTideSlots

extension Graph {
  /// Reads a slot: brings it up to date, records the read, and returns its value.
  package func read(_ slot: Slot) throws -> Value {
    try refreshTracking(slot)
    return slot.load()
  }

  /// Writes a slot and settles its dependents. Returns true if the value changed.
  @discardableResult
  package func write(_ slot: Slot, _ value: consuming Value) -> Bool {
    guard keepsHistory else {
      guard slot.store(value) else { return false }
      if slot.pointee.access & Access.observed != 0 { changed(slot) }
      return true
    }
    let value = value
    guard Graph.noting(slot, { slot.store(value) }) else { return false }
    if slot.pointee.access & Access.observed != 0 { changed(slot) }
    return true
  }
}

extension Graph {
  /// Records a read of a slot that is up to date.
  @inlinable @inline(__always)
  package static func trackRead(of slot: Slot) {
    if _slowPath(tide_arena_of(slot).pointee.active != 0) { _ = recordedSlot(of: slot) }
  }

  @inlinable @inline(__always)
  package static func needsConsent(_ slot: Slot) -> Bool {
    slot.pointee.access & UInt8(TIDE_VALIDATED | TIDE_PRIOR) != 0
  }

  /// Whether a write is more than a store: a validator or a prior observer must be called, or the
  /// history must record the write.
  @inlinable @inline(__always)
  package static func needsSlowWrite(_ slot: Slot) -> Bool {
    needsConsent(slot) || tide_arena_of(slot).pointee.history != nil
  }

  /// Whether other slots depend on the slot, so only its graph's owner may write it.
  @inlinable @inline(__always)
  package static func isObserved(_ slot: Slot) -> Bool {
    slot.pointee.access & UInt8(TIDE_OBSERVED) != 0
  }

  /// Whether the current thread or actor may write a slot that has dependents.
  @inlinable @inline(__always)
  package static func admitsWrite(to slot: Slot) -> Bool {
    slot.isUnjoined || tide_arena_is_here(tide_arena_of(slot))
  }

  /// Attaches a body to a plain slot, such as a validator.
  package func attach(_ body: Body, to slot: Slot) {
    if slot.pointee.body != 0 { releaseBody(slot.pointee.body) }
    slot.pointee.body = bodies.retain(body)
  }

  package func body(of slot: Slot) -> Body? {
    bodies.with(slot.pointee.body, as: Body.self) { $0 }
  }
}

extension Graph {
  /// The error that a computed slot's last evaluation threw; nil if it succeeded or the slot is not
  /// computed.
  package func currentFailure(of slot: Slot) -> (any Error)? {
    slot.hasMark(Mark.failed) ? failure(of: slot) : nil
  }
}

extension Slot {
  /// Settles after a store, if the slot has dependents.
  @inlinable @inline(__always)
  package func noteChange() {
    if _slowPath(pointee.access & UInt8(TIDE_OBSERVED) != 0) { settleChange() }
  }

  /// Settles after a store.
  @usableFromInline @inline(never)
  package func settleChange() { Graph.with(self) { $0.changed(self) } }
}
