import TideBindings
import TideGraph

extension TreeView {
  /// Handles a key that is specific to trees; nil for any other key.
  func handleTreeKey(_ key: Key) -> Bool? {
    followItems()
    guard let rows, let row = selection, scene?.focused === self || scene?.focused == nil,
      let entry = rows.entry(row)
    else { return nil }
    let isOpen = entry.open != nil
    let canOpen = graph.untracked { rows.hasChildren(entry) }
    switch key {
    case Key(.right):
      if isOpen, canOpen {
        choose(row + 1, key)
      } else if canOpen {
        setOpen(true, row: row)
      }
    case Key(.left):
      if isOpen {
        setOpen(false, row: row)
      } else if let parent = rows.parent(of: row) {
        choose(parent, key)
      }
    case Key(.space) where search.typed.isEmpty && mode != .many:
      if isOpen || canOpen { setOpen(!isOpen, row: row) }
    case Key(.enter):
      sendSelection(row, key)
      // A handler may have replaced the rows.
      if isOpen || canOpen, selection == row { setOpen(!isOpen, row: row) }
    case Key(Character("*")): rows.openAll(row: row)
    default: return nil
    }
    endSearch()
    return true
  }

  /// Expands or collapses the row whose triangle is at a point; true if the point is left of a
  /// cell.
  func toggle(at point: Point) -> Bool {
    followItems()
    guard body.contains(point), let cell = cells.first(where: { shows($0, at: point) }) else {
      return false
    }
    let x = point.x - body.x
    let indent = gutter(ofRow: cell.row)
    if x >= indent { return false }
    let index = cell.row - firstRow
    guard let row = presentRow(of: cell) else {
      scene?.refusePress(of: callName)
      return true
    }
    if x >= indent - 2, canOpen.indices.contains(index), canOpen[index] {
      setOpen(!isOpen(row: row), row: row)
    } else {
      choose(row, nil)
    }
    return true
  }

  private func shows(_ cell: CellView, at point: Point) -> Bool {
    span(ofRow: cell.row).contains(point.y)
  }
}
