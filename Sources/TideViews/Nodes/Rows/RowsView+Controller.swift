import TideBindings
import TideGraph

/// The list controller of a view's rows, if the view's selection is bound to it.
struct SelectingController {
  let controller: ListController
  /// Whether a selection by the user is written to the controller.
  let isTwoWay: Bool

  /// The rows selected in the controller; the read is not tracked.
  var rows: RowSet { controller.graph.untracked { controller.selectedRows } }
}

extension ItemChoice {
  /// The controller of the rows, if a property of the selection is bound to it.
  var selectingController: SelectingController? {
    guard case .object(let list as FollowingList) = shownItems,
      let controller = list.controller?.object as? ListController
    else { return nil }
    let table = BindingTable.of(graph)
    let properties: [ViewProperty] = [
      .selectedIndexes, .selectedObjects, .selectedIndex, .selectedObject,
    ]
    for index in properties.lazy.compactMap({ self.viewClass.index(of: $0) }) {
      guard let source = table.sourceObject(of: self.slot(index)), source.object === controller
      else { continue }
      return SelectingController(controller: controller, isTwoWay: source.isTwoWay)
    }
    return nil
  }

  /// Selects in the controller a row that the program has assigned to a property of the view.
  /// Returns nil if the row is already selected there, or if there is no such controller.
  func selectInController(_ row: Int?) -> SelectingController? {
    guard let selecting = selectingController, selecting.rows.first != row else { return nil }
    selectInController(row.map { RowSet($0..<$0 + 1) } ?? RowSet(), selecting)
    return selecting
  }

  func selectInController(_ rows: RowSet, _ selecting: SelectingController) {
    if rows == selecting.rows { return }
    do { try selecting.controller.selectRows(rows) } catch { report(error) }
  }
}

// A view with multiple selection shows all rows selected in the controller, whichever selection
// property is bound to it.
extension RowsView {
  /// Starts or stops observing the controller's selection.
  final func followSelectingController() {
    let selecting = mode == .many ? selectingController : nil
    if followedController === selecting?.controller { return }
    followedController = selecting?.controller
    controllerSelection?.cancel()
    controllerSelection = nil
    guard let controller = selecting?.controller else { return }
    controllerSelection = graph.effect { [weak self, weak controller] in
      guard let self, let controller else { return }
      let rows = controller.selectedRows
      graph.untracked { self.show(selected: rows) }
    }
  }

  /// Whether a property holds the controller's own selection list.
  final var isToldByController: Bool {
    guard let list = marks.givenList, let controller = selectingController?.controller else {
      return false
    }
    return list === controller.selectionIndexList || list === controller.selectedObjectList
  }

  private func show(selected rows: RowSet) {
    if isSyncing || mode != .many || rows == marks.rows { return }
    takeFound(rows)
  }

  /// The rows requested by the controller or by a list of the program.
  final var wantedRows: RowSet {
    if mode == .many, let selecting = selectingController { return selecting.rows }
    let property: ViewProperty =
      isBound(.selectedIndexes)
      ? .selectedIndexes : isBound(.selectedObjects) ? .selectedObjects : .selectedIndex
    if property == .selectedIndex {
      return wantedRow.map { RowSet($0..<$0 + 1) } ?? RowSet()
    }
    return graph.untracked {
      if let list = marks.outside?.list { return rows(in: list, property).rows }
      guard case .object(let list as ValueList) = peek(property, as: Value.self) else {
        return RowSet()
      }
      return rows(in: list, property).rows
    }
  }

  /// Selects in the controller the rows of a list that the program has assigned to a property.
  /// Returns false if the list is the controller's own selection, or if there is no such
  /// controller.
  final func selectInController(_ list: ValueList?, of property: ViewProperty) -> Bool {
    guard let selecting = selectingController else { return false }
    let told =
      property == .selectedIndexes
      ? selecting.controller.selectionIndexList : selecting.controller.selectedObjectList
    if list === told { return false }
    var rows =
      list.map { list in graph.untracked { self.rows(in: list, property).rows } } ?? RowSet()
    if mode != .many, let first = rows.first { rows = RowSet(first..<first + 1) }
    isSyncing = true
    selectInController(rows, selecting)
    isSyncing = false
    if isBound(property), let told {
      // The property reports the controller's selection again.
      isSyncing = true
      put(property, .object(told))
      isSyncing = false
      give(property, told)
      adoptGiven()
    } else {
      takeFound(selecting.rows)
    }
    return true
  }
}
