import TideGraph

// Values that transformers give in their time.

extension BindingTransfer: AwaitsValue {
  /// Whether it waits for a value, or one has just come.
  var isWaiting: Bool { late != nil }
  var isAwaitingValue: Bool { isWaiting }

  /// Waits for what a transformer will give. The binding ends where it goes both ways.
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
      // Made anew from what the source holds when the binding is enabled again.
      late = nil
      return table.graph.markMissed(edge)
    }
    late?.pending = nil
    late?.arrived = result
    if let gate { gate.deliver() } else { table.graph.fire(edge) }
    // Nothing took it: what the binding depends on does not hold.
    if late?.arrived != nil { late = nil }
  }

  /// What has come; a value that is still waited for has been overtaken, and is dropped.
  func takeArrived() -> Result<Value, any Error>? {
    guard let late else { return nil }
    self.late = nil
    if let arrived = late.arrived { return arrived }
    late.pending?.cancel()
    return nil
  }
}

/// A value that a transfer waits for: on its way, or just come.
final class LateValue {
  var pending: PendingValue?
  var arrived: Result<Value, any Error>?

  init(_ pending: PendingValue) { self.pending = pending }
}
