import TideGraph

/// Carries a value again at the moment at which what its transformers make of it becomes another by
/// itself: `2 minutes ago`, then `3 minutes ago`.
final class ValueRenewal {
  private let moment: (Value) -> Double?
  private var waiting: (any ScheduledCall)?

  /// - Parameter moment: when that is, in seconds since 1970, for a value of the source's.
  init(_ moment: @escaping (Value) -> Double?) { self.moment = moment }

  deinit { waiting?.cancel() }

  /// Plans to carry the value of an edge again; what was planned before is dropped.
  func plan(for value: Value, of edge: EdgeIndex, in table: BindingTable) {
    waiting?.cancel()
    waiting = nil
    guard let clock = table.clock, let moment = moment(value) else { return }
    // The present has but microseconds as a sum with the years since 1970.
    let delay = ((moment - table.transformers.now()) * 1000).rounded() / 1000
    let generation = table.graph.generation(of: edge)
    waiting = clock.animate(after: max(delay, 0.001)) { [weak self, unowned table] in
      self?.waiting = nil
      let graph = table.graph
      if graph.generation(of: edge) == generation, graph.isEnabled(edge) { graph.fire(edge) }
    }
  }
}
