import TideGraph

/// A worker that runs at the end of a turn, in place of repeated work within the turn.
protocol TurnWorker: AnyObject {
  func turnEnded()
}

extension BindingTable {
  /// Whether there are turns. They require a runtime.
  var hasTurns: Bool { hooks.awaitTurnEnd != nil }

  /// Notifies a worker at the end of the running turn.
  func notifyAtTurnEnd(_ worker: any TurnWorker) {
    if turnWorkers.isEmpty { hooks.awaitTurnEnd?() }
    turnWorkers.append(worker)
  }

  /// Runs the work that was deferred to the end of the turn.
  package func endTurn() {
    if turnWorkers.isEmpty { return }
    let workers = turnWorkers
    turnWorkers = []
    for worker in workers { worker.turnEnded() }
  }
}
