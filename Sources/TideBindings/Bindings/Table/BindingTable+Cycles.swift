package import TideGraph

// A loop that did not settle stays listed until one of its links is gone, or until a later change
// has passed through it and settled.

/// A listed loop and the state in which its wave ended.
struct ListedCycle {
  var error: TideError
  private(set) var links: [Link]

  struct Link {
    let slot: Slot
    let generation: UInt32
    /// Its value at the end of the wave that found the loop, and its last wave.
    var value: Value?
    var wave: UInt32?
  }

  init(_ error: TideError, _ loop: [Slot]) {
    self.error = error
    links = loop.dropLast().map { Link(slot: $0, generation: $0.blockGeneration) }
  }

  /// Whether it is the same loop, whatever its first slot. Slots of disposed objects may be reused
  /// by another loop.
  func isLoop(_ loop: [Slot]) -> Bool {
    Set(links.map(\.slot)) == Set(loop)
      && links.allSatisfy { !$0.slot.isFree && $0.slot.blockGeneration == $0.generation }
  }

  /// Remembers the state in which the wave ended.
  mutating func settle(in graph: Graph) {
    for index in links.indices {
      let slot = links[index].slot
      links[index].wave = graph.latestWave(of: slot)
      links[index].value = links[index].wave == nil && !slot.isFree ? slot.load() : nil
    }
  }

  /// Forgets that state, because the loop runs again.
  mutating func begin() {
    for index in links.indices { (links[index].wave, links[index].value) = (nil, nil) }
  }

  func isOver(in graph: Graph) -> Bool {
    for (index, link) in links.enumerated() {
      if link.slot.isFree || link.slot.blockGeneration != link.generation { return true }
      if let wave = link.wave {
        // An effect writes without an edge, so the loop is over once the effect has run again.
        if graph.latestWave(of: link.slot) != wave { return true }
        continue
      }
      if let value = link.value, value != link.slot.load() { return true }
      let next = links[(index + 1) % links.count].slot
      if graph.latestWave(of: link.slot) == nil, !graph.leads(link.slot, to: next) { return true }
    }
    return false
  }
}

extension BindingTable {
  package func graph(_ graph: Graph, foundCycle loop: [Slot]) {
    cyclesFound += 1
    if let known = cycles.firstIndex(where: { $0.isLoop(loop) }) {
      cycles[known].begin()
      latestCycle = cycles[known].error
      return
    }
    var error = TideError(.cycle, "these never settle: " + graph.names(of: loop))
    error.location = location(of: loop, in: graph)
    let listed = list(error)
    latestCycle = listed
    cycles.append(ListedCycle(listed, loop))
  }

  /// The script location of an effect, observer or binding in a loop.
  private func location(of loop: [Slot], in graph: Graph) -> SourceLocation? {
    for (slot, next) in zip(loop, loop.dropFirst()) {
      if graph.latestWave(of: slot) != nil, let body = graph.body(of: slot) as? any LocatedBody {
        return body.definition
      }
      let edge = graph.dependents(of: slot).first { graph.target(of: $0) == next }
      if let edge, graph.owner(of: edge) != 0 {
        return Binding(graph.owner(of: edge), self).location
      }
    }
    return nil
  }

  package func graphHasSettledAfterCycle(_ graph: Graph) {
    for index in cycles.indices { cycles[index].settle(in: graph) }
  }

  /// Removes loops from the list that have settled since.
  func reviewCycles() {
    if cycles.isEmpty || graph.isInWave { return }
    let over = cycles.filter { $0.isOver(in: graph) }
    if over.isEmpty { return }
    cycles.removeAll { $0.isOver(in: graph) }
    for cycle in over { withdraw(cycle.error) }
  }
}
