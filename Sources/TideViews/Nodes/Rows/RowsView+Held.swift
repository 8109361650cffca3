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
    if let former = (content as? ListFollowing)?.list, former !== list,
      holdRows(shownBy: former, in: holding, of: list)
    {
      return ListFollowing(holding, changed)
    }
    guard mayHold(list) else { return ListFollowing(items, changed) }
    if let heldRows { holding.holdRows(of: heldRows) }
    return ListFollowing(holding, changed)
  }

  /// Holds the rows that another list shows, if a function makes a new list at each call. Returns
  /// false if it does not, or if there are no such rows.
  private func holdRows(
    shownBy former: ValueList, in holding: FollowingList, of list: ValueList
  ) -> Bool {
    if list is LiveList { return false }
    let sources = listsReadForItems
    return !sources.isEmpty
      && holding.holdRows(shownBy: former) { row in sources.contains { $0.conceals(row) } }
  }

  /// The lists that a function for `items` has read to make a new list each time. Rows of these
  /// lists that the new list lacks were filtered out.
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

  /// Continues to hold the rows that the replaced view holds.
  final func takeHeldRows(of old: RowsView) {
    guard let former = old.heldRows, isEditedHere, flag(.holdsEditedRow), content is ListFollowing,
      case .object(let list as ValueList) = shownItems, !(list is FollowingList)
    else { return }
    // Replaces a list that this view has made meanwhile and that holds none of those rows.
    let holding = FollowingList { list }
    if !holdRows(shownBy: former, in: holding, of: list) {
      guard mayHold(list) else { return }
      holding.holdRows(of: former)
    }
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

  /// Whether the record that the model has selected is being edited elsewhere, although no row
  /// shows it.
  final var isSelectedRecordEdited: Bool {
    let table = BindingTable.of(graph)
    guard let records = table.editedRecords, !records.edits.isEmpty,
      let index = viewClass.index(of: .selectedObject),
      let record = table.valueFromModel(at: slot(index))
    else { return false }
    return records.edits.contains { $0.has(record) }
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
