package import TideBindings
import TideGraph

extension View: ShowsBindingFailures {
  /// Records whether a binding has a value, and updates `isStale`.
  package final func noteBinding(_ number: UInt32, _ failure: BindingFailure?) {
    if failure == nil && extras?.failures[number] == nil { return }
    ownExtras.failures[number] = failure
    put(.isStale, .boolean(ownExtras.failures.values.contains { $0.isStale }))
  }

  /// Whether a binding of `items` has failed. In that case the selection is kept.
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
      // A cell that is being assigned to another row is not among the visible cells yet.
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
  /// Lists the error of a function of the view or of one of its rows.
  final func report(_ error: any Error, of failure: FunctionFailure, at site: FailureSite) {
    guard let error = failure.note(error, at: site) else { return }
    if let onError = scene?.onError { return onError(error) }
    BindingTable.of(graph).tell(of: error)
  }
}

extension RowsView {
  /// The failure site for a row, counted from 0; if the row is unknown, it names only the view.
  final func failureSite(ofRow row: Int?, _ object: Value) -> FailureSite {
    graph.untracked {
      var site = failureSite
      if let row {
        site.row = FailureSite.Row(number: row.number, title: firstText(of: object))
      }
      return site
    }
  }

  /// The first text of a row: the first column of a table, or else its title.
  fileprivate func firstText(of object: Value) -> String {
    let column = (self as? TableView)?.columns.first
    return column.flatMap { $0.value(of: object).text } ?? RowTitle.of(object)
  }
}
