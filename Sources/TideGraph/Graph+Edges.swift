import CTideSlots

/// The flags of an edge.
@usableFromInline enum EdgeFlag {
  /// The edge writes its target. Without this flag, the edge records that the target read the
  /// source.
  static let binding: UInt16 = 1
  static let disabled: UInt16 = 2
  /// The edge is disabled, and its source has changed meanwhile.
  static let missed: UInt16 = 4
  /// The source changed, and the target is queued.
  static let fired: UInt16 = 8
  /// The edge closes a loop, so heights ignore it.
  @usableFromInline static let back: UInt16 = 16
  static let dead: UInt16 = 32
  /// The history records the values that the edge transfers.
  static let noted: UInt16 = 64
  /// A later write of the same batch claims the target, so the edge does not transfer the earlier
  /// write of its source.
  static let superseded: UInt16 = 128
  /// The flags that do not affect propagation.
  static let aside = back | noted
}

extension Graph {
  /// Links two slots. The caller adds the edge to the target's dependencies.
  @inline(__always)
  func makeEdge(
    _ source: UInt32, _ target: UInt32, flags: UInt16 = 0, owner: UInt32 = 0
  ) -> EdgeIndex {
    var edge = arena.pointee.freeEdge
    if edge != 0 {
      arena.pointee.freeEdge = edges[Int(edge)].nextOut
    } else {
      edge = arena.pointee.edgeCount
      if _slowPath(edge >= arena.pointee.edgeCapacity) { growEdges(to: edge + 1) }
      arena.pointee.edgeCount = edge + 1
      // Prefault 32 KiB ahead, except in small graphs.
      if edge & 1023 == 0 { tide_prefault(edges + Int(edge), 32 << 10) }
    }
    state.pointee.liveEdges += 1
    let generation = edges[Int(edge)].generation
    edges[Int(edge)] = TideEdge(
      source: source, target: target, nextOut: 0, prevOut: 0, nextIn: 0, body: 0, owner: owner,
      flags: flags, generation: generation)
    if _slowPath(owner != 0 && arena.pointee.history != nil) {
      arena.pointee.history?.pointee.bindingRuns?[Int(edge)] = 0
    }
    appendOut(edge, to: slots + Int(source))
    let height = slots[Int(source)].height
    if slots[Int(target)].height <= height {
      if slots[Int(target)].firstOut == 0 {
        slots[Int(target)].height = height + 1
      } else {
        raise(over: edge)
      }
    }
    if slots[Int(source)].kind == Kind.computed, isLive(slots + Int(target)) {
      gainLiveDependent(slots + Int(source))
    }
    return edge
  }

  /// The first edge's `prevOut` is the last edge, so appending needs no pointer to the tail.
  @inline(__always)
  private func appendOut(_ edge: EdgeIndex, to source: Slot) {
    let first = source.pointee.firstOut
    if first == 0 {
      source.pointee.firstOut = edge
      edges[Int(edge)].prevOut = edge
      source.pointee.access |= Access.observed
    } else {
      let last = edges[Int(first)].prevOut
      edges[Int(last)].nextOut = edge
      edges[Int(edge)].prevOut = last
      edges[Int(first)].prevOut = edge
    }
  }

  /// Removes an edge from its source's list and frees its record.
  func removeOut(_ edge: EdgeIndex) {
    let record = edges + Int(edge)
    let source = slots + Int(record.pointee.source)
    let next = record.pointee.nextOut, previous = record.pointee.prevOut
    if source.pointee.firstOut == edge {
      source.pointee.firstOut = next
      if next != 0 {
        edges[Int(next)].prevOut = previous
      } else if !source.hasMark(Mark.watched) {
        source.pointee.access &= ~Access.observed
      }
    } else {
      edges[Int(previous)].nextOut = next
      let first = source.pointee.firstOut
      edges[Int(next != 0 ? next : first)].prevOut = previous
    }
    if source.pointee.kind == Kind.computed, isLive(slots + Int(record.pointee.target)) {
      loseLiveDependent(source)
    }
    releaseBody(record.pointee.body)
    record.pointee.flags = EdgeFlag.dead
    record.pointee.generation &+= 1
    record.pointee.body = 0
    record.pointee.owner = 0
    state.pointee.liveEdges -= 1
    // A running wave may be at this record. Its `nextOut` must stay valid until the wave has ended.
    if isBusy {
      state.pointee.deadEdges.append(edge)
      arena.pointee.hasLeftovers = true
    } else {
      recycleEdge(edge)
    }
  }

  func recycleEdge(_ edge: EdgeIndex) {
    edges[Int(edge)].nextOut = arena.pointee.freeEdge
    edges[Int(edge)].target = 0
    arena.pointee.freeEdge = edge
  }

  /// Removes an edge from its target's list of dependencies.
  func removeIn(_ edge: EdgeIndex) {
    let target = slots + Int(edges[Int(edge)].target)
    var previous: EdgeIndex = 0
    var current = target.pointee.firstIn
    while current != 0 && current != edge {
      previous = current
      current = edges[Int(current)].nextIn
    }
    guard current == edge else { return }
    let next = edges[Int(edge)].nextIn
    if previous == 0 {
      target.pointee.firstIn = next
    } else {
      edges[Int(previous)].nextIn = next
    }
  }

  /// Removes all edges from and to a slot.
  func dropEdges(of slot: Slot) {
    if slot.hasMark(Mark.running) { stopRecording(for: slot) }
    while slot.pointee.firstIn != 0 {
      let edge = slot.pointee.firstIn
      slot.pointee.firstIn = edges[Int(edge)].nextIn
      let owner = edges[Int(edge)].owner
      removeOut(edge)
      if owner != 0 { host?.graph(self, edgeEnded: owner) }
    }
    while slot.pointee.firstOut != 0 {
      let edge = slot.pointee.firstOut
      let target = slots + Int(edges[Int(edge)].target)
      let owner = edges[Int(edge)].owner
      if target.hasMark(Mark.running) {
        // The target's reads are being recorded along this list, possibly at this very edge.
        target.mark(Mark.hasDeadInputs)
      } else {
        removeIn(edge)
      }
      removeOut(edge)
      switch target.pointee.kind {
      case Kind.observer:
        bodies.with(target.pointee.body, as: ObserverBody.self) { $0.onEnd?() }
      case Kind.computed:
        bodies.with(target.pointee.body, as: ComputedBody.self) { $0.sourceEnded(target) }
      default: break
      }
      if owner != 0 { host?.graph(self, edgeEnded: owner) }
    }
  }

  // MARK: Heights

  /// Checks again whether an edge still closes a loop.
  func reconsider(_ edge: EdgeIndex) {
    let record = edges + Int(edge)
    record.pointee.flags &= ~EdgeFlag.back
    let height = slots[Int(record.pointee.source)].height
    if slots[Int(record.pointee.target)].height <= height { raise(over: edge) }
  }

  /// Raises the target and its dependents above the source.
  private func raise(over edge: EdgeIndex) {
    let source = edges[Int(edge)].source, target = edges[Int(edge)].target
    let height = slots[Int(source)].height
    slots[Int(target)].height = height + 1
    // If raising the target raises the source, the edge closes a loop. Until that is known it is
    // treated as a back edge, so that raising terminates.
    edges[Int(edge)].flags |= EdgeFlag.back
    var work: [UInt32] = [target]
    while let index = work.popLast() {
      let least = slots[Int(index)].height + 1
      var out = slots[Int(index)].firstOut
      while out != 0 {
        let record = edges + Int(out)
        let next = slots + Int(record.pointee.target)
        if record.pointee.flags & EdgeFlag.back == 0 && next.pointee.height < least
          && next.pointee.kind != Kind.observer
        {
          next.pointee.height = least
          work.append(record.pointee.target)
        }
        out = record.pointee.nextOut
      }
    }
    if slots[Int(source)].height == height && source != target {
      edges[Int(edge)].flags &= ~EdgeFlag.back
    }
  }

  // MARK: Liveness

  /// Whether a slot is an effect or an observer, or has one among its dependents.
  @inline(__always)
  func isLive(_ slot: Slot) -> Bool {
    slot.pointee.kind != Kind.computed || slot.hasMark(Mark.live)
  }

  func gainLiveDependent(_ source: Slot) {
    changeLiveDependents(of: source, becomingLive: true)
  }

  func loseLiveDependent(_ source: Slot) {
    changeLiveDependents(of: source, becomingLive: false)
  }

  /// Changes the number of live dependents by one. If that changes whether the slot itself is live,
  /// updates its sources as well.
  private func changeLiveDependents(of source: Slot, becomingLive: Bool) {
    guard source.pointee.kind == Kind.computed else { return }
    var work: [Slot] = [source]
    while let slot = work.popLast() {
      let turned = bodies.with(slot.pointee.body, as: ComputedBody.self) { body in
        if becomingLive {
          body.liveDependents += 1
          return body.liveDependents == 1
        }
        body.liveDependents -= 1
        return body.liveDependents == 0
      }
      guard turned == true else { continue }
      if becomingLive { slot.mark(Mark.live) } else { slot.clear(Mark.live) }
      var edge = slot.pointee.firstIn
      while edge != 0 {
        let dependency = slots + Int(edges[Int(edge)].source)
        if dependency.pointee.kind == Kind.computed { work.append(dependency) }
        edge = edges[Int(edge)].nextIn
      }
    }
  }
}
