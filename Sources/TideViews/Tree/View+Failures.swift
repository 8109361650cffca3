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
      let name = id.isEmpty ? kind : "\(kind) \(TransformCall.quoted(id))"
      // One that is about to show another row is not among the cells in sight yet.
      var view: View? = self
      while let current = view, !(current.parent is RowsView && current is CellView) {
        view = current.parent
      }
      guard let cell = view as? CellView, let rows = cell.parent as? RowsView else {
        return FailureSite(view: name)
      }
      let row = FailureSite.Row(
        number: cell.row.number, title: rows.firstText(of: cell.shownObject))
      return FailureSite(view: name, row: row)
    }
  }
}

extension View: Removable {
  package final var isRemoved: Bool { wasShown && scene == nil }
}

extension View: ShowsNull {
  package final var shownForNull: String? {
    if viewClass.index(of: .null) == nil { return nil }
    return graph.untracked { peek(.null, as: String?.self) }
  }

  package final func marksNull(inProperty index: Int) -> Bool {
    guard self is TextInputView else { return false }
    return index == viewClass.index(of: self is ValueFieldView ? .value : .text)
  }

  package final func showNull(_ mark: String?) { (self as? TextInputView)?.nullMark = mark }
}

extension View {
  /// Lists what a function fails with that the view was given, or one of its rows.
  final func report(_ error: any Error, of failure: FunctionFailure, at site: FailureSite) {
    guard let error = failure.note(error, at: site) else { return }
    if let onError = scene?.onError { return onError(error) }
    BindingTable.of(graph).tell(of: error)
  }
}

extension RowsView {
  /// Where a person finds a row, which counts from 0; where that is not known, the view alone.
  final func failureSite(ofRow row: Int?, _ object: Value) -> FailureSite {
    graph.untracked {
      var site = failureSite
      if let row {
        site.row = FailureSite.Row(number: row.number, title: firstText(of: object))
      }
      return site
    }
  }

  /// What a row shows first: what is in the first column of a table, else its title.
  fileprivate func firstText(of object: Value) -> String {
    let column = (self as? TableView)?.columns.first
    return column.flatMap { $0.value(of: object).text } ?? RowTitle.of(object)
  }
}
