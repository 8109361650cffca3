import TideBindings
import TideGraph

// Rows being edited keep their position, even if the view shows a derived list.
extension RowsView {
  /// Observes a list; during an edit of one of its rows, observes it through a list that holds the
  /// row.
  final func following(_ items: Value) -> ListFollowing? {
    let changed: ([RowEdit]) -> Void = { [unowned self] in rowsChanged($0) }
    guard isEditedHere, flag(.holdsEditedRow), case .object(let list as ValueList) = items,
      !(list is FollowingList)
    else { return ListFollowing(items, changed) }
    let holding = FollowingList { list }
    if mayHold(list) {
      if let heldRows { holding.holdRows(of: heldRows) }
    } else {
      let sources = listsReadForItems
      guard let former = (content as? ListFollowing)?.list, former !== list, !sources.isEmpty,
        holding.holdRows(shownBy: former, { row in sources.contains { $0.conceals(row) } })
      else { return ListFollowing(items, changed) }
    }
    return ListFollowing(holding, changed)
  }

  /// The lists read by the function that computes `items`, if it returns a new list each time. Rows
  /// of these lists that are missing from the result were filtered out.
  private var listsReadForItems: [ValueList] {
    guard let index = viewClass.index(of: .items) else { return [] }
    var lists: [ValueList] = []
    addLists(readBy: slot(index), to: &lists, depth: 0)
    return lists
  }

  private func addLists(readBy slot: Slot, to lists: inout [ValueList], depth: Int) {
    for edge in graph.dependencies(of: slot) {
      let source = graph.source(of: edge)
      if let list = source.blockHeader?.block as? ValueList {
        if !lists.contains(where: { $0 === list }) { lists.append(list) }
      } else if source.isDerived, depth < 4 {
        addLists(readBy: source, to: &lists, depth: depth + 1)
      }
      if lists.count == 8 { return }
    }
  }

  /// Starts to hold the edited rows of the current list.
  final func holdListedRows() {
    guard heldRows == nil, flag(.holdsEditedRow), let following = content as? ListFollowing,
      let list = following.list,
      mayHold(list)
    else { return }
    // The rows are the same, so nothing else changes.
    let notesRemovals = following.notesRemovals
    let holding = self.following(.object(list))
    holding?.notesRemovals = notesRemovals
    content = holding
  }

  /// Adopts the held rows of the view that this one replaces.
  final func takeHeldRows(of old: RowsView) {
    guard let former = old.heldRows, heldRows == nil, isEditedHere,
      let list = (content as? ListFollowing)?.list, mayHold(list)
    else { return }
    let holding = FollowingList { list }
    holding.holdRows(of: former)
    content = ListFollowing(holding) { [unowned self] in rowsChanged($0) }
    (content as? ListFollowing)?.notesRemovals = mode == .many
  }

  private var isEditedHere: Bool {
    BindingTable.of(graph).editedRecords?.edits.isEmpty == false
  }

  /// The list that holds rows for this view only.
  private final var heldRows: FollowingList? {
    guard let list = (content as? ListFollowing)?.list as? FollowingList, list.controller == nil
    else { return nil }
    return list
  }

  /// A controller holds its rows itself. A list that is not derived loses rows only by removal,
  /// which matters if the selected row is edited elsewhere.
  private func mayHold(_ list: ValueList) -> Bool {
    guard !(list is FollowingList), let records = BindingTable.of(graph).editedRecords else {
      return false
    }
    if list is LiveList { return records.concerns(list) }
    let selected = peek(.selectedObject, as: Value.self)
    return records.edits.contains { $0.has(selected) }
  }
}
