import CTideSlots

extension Graph {
  @inline(__always)
  func queueEffect(_ index: UInt32, _ slot: Slot) {
    if slot.hasMark(Mark.queued) { return }
    if slot.hasMark(Mark.disabled) {
      slot.mark(Mark.missed)
      return
    }
    slot.mark(Mark.queued)
    state.pointee.effects.append(index)
    arena.pointee.hasLeftovers = true
  }

  /// Runs the queued effects and observers, after everything else and in the order in which they
  /// were reached. An effect's writes are settled at once, and may queue further effects.
  @inline(never)
  func flushEffects() {
    arena.pointee.isFlushing = true
    var next = 0
    while next < state.pointee.effects.count {
      let slot = slots + Int(state.pointee.effects[next])
      next += 1
      slot.clear(Mark.queued)
      switch slot.pointee.kind {
      case Kind.effect: runEffect(slot)
      case Kind.observer: notify(slot)
      default: break
      }
      if next == 4096 {
        state.pointee.effects.removeFirst(next)
        next = 0
      }
    }
    state.pointee.effects.removeAll(keepingCapacity: true)
    arena.pointee.isFlushing = false
  }

  /// Runs an effect's body and records what it reads.
  func runEffect(_ slot: Slot) {
    var failure: (any Error)?
    bodies.with(slot.pointee.body, as: EffectBody.self) { body in
      countRound(&body.rounds, &body.wave)
      guard admitsRound(body.rounds, of: slot) else { return }
      let outer = beginTracking(slot)
      pushEvaluation(slot.index)
      noting(.body, by: slot) {
        do {
          try body.run(slot)
          try checkReads(of: slot)
        } catch {
          failure = error
        }
      }
      state.pointee.evaluationDepth -= 1
      endTracking(
        slot, outer, keepingReads: (failure as? any PassingFailure)?.keepsReads ?? false)
      if _slowPath(body.rounds == Graph.roundLimit) { noteWrites(of: slot) }
    }
    report(failure, of: slot)
  }

  /// Notifies an observer of its source's value, unless the value equals the one of the last
  /// notification.
  private func notify(_ slot: Slot) {
    let edge = slot.pointee.firstIn
    guard edge != 0 else { return }
    let source = slots + Int(edges[Int(edge)].source)
    if _slowPath(source.hasMark(Mark.failed) || slot.hasMark(Mark.failed)),
      reportSource(source, of: slot)
    {
      return
    }
    let old = slot.load()
    guard slot.copy(from: source) else { return }
    let new = slot.load()
    var failure: (any Error)?
    bodies.with(slot.pointee.body, as: ObserverBody.self) { body in
      countRound(&body.rounds, &body.wave)
      guard admitsRound(body.rounds, of: slot) else { return }
      noting(.body, by: slot) {
        untracked {
          do { try body.valueChanged(of: source, from: old, to: new) } catch { failure = error }
        }
      }
      if _slowPath(body.rounds == Graph.roundLimit) { noteWrites(of: slot) }
    }
    report(failure, of: slot)
  }

  /// Reports to the host that an observer's source has failed or has recovered.
  ///
  /// - Returns: Whether the source has failed, so the observer gets no value.
  @inline(never)
  package func reportSource(_ source: Slot, of observer: Slot) -> Bool {
    let reports = bodies.with(observer.pointee.body, as: ObserverBody.self) { $0.reportsSource }
    guard reports == true else { return false }
    guard let failure = currentFailure(of: source) else {
      report(nil, of: observer)
      return false
    }
    observer.mark(Mark.failed)
    host?.graph(self, observer: observer, of: source, failed: failure)
    return true
  }

  /// Reports a failure to the host, or the recovery from one.
  package func report(_ failure: (any Error)?, of slot: Slot) {
    if let failure {
      slot.mark(Mark.failed)
      host?.graph(self, body: slot, failed: failure)
    } else if slot.hasMark(Mark.failed) {
      slot.clear(Mark.failed)
      host?.graph(self, recovered: slot)
    }
  }

  /// Runs a function in which enabling a binding, an effect or an observer does not deliver missed
  /// changes, because they have been reverted.
  package func withoutCatchingUp<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = forgetsMissed
    forgetsMissed = true
    defer { forgetsMissed = outer }
    return try body()
  }

  /// Disables an effect or an observer, or enables it and delivers a missed change.
  package func setEnabled(_ isEnabled: Bool, of slot: Slot) {
    if isEnabled == !slot.hasMark(Mark.disabled) { return }
    if !isEnabled {
      slot.mark(Mark.disabled)
      return
    }
    slot.clear(Mark.disabled)
    guard slot.hasMark(Mark.missed) else { return }
    slot.clear(Mark.missed)
    if forgetsMissed { return }
    queueEffect(slot.index, slot)
    if !isBusy && arena.pointee.batch == 0 {
      beginWave()
      endWave()
    }
  }
}
