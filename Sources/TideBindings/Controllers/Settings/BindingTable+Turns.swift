import TideGraph

/// What is done again and again in a turn, and need be done only once more at its end.
protocol TurnWorker: AnyObject {
  func turnEnded()
}

extension BindingTable {
  /// Whether turns end here: a runtime's do.
  var hasTurns: Bool { hooks.awaitTurnEnd != nil }

  /// Tells a worker when the turn that runs has ended.
  func notifyAtTurnEnd(_ worker: any TurnWorker) {
    if turnWorkers.isEmpty { hooks.awaitTurnEnd?() }
    turnWorkers.append(worker)
  }

  /// A turn has ended: does what was left to its end.
  package func endTurn() {
    if turnWorkers.isEmpty { return }
    let workers = turnWorkers
    turnWorkers = []
    for worker in workers { worker.turnEnded() }
  }
}
