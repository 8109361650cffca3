import CTideSlots

extension Graph {
  /// The number of times that one edge may be followed in a wave before its loop is abandoned.
  static var roundLimit: Int { 100 }

  /// Counts how often an edge is followed, once a wave has taken more steps than there are edges.
  /// Returns true if the count exceeds the limit; the wave must stop.
  @inline(never)
  func exceedsRoundLimit(following edge: EdgeIndex) -> Bool {
    let count = state.pointee.stepCounts[edge, default: 0] + 1
    state.pointee.stepCounts[edge] = count
    return abandonsWave(
      after: count, loop(from: edges[Int(edge)].target, to: edges[Int(edge)].source))
  }

  /// Counts how often a computed slot changes. If its function starts to read one of its own
  /// dependents in the middle of a wave, that closes a loop without any binding.
  @inline(never)
  func exceedsRoundLimit(evaluating slot: UInt32) -> Bool {
    let count = state.pointee.evaluationCounts[slot, default: 0] + 1
    state.pointee.evaluationCounts[slot] = count
    return abandonsWave(after: count, loop(through: slot))
  }

  private func abandonsWave(after count: Int, _ loop: @autoclosure () -> [Slot]) -> Bool {
    arena.pointee.hasLeftovers = true
    guard count > Self.roundLimit else { return false }
    abandonWave(loop())
    return true
  }

  /// Drops all queued slots and reports the loop. Values stay as they are; computed slots are
  /// evaluated when they are next read.
  private func abandonWave(_ loop: [Slot]) {
    while state.pointee.waiting > 0, let lowest = waiting.lowest() {
      let index = waiting.removeFirst(at: lowest)
      state.pointee.waiting -= 1
      let slot = slots + Int(index)
      slot.clear(Mark.queued | Mark.evaluatedAhead)
      // Its dependents are stale, too.
      if slot.hasMark(Mark.stale) { markDependents(of: slot) }
    }
    state.pointee.stepCounts.removeAll()
    state.pointee.evaluationCounts.removeAll()
    arena.pointee.steps = 0
    report(loop: loop)
  }

  /// Reports a loop to the host. The host is notified again when the wave has ended.
  func report(loop: [Slot]) {
    state.pointee.foundCycle = true
    arena.pointee.hasLeftovers = true
    host?.graph(self, foundCycle: loop)
  }

  /// Reports to the host a slot that changes again each time the graph has settled.
  package func reportUnsettled(_ slot: Slot) { report(loop: [slot, slot]) }

  /// Ends a wave in which loops were found.
  @inline(never)
  func endCycles() {
    state.pointee.foundCycle = false
    host?.graphHasSettledAfterCycle(self)
  }

  /// The slots of the shortest loop through a slot.
  private func loop(through slot: UInt32) -> [Slot] {
    let loops = dependencies(of: slots + Int(slot)).compactMap {
      way(from: slot, to: edges[Int($0)].source)
    }
    let shortest = loops.min { $0.count < $1.count } ?? []
    // Closed at the slot itself.
    return (shortest.isEmpty ? [slot, slot] : shortest + [slot]).map { slots + Int($0) }
  }

  /// The slots of the shortest loop that consists of the path from `start` to `goal` and the edge
  /// back. It begins at `goal`.
  private func loop(from start: UInt32, to goal: UInt32) -> [Slot] {
    ([goal] + (way(from: start, to: goal) ?? [start])).map { slots + Int($0) }
  }

  /// The shortest path of a change from one slot to another, both included.
  func way(from start: UInt32, to goal: UInt32) -> [UInt32]? {
    way(from: start, to: goal) { _ in true }
  }

  /// The shortest path that consists only of computed slots that read each other.
  func computedWay(from start: UInt32, to goal: UInt32) -> [UInt32]? {
    way(from: start, to: goal) { edge in
      edge.flags & (EdgeFlag.binding | EdgeFlag.dead) == 0
        && slots[Int(edge.target)].kind == Kind.computed
    }
  }

  private func way(
    from start: UInt32, to goal: UInt32, along isFollowed: (TideEdge) -> Bool
  ) -> [UInt32]? {
    var previous: [UInt32: UInt32] = [start: start]
    var queue = [start]
    var head = 0
    while head < queue.count, previous[goal] == nil {
      let index = queue[head]
      head += 1
      var out = slots[Int(index)].firstOut
      while out != 0 {
        let record = edges[Int(out)]
        if previous[record.target] == nil, isFollowed(record) {
          previous[record.target] = index
          queue.append(record.target)
        }
        out = record.nextOut
      }
    }
    guard previous[goal] != nil else { return nil }
    var route: [UInt32] = []
    var index = goal
    while let before = previous[index] {
      route.append(index)
      if before == index { break }
      index = before
    }
    return route.reversed()
  }

  /// Whether one slot is a direct dependent of another.
  package func leads(_ slot: Slot, to next: Slot) -> Bool {
    dependents(of: slot).contains { edges[Int($0)].target == next.index }
  }
}
