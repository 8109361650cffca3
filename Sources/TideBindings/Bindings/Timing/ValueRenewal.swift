import TideGraph

/// Carries a value again when its transformed form changes with time: from `2 minutes ago` to
/// `3 minutes ago`.
final class ValueRenewal {
  private let moment: (Value) -> Double?
  private var waiting: (any ScheduledCall)?

  /// - Parameter moment: the time of that change for a value of the source, in seconds since 1970.
  init(_ moment: @escaping (Value) -> Double?) { self.moment = moment }

  deinit { waiting?.cancel() }

  /// Schedules the next carry along an edge, in place of the former schedule.
  func plan(for value: Value, of edge: EdgeIndex, in table: BindingTable) {
    waiting?.cancel()
    waiting = nil
    guard let clock = table.clock, let moment = moment(value) else { return }
    // A time since 1970 has only microsecond precision, so the difference is rounded.
    let delay = ((moment - table.transformers.now()) * 1000).rounded() / 1000
    let generation = table.graph.generation(of: edge)
    waiting = clock.animate(after: max(delay, 0.001)) { [weak self, unowned table] in
      self?.waiting = nil
      let graph = table.graph
      if graph.generation(of: edge) == generation, graph.isEnabled(edge) { graph.fire(edge) }
    }
  }
}
