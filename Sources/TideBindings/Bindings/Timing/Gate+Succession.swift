import TideGraph

// A new binding's gate takes over the wait of a former binding's gate.
extension Gate {
  /// What a gate waits for.
  enum Wait {
    case nothing
    /// The end of the typing.
    case editing
    /// A delay, the rest of an interval or the next frame.
    case time
    /// The binding's condition (`when`).
    case condition
  }

  /// The state of a wait that another gate needs to continue it.
  struct Pending {
    var kind = Wait.nothing
    var lastDelivery = -Double.infinity
    /// When its delay ends; nil to restart the whole delay.
    var due: Double?
  }

  var pending: Pending { Pending(kind: wait, lastDelivery: lastDelivery) }

  /// Continues the `throttle` interval of a former gate.
  func continueInterval(of former: Pending) {
    lastDelivery = max(lastDelivery, former.lastDelivery)
  }

  /// Takes over the wait of a former binding's gate with the same ends.
  func waitAgain(as former: Pending) {
    continueInterval(of: former)
    switch former.kind {
    case .nothing: break
    case .editing: _ = awaitsEditor()
    case .time:
      if admit() { deliver() }
      if let due = former.due { waitNoLonger(than: due) }
    case .condition: if isActive { if admit() { deliver() } } else { isMissed = true }
    }
  }

  /// Ends its delay when that of a former gate would have ended.
  private func waitNoLonger(than former: Double) {
    guard let clock = table.clock, let due, waiting != nil, former < due else { return }
    waiting?.cancel()
    _ = wait(max(0, former - clock.now())) { $0.passDelay() }
    resumedValue = source.load()
  }
}
