import TideBindings
import TideGraph
import TideViews

// Bindings may name models and views that are not there yet.

extension Runtime {
  /// Begins now, or when the names are there.
  func begin(_ waiter: any NameWaiter) throws {
    if try waiter.resolve(in: self) { return }
    try waiter.check(with: transformers)
    nameWaiters.append(waiter)
  }

  /// Begins what waits for names that are there by now; what still waits is listed at the end of the
  /// script, and after each turn of an app whose main script has ended.
  func resolveNames(listing: Bool = false) {
    // What runs meanwhile may make others that wait.
    let all = nameWaiters
    nameWaiters = []
    var rest: [any NameWaiter] = []
    for waiter in all {
      do {
        if try waiter.resolve(in: self) { continue }
      } catch {
        var failure = TideError(wrapping: error, graph: graph)
        failure.location = failure.location ?? waiter.origin.location
        failure.path = failure.path ?? waiter.origin.text
        list(failure)
        continue
      }
      if listing { waiter.listMissing(in: self) }
      rest.append(waiter)
    }
    nameWaiters.insert(contentsOf: rest, at: 0)
  }

  /// The same when a model has come, unless nobody waits for its name.
  func resolveNames(bearing name: String) {
    if nameWaiters.contains(where: { $0.waits(for: name) }) { resolveNames() }
  }

  func root(named name: String) -> DataObject? {
    graph.untracked { models[name] ?? view(withID: name) }
  }
}
