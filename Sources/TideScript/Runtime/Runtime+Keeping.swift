import TideBindings
import TideGraph

extension Runtime {
  /// The values of the models that scripts have declared, as bytes, for another run of the app.
  ///
  /// Models that are shared, or kept in a database, are left out: the next run finds them there.
  /// What refers to one of their rows is kept as a reference.
  package func keptModels() -> [UInt8] {
    graph.untracked { KeptModelsWriter(self).bytes() }
  }

  /// Gives the models values that an earlier run of the app has kept. What does not fit any more
  /// keeps the value that the script has given it.
  package func restoreModels(_ bytes: [UInt8]) {
    guard let reader = KeptModelsReader(bytes, self) else { return }
    graph.untracked { reader.restoreModels() }
    settle()
    graph.untracked { reader.restoreSelections() }
    settle()
    declarations.restorer = reader.isWaiting ? reader : nil
  }

  /// A shared model has come.
  func restoreAwaitedRows() {
    guard let restorer = declarations.restorer else { return }
    graph.untracked { restorer.resume() }
    if !restorer.isWaiting { declarations.restorer = nil }
  }
}
