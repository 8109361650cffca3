import TideBindings
import TideGraph

extension Runtime {
  /// Serializes the values of the models that scripts have declared, for the next run of the app.
  ///
  /// Models that are shared, or kept in a database, are omitted, because the next run finds them
  /// there. References to their rows are stored.
  package func keptModels() -> [UInt8] {
    graph.untracked { KeptModelsWriter(self).bytes() }
  }

  /// Restores values of models from an earlier run. A value that no longer fits is ignored, and the
  /// property keeps the script's value.
  package func restoreModels(_ bytes: [UInt8]) {
    guard let reader = KeptModelsReader(bytes, self) else { return }
    graph.untracked { reader.restoreModels() }
    settle()
    graph.untracked { reader.restoreSelections() }
    settle()
    declarations.restorer = reader.isWaiting ? reader : nil
  }

  /// Restores values that waited for the rows of a shared model, which has now arrived.
  func restoreAwaitedRows() {
    guard let restorer = declarations.restorer else { return }
    graph.untracked { restorer.resume() }
    if !restorer.isWaiting { declarations.restorer = nil }
  }
}
