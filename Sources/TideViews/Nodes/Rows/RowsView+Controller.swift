import TideBindings
import TideGraph

/// The list controller that arranges the rows of a view, where the selection is bound to it.
struct SelectingController {
  let controller: ListController
  /// Whether what a person selects in the view is written to the controller.
  let isTwoWay: Bool

  /// The rows that are selected there, without recording a read.
  var rows: RowSet { controller.graph.untracked { controller.selectedRows } }
}

extension ItemChoice {
  /// The controller that arranges the rows, where a property of the selection is bound to it.
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

  /// Selects in the controller what the program has put into a property of the view; nil where the
  /// property shows what is selected there, or no controller is concerned.
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

// A view in which many rows may be selected shows all that is selected in the controller of its
// rows, whichever property is bound to that.
extension RowsView {
  /// Follows what is selected in the controller from now on, or no more.
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

  /// Whether a property holds the list in which the controller tells what is selected.
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

  /// The rows that a controller or the program wants by a list.
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

  /// Selects in the controller the rows of a list that the program has put into a property; false
  /// where the list tells what is selected there, or no controller is concerned.
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
      // The property tells again what is selected there.
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
