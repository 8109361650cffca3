import CTideSlots

// Effects and observers that trigger each other form a loop without edges, because their writes are
// not recorded as dependencies. If one has run too often, the writes of its last round are found by
// comparing values.

/// The state of effects and observers that have almost reached the limit of runs in a wave.
struct LastRounds {
  /// The plain slots upstream of them, with their values before the latest run.
  var values: [UInt32: Value] = [:]
  /// For each of them, the slots in `values` that it changed in its last round.
  var writes: [UInt32: [UInt32]] = [:]

  var isEmpty: Bool { values.isEmpty && writes.isEmpty }
}

extension Graph {
  /// Counts how often a body has run in this wave.
  @inline(__always)
  func countRound(_ rounds: inout UInt32, _ wave: inout UInt32) {
    if wave != arena.pointee.wave {
      wave = arena.pointee.wave
      rounds = 0
    }
    rounds += 1
  }

  /// Returns false if a body has run too often in this wave because its own writes trigger it.
  @inline(__always)
  func admitsRound(_ rounds: UInt32, of slot: Slot) -> Bool {
    _fastPath(rounds < Graph.roundLimit - 1) || admitLastRounds(rounds, of: slot)
  }

  @inline(never)
  private func admitLastRounds(_ rounds: UInt32, of slot: Slot) -> Bool {
    arena.pointee.hasLeftovers = true
    if rounds < Graph.roundLimit {
      noteUpstream(of: slot)
      return true
    }
    if rounds == Graph.roundLimit {
      noteUpstream(of: slot)
      for index in Array(state.pointee.lastRounds.values.keys) {
        state.pointee.lastRounds.values[index] = (slots + Int(index)).load()
      }
      return true
    }
    report(loop: loop(throughBody: slot.index).map { slots + Int($0) })
    return false
  }

  /// Remembers all plain slots upstream of a slot.
  private func noteUpstream(of slot: Slot) {
    var seen: Set<UInt32> = [slot.index]
    var work = [slot]
    while let next = work.popLast(), seen.count < 1 << 16 {
      for edge in dependencies(of: next) {
        let source = source(of: edge)
        guard seen.insert(source.index).inserted else { continue }
        work.append(source)
        if source.pointee.kind == Kind.source {
          state.pointee.lastRounds.values[source.index] = source.load()
        }
      }
    }
  }

  /// Records the slots that a body changed in its last permitted round.
  @inline(never)
  func noteWrites(of slot: Slot) {
    let written = state.pointee.lastRounds.values.filter { index, old in
      (slots + Int(index)).load() != old
    }
    state.pointee.lastRounds.writes[slot.index] = written.keys.sorted()
  }

  /// The loop that contains a body: the slots that it writes, the other bodies that these trigger,
  /// and so on back to the body.
  private func loop(throughBody first: UInt32) -> [UInt32] {
    let writes = state.pointee.lastRounds.writes
    var routes: [(body: UInt32, route: [UInt32])] = [(first, [])]
    var seen: Set<UInt32> = []
    var head = 0
    while head < routes.count {
      let (body, route) = routes[head]
      head += 1
      for written in writes[body] ?? [] {
        for next in [first] + writes.keys.sorted() where !seen.contains(next) {
          guard let way = way(from: written, to: next) else { continue }
          if next == first {
            let loop = route + way
            return loop + loop.prefix(1)
          }
          seen.insert(next)
          routes.append((next, route + way))
        }
      }
    }
    let edge = slots[Int(first)].firstIn
    let source = edge == 0 ? first : edges[Int(edge)].source
    return [source, first, source]
  }

  /// The number of the current wave, or of the last one.
  package var latestWave: UInt32 { arena.pointee.wave }

  /// The wave in which an effect or an observer last ran; nil for other slots.
  package func latestWave(of slot: Slot) -> UInt32? {
    switch slot.pointee.kind {
    case Kind.effect: bodies.with(slot.pointee.body, as: EffectBody.self) { $0.wave }
    case Kind.observer: bodies.with(slot.pointee.body, as: ObserverBody.self) { $0.wave }
    default: nil
    }
  }
}

extension Graph {
  /// Whether too little of the thread's stack is left for another nested evaluation.
  package func isStackLow() -> Bool { Self.isStackLow() }

  static func isStackLow() -> Bool { tide_stack_left() < 192 * 1024 }
}
