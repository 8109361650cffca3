import TideGraph

// Values that asynchronous transformers deliver.

extension BindingTransfer: AwaitsValue {
  /// Whether it waits for a value, or one has just arrived.
  var isWaiting: Bool { late != nil }
  var isAwaitingValue: Bool { isWaiting }

  /// Waits for the result of a transformer. A two-way binding ends instead.
  func wait(for pending: PendingValue, _ edge: EdgeIndex, _ owner: UInt32) {
    if opposite != nil {
      pending.cancel()
      return table.endWaiting(owner)
    }
    let late = LateValue(pending)
    self.late = late
    let generation = table.record(owner).pointee.generation
    do {
      try pending.begin(in: table) { [weak self] result in
        guard let self, self.late === late else { return }
        arrive(result, edge, owner, generation)
      }
    } catch {
      self.late = nil
      table.fail(owner, error)
    }
  }

  private func arrive(
    _ result: Result<Value, any Error>, _ edge: EdgeIndex, _ owner: UInt32, _ generation: UInt32
  ) {
    guard table.isCurrent(owner, generation), table.graph.isBinding(edge, ownedBy: owner) else {
      late = nil
      return
    }
    guard table.graph.isEnabled(edge) else {
      // Computed again from the source when the binding is enabled again.
      late = nil
      return table.graph.markMissed(edge)
    }
    late?.pending = nil
    late?.arrived = result
    if let gate { gate.deliver() } else { table.graph.fire(edge) }
    // The value was not carried: the binding's condition does not hold.
    if late?.arrived != nil { late = nil }
  }

  /// Returns the value that has arrived. A value that is still pending has been superseded and is
  /// cancelled.
  func takeArrived() -> Result<Value, any Error>? {
    guard let late else { return nil }
    self.late = nil
    if let arrived = late.arrived { return arrived }
    late.pending?.cancel()
    return nil
  }
}

/// A value that a transfer waits for: pending, or just arrived.
final class LateValue {
  var pending: PendingValue?
  var arrived: Result<Value, any Error>?

  init(_ pending: PendingValue) { self.pending = pending }
}
