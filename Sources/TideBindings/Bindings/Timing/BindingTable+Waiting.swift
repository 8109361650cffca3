import TideGraph

// Carries pending values when the app ends.

/// A transfer or gate that may wait for an asynchronous value.
protocol AwaitsValue {
  var isAwaitingValue: Bool { get }
}

extension BindingTable {
  /// The maximum number of rounds in which carried values may make other gates wait. More would be
  /// a loop of delays.
  private static let mostRounds = 100

  /// Carries the values that wait for a delay, a throttle or a frame, and those that begin to wait
  /// meanwhile. Text that is still being typed is not carried.
  package func carryOutWaiting() {
    for _ in 0..<Self.mostRounds {
      graph.settle()
      // In the order of entry, so that the latest value wins.
      let waiting = gates.filter(\.isWaiting).sorted { $0.waitNumber < $1.waitNumber }
      if waiting.isEmpty { return }
      for gate in waiting { gate.carryOutWaiting() }
    }
  }

  /// Whether a binding waits for the result of an asynchronous transformer.
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

  /// The record indexes of the live bindings.
  var bindingIndexes: some Sequence<UInt32> {
    (1..<UInt32(counts.records + 1)).lazy.filter { self.record($0).pointee.kind == .binding }
  }
}

// Pending writes (for a delay, an interval or a frame) of bindings that end with a version of a
// script.
extension BindingTable {
  /// Hands the pending writes of contexts that are about to end to the bindings of new contexts.
  /// Bindings correspond by their notation, the first to the first. A write without a successor is
  /// carried out now. The successor also takes over the value to restore.
  package func passWaitingWrites(from old: [BindingContext], to new: [BindingContext]) {
    var waiting: [UInt32] = []
    for context in old { context.forEachBinding { if waits($0) { waiting.append($0) } } }
    if waiting.isEmpty { return }
    waiting.sort { waitNumber(of: $0) < waitNumber(of: $1) }
    // Bindings correspond by their descriptions.
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

  /// Returns the number for a wait that begins now.
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

  /// Makes the new target show the value of the old one until the pending write is due.
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
  /// Visits its bindings and those of nested contexts, oldest first.
  fileprivate func forEachBinding(_ visit: (UInt32) -> Void) {
    for index in indexes {
      if table.record(index).pointee.kind == .binding { visit(index) }
      table.details(of: index)?.inner?.forEachBinding(visit)
    }
  }
}
