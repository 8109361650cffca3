public import CTideSlots

extension Graph {
  /// Reads a slot: brings it up to date, records the read, and gives its value.
  package func read(_ slot: Slot) throws -> Value {
    try refreshTracking(slot)
    return slot.load()
  }

  /// Writes a slot and settles what depends on it; true when the value differs from the one before.
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
  /// Records a read of a slot whose value is at hand.
  @inlinable @inline(__always)
  package static func trackRead(of slot: Slot) {
    if _slowPath(tide_arena_of(slot).pointee.active != 0) { _ = recordedPlace(of: slot) }
  }

  @inlinable @inline(__always)
  package static func needsConsent(_ slot: Slot) -> Bool {
    slot.pointee.access & UInt8(TIDE_VALIDATED | TIDE_PRIOR) != 0
  }

  /// Whether a write is more than a store: somebody is to be asked, to be told before, or it is to be
  /// noted.
  @inlinable @inline(__always)
  package static func needsCare(_ slot: Slot) -> Bool {
    needsConsent(slot) || tide_arena_of(slot).pointee.history != nil
  }

  /// Whether somebody depends on the slot, so that a write is only for its graph's owner.
  @inlinable @inline(__always)
  package static func isObserved(_ slot: Slot) -> Bool {
    slot.pointee.access & UInt8(TIDE_OBSERVED) != 0
  }

  /// Whether whoever runs here may write a slot on which others depend.
  @inlinable @inline(__always)
  package static func admitsWrite(to slot: Slot) -> Bool {
    slot.isNobodys || tide_arena_is_here(tide_arena_of(slot))
  }

  /// Settles after a slot was stored to, if anybody depends on it.
  @inlinable @inline(__always)
  package static func noteChange(of slot: Slot) {
    if _slowPath(slot.pointee.access & UInt8(TIDE_OBSERVED) != 0) { settleChange(of: slot) }
  }

  @usableFromInline @inline(never)
  package static func settleChange(of slot: Slot) {
    Graph.with(slot) { $0.changed(slot) }
  }

  /// Gives a plain slot something to keep, such as a validator.
  package func attach(_ body: Body, to slot: Slot) {
    if slot.pointee.body != 0 { releaseBody(slot.pointee.body) }
    slot.pointee.body = bodies.retain(body)
  }

  package func body(of slot: Slot) -> Body? {
    bodies.with(slot.pointee.body, as: Body.self) { $0 }
  }
}

extension Graph {
  /// What a computed slot's last evaluation threw; nil for others.
  package func currentFailure(of slot: Slot) -> (any Error)? {
    slot.hasMark(Mark.failed) ? failure(of: slot) : nil
  }
}
