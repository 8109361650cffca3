import CTideSlots

extension Graph {
  /// Makes the target follow the source, by copying or through a body.
  ///
  /// The caller sets the target's initial value. If several bindings of one target fire in the same
  /// wave, the last one created wins.
  package func connect(
    _ source: Slot, to target: Slot, through body: TransformBody? = nil, owner: UInt32 = 0,
    isReverse: Bool = false
  ) -> EdgeIndex {
    let flags =
      EdgeFlag.binding | (isReverse ? EdgeFlag.back : 0) | (keepsHistory ? EdgeFlag.noted : 0)
    let edge = makeEdge(source.index, target.index, flags: flags, owner: owner)
    if isReverse { state.pointee.hasTwoWayBindings = true }
    if let body { edges[Int(edge)].body = bodies.retain(body) }
    // Latest first: a context ends its bindings in that order, so each one is found at the head of
    // the list.
    let older = target.pointee.firstIn
    edges[Int(edge)].nextIn = older
    target.pointee.firstIn = edge
    if older != 0 && !isReverse && !target.hasMark(Mark.multipleWriters) {
      countWriters(of: target)
    }
    return edge
  }

  /// Removes a binding's edge.
  package func disconnect(_ edge: EdgeIndex) {
    let target = slots + Int(edges[Int(edge)].target)
    removeIn(edge)
    removeOut(edge)
    if target.hasMark(Mark.multipleWriters) { countWriters(of: target) }
    if arena.pointee.hasLeftovers && !isBusy { finishWave() }
  }

  /// Marks a target that has several bindings. A target with one binding is written at once; with
  /// several it waits for all of them.
  private func countWriters(of target: Slot) {
    guard target.pointee.kind == Kind.source else { return }
    var writers = 0
    var edge = target.pointee.firstIn
    while edge != 0 && writers < 2 {
      if edges[Int(edge)].flags & EdgeFlag.back == 0 { writers += 1 }
      edge = edges[Int(edge)].nextIn
    }
    if writers > 1 { target.mark(Mark.multipleWriters) } else { target.clear(Mark.multipleWriters) }
  }

  /// Copies the source's value to a target that has just been bound by a copying binding.
  @inline(__always)
  package func copyFirst(_ source: Slot, to target: Slot) {
    if target.copy(from: source), target.pointee.access & Access.observed != 0 { changed(target) }
  }

  /// Transfers the source's value now, as if the source had changed.
  package func fire(_ edge: EdgeIndex) {
    let record = edges + Int(edge)
    let target = slots + Int(record.pointee.target)
    let source = slots + Int(record.pointee.source)
    let wasRunning = arena.pointee.isRunning
    arena.pointee.isRunning = true
    let isNew =
      isTracking
      ? untracked { apply(record, edge, source, target, bodies) }
      : apply(record, edge, source, target, bodies)
    arena.pointee.isRunning = wasRunning
    if isNew { changed(target) }
    // Writes of the transformer have been deferred.
    settleIfIdle()
  }

  /// Disables or enables a binding. If it missed a change while disabled, enabling it delivers the
  /// change.
  package func setEnabled(_ isEnabled: Bool, ofEdge edge: EdgeIndex) {
    let record = edges + Int(edge)
    if isEnabled == (record.pointee.flags & EdgeFlag.disabled == 0) { return }
    if !isEnabled {
      record.pointee.flags |= EdgeFlag.disabled
      return
    }
    let missed = record.pointee.flags & EdgeFlag.missed != 0
    record.pointee.flags &= ~(EdgeFlag.disabled | EdgeFlag.missed)
    if missed && !forgetsMissed { fire(edge) }
  }

  /// Marks a disabled binding as having a change to deliver.
  package func markMissed(_ edge: EdgeIndex) {
    edges[Int(edge)].flags |= EdgeFlag.missed
  }

  /// Whether a binding copies its source's value unchanged.
  package func copies(_ edge: EdgeIndex) -> Bool {
    edges[Int(edge)].flags & EdgeFlag.binding != 0 && edges[Int(edge)].body == 0
  }

  /// Sets a body for a binding that has copied its source's value so far.
  package func give(_ body: TransformBody, to edge: EdgeIndex) {
    let old = edges[Int(edge)].body
    edges[Int(edge)].body = bodies.retain(body)
    releaseBody(old)
  }

  package func isEnabled(_ edge: EdgeIndex) -> Bool {
    edges[Int(edge)].flags & EdgeFlag.disabled == 0
  }

  package func source(of edge: EdgeIndex) -> Slot { slots + Int(edges[Int(edge)].source) }
  package func target(of edge: EdgeIndex) -> Slot { slots + Int(edges[Int(edge)].target) }
  package func owner(of edge: EdgeIndex) -> UInt32 { edges[Int(edge)].owner }
  /// The body of an edge; nil if the edge copies its source's value.
  package func body(of edge: EdgeIndex) -> TransformBody? {
    bodies.with(edges[Int(edge)].body, as: TransformBody.self) { $0 }
  }
  package func generation(of edge: EdgeIndex) -> UInt16 { edges[Int(edge)].generation }
  package func setOwner(_ owner: UInt32, of edge: EdgeIndex) { edges[Int(edge)].owner = owner }
  package func slot(at index: UInt32) -> Slot { slots + Int(index) }

  /// The edges from and to a slot, for inspection.
  package func dependents(of slot: Slot) -> [EdgeIndex] {
    list(from: slot.pointee.firstOut) { $0.nextOut }
  }

  package func dependencies(of slot: Slot) -> [EdgeIndex] {
    list(from: slot.pointee.firstIn) { $0.nextIn }
  }

  /// The slots that a node read in its last run.
  package func sources(of node: Slot) -> [Slot] {
    dependencies(of: node).map { slots + Int(edges[Int($0)].source) }
  }

  private func list(
    from first: EdgeIndex, next: (TideEdge) -> EdgeIndex
  ) -> [EdgeIndex] {
    var found: [EdgeIndex] = []
    var edge = first
    while edge != 0 {
      found.append(edge)
      edge = next(edges[Int(edge)])
    }
    return found
  }

  /// The number of slots, edges and blocks in use.
  package var counts: (slots: Int, edges: Int, blocks: Int) {
    (state.pointee.liveSlots, state.pointee.liveEdges, state.pointee.liveBlocks)
  }
}

extension Graph {
  /// Whether an edge is still the binding that the given owner created.
  package func isBinding(_ edge: EdgeIndex, ownedBy owner: UInt32) -> Bool {
    edge != 0 && edges[Int(edge)].owner == owner && edges[Int(edge)].flags & EdgeFlag.binding != 0
  }
}
