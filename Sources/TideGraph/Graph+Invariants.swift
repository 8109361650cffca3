import CTideSlots

extension Graph {
  /// Descriptions of the inconsistencies in the graph's records; empty if there are none.
  ///
  /// Called by tests after every random operation. Outside of waves and batches, lists are linked
  /// both ways, heights rise along edges, no slot is queued, and each computed slot's count of live
  /// dependents is correct.
  package func brokenInvariants() -> [String] {
    var broken: [String] = []
    var outs = 0
    for index in 1..<Int(max(1, arena.pointee.slotCount)) {
      let slot = slots + index
      if slot.pointee.kind == Kind.free { continue }
      outs += checkOuts(of: slot, &broken)
      checkIns(of: slot, &broken)
      if slot.hasMark(Mark.queued | Mark.running | Mark.pending | Mark.evaluatedAhead) && !isBusy {
        broken.append("slot \(index) is marked \(slot.pointee.state) though nothing runs")
      }
    }
    if outs != state.pointee.liveEdges {
      broken.append("\(outs) edges are linked, \(state.pointee.liveEdges) are counted")
    }
    if !isBusy && state.pointee.waiting != 0 { broken.append("slots wait though nothing runs") }
    return broken
  }

  private func checkOuts(of slot: Slot, _ broken: inout [String]) -> Int {
    var count = 0
    var live: UInt32 = 0
    var edge = slot.pointee.firstOut
    var previous = edge == 0 ? 0 : edges[Int(edge)].prevOut
    while edge != 0 {
      let record = edges[Int(edge)]
      count += 1
      if count > state.pointee.liveEdges {
        broken.append("what depends on slot \(slot.index) goes round in a circle")
        return count
      }
      if record.source != slot.index { broken.append("edge \(edge) is in another slot's list") }
      if record.prevOut != previous { broken.append("edge \(edge) is not linked back") }
      if record.flags & EdgeFlag.dead != 0 { broken.append("edge \(edge) is dead but linked") }
      let target = slots + Int(record.target)
      if target.pointee.kind == Kind.free { broken.append("edge \(edge) leads to a free slot") }
      if record.flags & EdgeFlag.back == 0 && target.pointee.height <= slot.pointee.height
        && target.pointee.kind != Kind.observer
      {
        broken.append("edge \(edge) does not rise")
      }
      if isLive(target) { live += 1 }
      if !isBusy && isOutOfDate(slot) && target.pointee.kind == Kind.computed
        && !isOutOfDate(target)
      {
        broken.append("slot \(target.index) takes \(slot.index) for current")
      }
      if !dependencies(of: target).contains(edge) {
        broken.append("edge \(edge) is not among its target's dependencies")
      }
      previous = edge
      edge = record.nextOut
    }
    if slot.pointee.firstOut != 0 && edges[Int(slot.pointee.firstOut)].prevOut != previous {
      broken.append("slot \(slot.index) does not know its last edge")
    }
    let isObserved = slot.pointee.access & Access.observed != 0
    if (count > 0 || slot.hasMark(Mark.watched)) != isObserved {
      broken.append("slot \(slot.index) has the wrong access bits")
    }
    if slot.pointee.kind == Kind.computed {
      let counted = bodies.with(slot.pointee.body, as: ComputedBody.self) { $0.liveDependents }
      if counted != live {
        broken.append("slot \(slot.index) counts \(counted ?? 0) live dependents of \(live)")
      }
      if slot.hasMark(Mark.live) != (live > 0) {
        broken.append("slot \(slot.index) has the wrong liveness")
      }
    }
    return count
  }

  /// Whether a computed slot must be checked before it is read. Then its dependents must be checked
  /// as well, or a change would not reach them.
  private func isOutOfDate(_ slot: Slot) -> Bool {
    slot.pointee.kind == Kind.computed && slot.hasMark(Mark.stale | Mark.check)
  }

  private func checkIns(of slot: Slot, _ broken: inout [String]) {
    for edge in dependencies(of: slot) where edges[Int(edge)].target != slot.index {
      broken.append("edge \(edge) is among another slot's dependencies")
    }
  }
}
