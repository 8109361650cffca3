import TideGraph

// What bindings still owe when the app ends.

/// What carries values that may take their time.
protocol AwaitsValue {
  var isAwaitingValue: Bool { get }
}

extension BindingTable {
  /// So many times what is carried may make something else wait; more is a loop of delays.
  private static let mostRounds = 100

  /// Carries now what bindings hold back for a delay, a throttle or a frame, and what that makes
  /// others hold back. What a person is still typing is not carried.
  package func carryOutWaiting() {
    for _ in 0..<Self.mostRounds {
      graph.settle()
      // What was entered last is to stand in the end.
      let waiting = gates.filter(\.isWaiting).sorted { $0.waitNumber < $1.waitNumber }
      if waiting.isEmpty { return }
      for gate in waiting { gate.carryOutWaiting() }
    }
  }

  /// Whether a transformer has yet to give a value that a binding waits for.
  package var isAwaitingValues: Bool {
    bindingIndexes.contains { index in
      let record = record(index).pointee
      let extra = details(of: index)?.extraEdges ?? []
      return ([record.edge, record.reverse] + extra).contains { edge in
        guard edge != 0, graph.isBinding(edge, ownedBy: index) else { return false }
        return (graph.body(of: edge) as? any AwaitsValue)?.isAwaitingValue ?? false
      }
    }
  }

  private var gates: [Gate] { bindingIndexes.flatMap { details(of: $0)?.gates ?? [] } }

  /// The records of the living bindings.
  var bindingIndexes: some Sequence<UInt32> {
    (1..<UInt32(counts.records + 1)).lazy.filter { self.record($0).pointee.kind == .binding }
  }
}

// Writes that wait for a delay, an interval or a frame when their binding ends with a version of a
// script.
extension BindingTable {
  /// Lets bindings of some contexts wait for what those of others, which are about to end, wait
  /// for. Two stand for each other that were written alike, the first for the first. What nobody
  /// takes over is carried out now. Who takes over also puts back, later, what was there before.
  package func passWaitingWrites(from old: [BindingContext], to new: [BindingContext]) {
    var waiting: [UInt32] = []
    for context in old { context.forEachBinding { if waits($0) { waiting.append($0) } } }
    if waiting.isEmpty { return }
    waiting.sort { waitNumber(of: $0) < waitNumber(of: $1) }
    // Only those can be taken for each other of which it is known how they were written.
    var successors: [String: [UInt32]] = [:]
    for context in new {
      context.forEachBinding { successors[Binding($0, self).description, default: []].append($0) }
    }
    var records: [String: [UInt32]] = [:]
    for context in old {
      context.forEachBinding { records[Binding($0, self).description, default: []].append($0) }
    }
    for record in waiting where !passedOn.contains(record) {
      let text = Binding(record, self).description
      let index = records[text]?.firstIndex(of: record)
      let gates = details(of: record)?.gates ?? []
      if let index, let successors = successors[text], index < successors.count,
        successors.count == records[text]?.count,
        let others = details(of: successors[index])?.gates,
        others.count == gates.count
      {
        for (gate, other) in zip(gates, others) {
          other.inheritValueBefore(of: gate)
          guard gate.wait == .time else {
            other.continueInterval(of: gate.pending)
            continue
          }
          takeBack(gate, other)
          other.waitAgain(as: gate.pending)
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
