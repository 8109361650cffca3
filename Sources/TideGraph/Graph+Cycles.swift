import CTideSlots

extension Graph {
  /// How often one binding may run in a wave before the loop that it is part of is given up.
  static var roundLimit: Int { 100 }

  /// Counts how often an edge is followed, once a wave has taken more steps than there are edges.
  /// True when it has gone round too often; the wave must stop.
  @inline(never)
  func endlessly(follow edge: EdgeIndex) -> Bool {
    let count = state.pointee.stepCounts[edge, default: 0] + 1
    state.pointee.stepCounts[edge] = count
    arena.pointee.hasLeftovers = true
    guard count > Self.roundLimit else { return false }
    giveUpWave(loop(from: edges[Int(edge)].target, to: edges[Int(edge)].source))
    return true
  }

  /// Counts likewise how often a computed slot finds another value: one whose function came to read
  /// what depends on it, in the middle of a wave, closes a loop that no binding is part of.
  @inline(never)
  func endlessly(evaluate slot: UInt32) -> Bool {
    let count = state.pointee.evaluationCounts[slot, default: 0] + 1
    state.pointee.evaluationCounts[slot] = count
    arena.pointee.hasLeftovers = true
    guard count > Self.roundLimit else { return false }
    giveUpWave(loop(through: slot))
    return true
  }

  /// Drops all that waits and reports the loop. Values stay as they are; computed slots find their
  /// new value when they are read.
  private func giveUpWave(_ loop: [Slot]) {
    while state.pointee.waiting > 0, let lowest = waiting.lowest() {
      let index = waiting.removeFirst(at: lowest)
      state.pointee.waiting -= 1
      (slots + Int(index)).clear(Mark.queued)
    }
    state.pointee.stepCounts.removeAll()
    state.pointee.evaluationCounts.removeAll()
    arena.pointee.steps = 0
    host?.graph(self, foundCycle: loop)
  }

  /// The slots of the shortest loop through a slot.
  private func loop(through slot: UInt32) -> [Slot] {
    let loops = dependencies(of: slots + Int(slot)).map {
      loop(from: slot, to: edges[Int($0)].source)
    }
    // From where there is no way back comes one slot alone.
    let closed = loops.filter { $0.count > 1 }
    return closed.min { $0.count < $1.count } ?? [slots + Int(slot), slots + Int(slot)]
  }

  /// The slots of the shortest way from one slot to another that leads back to it, starting at that
  /// other one.
  private func loop(from start: UInt32, to goal: UInt32) -> [Slot] {
    var previous: [UInt32: UInt32] = [start: start]
    var queue = [start]
    var head = 0
    while head < queue.count, previous[goal] == nil {
      let index = queue[head]
      head += 1
      var out = slots[Int(index)].firstOut
      while out != 0 {
        let target = edges[Int(out)].target
        if previous[target] == nil {
          previous[target] = index
          queue.append(target)
        }
        out = edges[Int(out)].nextOut
      }
    }
    var route: [Slot] = []
    var index = goal
    while let before = previous[index] {
      route.append(slots + Int(index))
      if before == index { break }
      index = before
    }
    // From the goal's end backwards to the start: turned round, and closed at the source.
    return [slots + Int(goal)] + route.reversed()
  }
}
