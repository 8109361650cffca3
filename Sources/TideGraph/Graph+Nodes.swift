import CTideSlots

extension Graph {
  /// Creates a slot with a body: a computed value, an effect or an observer.
  private func makeNode(_ kind: UInt8, _ body: Body) -> Slot {
    let slot = allocate(slots: 1)
    slot.pointee.kind = kind
    slot.pointee.body = bodies.retain(body)
    return slot
  }

  package func makeSource(_ value: Value) -> Slot {
    let slot = allocate(slots: 1)
    _ = slot.store(value)
    return slot
  }

  @usableFromInline
  package func makeComputed(_ body: ComputedBody) -> Slot {
    let slot = allocate(slots: 1)
    derive(slot, by: body)
    return slot
  }

  /// Makes a slot computed; it is evaluated when it is first read.
  package func derive(_ slot: Slot, by body: ComputedBody) {
    slot.pointee.kind = Kind.computed
    slot.pointee.access |= Access.derived
    if slot.pointee.body != 0 { releaseBody(slot.pointee.body) }
    slot.pointee.body = bodies.retain(body)
    slot.mark(Mark.stale)
  }

  /// Marks a computed slot as stale because something that it read outside of the graph has
  /// changed. Returns true if effects or observers depend on the slot; they run once it is
  /// refreshed.
  package func expire(_ slot: Slot) -> Bool {
    guard slot.pointee.kind == Kind.computed else { return false }
    if !slot.hasMark(Mark.stale | Mark.running) {
      slot.mark(Mark.stale)
      markDependents(of: slot, as: Mark.check)
    }
    return slot.hasMark(Mark.live | Mark.watched)
  }

  /// Creates an effect and runs it.
  package func makeEffect(_ body: EffectBody) -> Slot {
    let slot = prepareEffect(body)
    start(slot)
    return slot
  }

  /// Creates an effect that has not run yet, so that the caller can end it during its first run.
  package func prepareEffect(_ body: EffectBody) -> Slot { makeNode(Kind.effect, body) }

  /// Runs an effect for the first time.
  package func start(_ slot: Slot) {
    let wasFlushing = arena.pointee.isFlushing
    // As in a wave: what the effect frees is recycled when it has ended.
    if !isBusy { arena.pointee.wave &+= 1 }
    arena.pointee.isFlushing = true
    runEffect(slot)
    arena.pointee.isFlushing = wasFlushing
    if !wasFlushing && !arena.pointee.isRunning {
      if arena.pointee.batch == 0 { endWave() } else { recycleDead() }
    }
  }

  /// Creates an observer of a slot. The current value counts as already notified.
  package func makeObserver(of source: Slot, _ body: ObserverBody) -> Slot {
    let slot = makeNode(Kind.observer, body)
    _ = slot.copy(from: source)
    let edge = makeEdge(source.index, slot.index)
    slot.pointee.firstIn = edge
    // Nothing reads an observer, so it needs no height.
    slot.pointee.height = body.listener
    return slot
  }

  /// Frees a node that is not part of an object's block.
  package func dispose(_ slot: Slot) { freeBlock(slot) }
}
