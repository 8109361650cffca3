import TideBindings
import TideGraph
import TideViews

// Bindings may name models and views that are not there yet.

extension Runtime {
  /// Begins now, or when the names are there.
  func begin(_ waiter: any NameWaiter) throws {
    if try waiter.resolve(in: self) { return }
    try waiter.check(with: transformers)
    lateNames.add(waiter)
  }

  /// Begins what waits for names that are there by now; what still waits is listed at the end of the
  /// script, and after each turn of an app whose main script has ended.
  func resolveNames(listing: Bool = false) { lateNames.resolve(listing: listing, in: self) }

  /// The same when a model has come, for those that wait for its name.
  func resolveNames(bearing name: String) { lateNames.resolve(bearing: name, in: self) }

  func root(named name: String) -> DataObject? {
    graph.untracked {
      models[name] ?? (lateNames.mayBeShown(name) ? view(withID: name) : nil)
    }
  }
}
