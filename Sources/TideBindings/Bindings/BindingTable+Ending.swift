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
