package import TideBindings
import TideGraph

extension View: ShowsBindingFailures {
  /// Notes which of its bindings have no value, and shows whether it holds the last one of any.
  package final func noteBinding(_ number: UInt32, _ failure: BindingFailure?) {
    if failure == nil && extras?.failures[number] == nil { return }
    ownExtras.failures[number] = failure
    put(.isStale, .boolean(ownExtras.failures.values.contains { $0.isStale }))
  }

  /// Whether a binding has no rows for it. What is chosen among them is not taken back then.
  final var lacksRows: Bool {
    guard let failures = extras?.failures, !failures.isEmpty else { return false }
    let items = viewClass.index(of: .items)
    return failures.values.contains { $0.property == items }
  }

  package final var failureSite: FailureSite {
    graph.untracked {
      let id = text(.id)
      let kind = viewClass.name
      let view = id.isEmpty ? kind : "\(kind) \(TransformCall.quoted(id))"
      guard let cell = rowCell else { return FailureSite(view: view) }
      let title = RowTitle.of(cell.shownObject)
      return FailureSite(
        view: view, row: FailureSite.Row(number: cell.row.number, title: title))
    }
  }
}
