import CTideSlots

extension Graph {
  /// Makes a slot of its own kind with a body: a computed value, an effect or an observer.
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

  /// Lets a computed slot be evaluated when it is read next, because something that it has read
  /// outside of the graph has changed. True where others are kept current by it: they follow once
  /// it is refreshed.
  package func expire(_ slot: Slot) -> Bool {
    guard slot.pointee.kind == Kind.computed else { return false }
    if !slot.hasMark(Mark.stale | Mark.running) {
      slot.mark(Mark.stale)
      markDependents(of: slot, as: Mark.check)
    }
    return slot.hasMark(Mark.live | Mark.watched)
  }

  /// Makes an effect and runs it.
  package func makeEffect(_ body: EffectBody) -> Slot {
    let slot = prepareEffect(body)
    start(slot)
    return slot
  }

  /// Makes an effect that has not run yet, for whoever wants to be able to end it in its first run.
  package func prepareEffect(_ body: EffectBody) -> Slot { makeNode(Kind.effect, body) }

  /// Runs an effect for the first time.
  package func start(_ slot: Slot) {
    let wasFlushing = arena.pointee.isFlushing
    // As in a wave: what it frees is given back when it has ended.
    if !isBusy { arena.pointee.wave &+= 1 }
    arena.pointee.isFlushing = true
    runEffect(slot)
    arena.pointee.isFlushing = wasFlushing
    if !wasFlushing && !arena.pointee.isRunning {
      if arena.pointee.batch == 0 { endWave() } else { recycleDead() }
    }
  }

  /// Makes an observer of a slot, which counts the present value as told.
  package func makeObserver(of source: Slot, _ body: ObserverBody) -> Slot {
    let slot = makeNode(Kind.observer, body)
    _ = slot.copy(from: source)
    let edge = makeEdge(source.index, slot.index)
    slot.pointee.firstIn = edge
    // Nothing reads an observer, so it needs no height.
    slot.pointee.height = body.listener
    return slot
  }

  /// Ends a node that stands for itself.
  package func dispose(_ slot: Slot) { freeBlock(slot) }
}
