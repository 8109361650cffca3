import TideGraph

// Writes that wait for a delay, an interval or a frame when their binding ends with a version of a script.
extension BindingTable {
  /// Lets bindings of some contexts wait for what those of others, which are about to end, wait for. Two
  /// stand for each other that were written alike, the first for the first. What nobody takes over is
  /// carried out now. Who takes over also puts back, later, what was there before.
  package func passWaitingWrites(from old: [BindingContext], to new: [BindingContext]) {
    var waiting: [UInt32] = []
    for context in old { context.forEachBinding { if waits($0) { waiting.append($0) } } }
    if waiting.isEmpty { return }
    waiting.sort { waitNumber(of: $0) < waitNumber(of: $1) }
    // Only those can be taken for each other of which it is known how they were written.
    var heirs: [String: [UInt32]] = [:]
    for context in new {
      context.forEachBinding { heirs[Binding($0, self).description, default: []].append($0) }
    }
    var places: [String: [UInt32]] = [:]
    for context in old {
      context.forEachBinding { places[Binding($0, self).description, default: []].append($0) }
    }
    for record in waiting where !passedOn.contains(record) {
      let text = Binding(record, self).description
      let place = places[text]?.firstIndex(of: record)
      let gates = details(of: record)?.gates ?? []
      if let place, let heirs = heirs[text], place < heirs.count,
        heirs.count == places[text]?.count, let others = details(of: heirs[place])?.gates,
        others.count == gates.count
      {
        for (gate, other) in zip(gates, others) {
          other.inheritValueBefore(of: gate)
          guard gate.wait == .time else {
            other.continueInterval(of: gate)
            continue
          }
          takeBack(gate, other)
          other.waitAgain(as: gate)
        }
      } else {
        for gate in gates where gate.wait == .time { carryOut(gate) }
      }
    }
  }

  /// The number of what begins to wait now.
  func nextWaitNumber() -> Int {
    lastWaitNumber += 1
    return lastWaitNumber
  }

  /// Forgets which writes have been passed on.
  package func forgetPassedWrites() { passedOn = [] }

  private func waits(_ record: UInt32) -> Bool {
    details(of: record)?.gates.contains {
      $0.wait == .time || $0.isThrottled || $0.isHoldingValueBefore
    } ?? false
  }

  private func waitNumber(of record: UInt32) -> Int {
    details(of: record)?.gates.filter { $0.wait == .time }.map(\.waitNumber).min() ?? 0
  }

  /// A new view shows what the one before did, until what waits has waited long enough.
  private func takeBack(_ gate: Gate, _ other: Gate) {
    guard other.target != gate.target, other.target.blockHeader != nil,
      gate.target.blockHeader != nil
    else { return }
    let held = graph.untracked { gate.target.load() }
    withoutCarrying(from: other.target) { _ = graph.write(other.target, held) }
  }

  private func carryOut(_ gate: Gate) {
    graph.withoutCatchingUp { graph.setEnabled(true, ofEdge: gate.edge) }
    gate.fire()
  }
}

extension BindingContext {
  /// Visits its bindings and those of the contexts inside of it, oldest first.
  fileprivate func forEachBinding(_ visit: (UInt32) -> Void) {
    for index in indexes {
      if table.record(index).pointee.kind == .binding { visit(index) }
      table.details(of: index)?.inner?.forEachBinding(visit)
    }
  }
}
