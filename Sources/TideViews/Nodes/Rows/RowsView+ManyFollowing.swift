import TideBindings
import TideGraph

// A selection of several rows stays on its objects while the rows change.
extension RowsView {
  /// Keeps the selection on its objects while rows are inserted, removed and moved.
  final func followMarks(_ edits: [RowEdit]) {
    if isSelectionOfController {
      return followController(
        current: selection.map { row in edits.reduce(row) { $1.nearestIndex(of: $0) } })
    }
    if marks.isAwaited { return withoutChoosing { adoptGiven() } }
    if marks.rows.isEmpty && selection == nil { return selectAwaited() }
    let last = max(marks.rows.last ?? 0, selection ?? 0, marks.anchor ?? 0)
    if edits.allSatisfy({ $0.firstRow > last }) { return }
    var removals = content?.removals ?? []
    var (rows, inserted, lost) = (marks.rows, RowSet(), [Value]())
    var (current, anchor) = (selection, marks.anchor)
    var isReplaced = false
    for edit in edits {
      switch edit {
      case .insertion(let range):
        rows.openGap(at: range.lowerBound, count: range.count)
        inserted.openGap(at: range.lowerBound, count: range.count)
        inserted.insert(range)
      case .removal(let range):
        let removed = removals.isEmpty ? [] : removals.removeFirst()
        if rows.intersects(range) {
          for (row, value) in zip(range, removed) where rows.contains(row) { lost.append(value) }
        }
        rows.closeGap(range)
        inserted.closeGap(range)
      case .replacement(let range): isReplaced = isReplaced || rows.intersects(range)
      case .move(let from, let to):
        rows.move(from: from, to: to)
        inserted.move(from: from, to: to)
      }
      current = current.map { edit.nearestIndex(of: $0) }
      anchor = anchor.map { edit.nearestIndex(of: $0) }
    }
    if rows.count < marks.rows.count && !inserted.isEmpty {
      // A reordering may be reported as a removal and an insertion.
      rows.formUnion(found(lost.isEmpty ? gone(from: rows) : lost, among: inserted))
    }
    let isRefilled = isReplaced || rows.count < marks.rows.count && isRefill(edits, of: content)
    if isRefilled, awaitsModelRows() { return }
    if isRefilled, marks.rows.count == 1, showsChoiceOfModel() { return }
    let end = count - 1
    marks.forgetGiven()
    take(
      rows, current: current.map { min($0, end) }, anchor: anchor.map { min($0, end) },
      isRefreshed: true)
  }

  /// Selects, after a refill, the row that a property of the model names, without writing the model.
  /// Returns false if no such property is bound.
  private func showsChoiceOfModel() -> Bool {
    guard isChoiceBound, !isSelectionOfController else { return false }
    let row = rowOfModel(in: content)
    let chosen = row.map { RowSet($0..<$0 + 1) } ?? RowSet()
    withoutChoosing { mark(chosen, current: row, anchor: row) }
    return true
  }

  /// The remembered objects that are not among the given rows.
  private func gone(from rows: RowSet) -> [Value] {
    var left = objects(of: rows)
    return marks.objects.filter { object in
      guard let index = left.firstIndex(of: object) else { return true }
      left.remove(at: index)
      return false
    }
  }

  private func found(_ objects: [Value], among inserted: RowSet) -> RowSet {
    let rows = inserted.rows
    let found = find(objects, in: self.objects(of: inserted))
    return RowSet(found.rows.map { rows[$0] })
  }

  func followController(current: Int?) {
    let rows = wantedRows
    let current = current.flatMap { rows.contains($0) ? $0 : nil } ?? rows.first
    take(rows, current: current, anchor: current, isRefreshed: true)
  }

  /// Makes a new row source and finds the selected rows in it.
  final func replaceSourceOfMany() {
    let isFirst = content == nil
    let objects = isFirst ? [] : self.objects(of: marks.rows)
    let isAll = !marks.rows.isEmpty && marks.rows.count == count
    let list = content?.list
    let current = selection.flatMap { content?.row($0) }
    let wasSelected = !marks.rows.isEmpty
    findSource()
    if isSelectionOfController {
      followController(current: selection)
    } else if marks.isAwaited {
      withoutChoosing { adoptGiven() }
    } else if marks.given != nil && isFirst {
      adoptGiven()
    } else if wasSelected {
      let isSame = isAll && list != nil && list === content?.list
      let rows = isSame ? RowSet(0..<count) : graph.untracked { find(objects) }
      if rows.count < objects.count,
        awaitsModelRows() || objects.count == 1 && showsChoiceOfModel()
      {
        return setNeedsLayout()
      }
      // An assigned list is kept while all of its rows exist, even as other objects.
      if rows.count < objects.count { marks.forgetGiven() }
      let row = current.flatMap { object in graph.untracked { content?.index(of: object) } }
      take(rows, current: row ?? rows.first, anchor: row, isRefreshed: true)
    } else {
      selection = nil
      selectAwaited()
    }
    setNeedsLayout()
  }

  /// Adopts the selection of the view that this one replaces.
  final func takeMarks(of old: RowsView) {
    let objects = old.objects(of: old.selectedRows)
    var rows = graph.untracked { find(objects) }
    if rows.isEmpty { rows = old.selectedRows }
    let same = { (row: Int) -> Int in
      guard let object = old.content?.row(row) else { return row }
      return self.graph.untracked { self.content?.index(of: object) } ?? row
    }
    mark(rows, current: old.selection.map(same), anchor: old.marks.anchor.map(same))
  }
}
