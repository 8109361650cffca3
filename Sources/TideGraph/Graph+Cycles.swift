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
    giveUpWave(because: edge)
    return true
  }

  /// Drops all that waits and reports the loop. Values stay as they are; computed slots find their
  /// new value when they are read.
  private func giveUpWave(because edge: EdgeIndex) {
    while state.pointee.waiting > 0, let lowest = waiting.lowest() {
      let index = waiting.removeFirst(at: lowest)
      state.pointee.waiting -= 1
      (slots + Int(index)).clear(Mark.queued)
    }
    state.pointee.stepCounts.removeAll()
    arena.pointee.steps = 0
    host?.graph(self, foundCycle: loop(through: edge))
  }

  /// The slots of the shortest loop through an edge, starting at its source.
  private func loop(through edge: EdgeIndex) -> [Slot] {
    let start = edges[Int(edge)].target, goal = edges[Int(edge)].source
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
