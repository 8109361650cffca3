import TideBindings
import TideGraph

extension RowsView {
  final func act(on key: Key) -> Bool {
    followItems()
    if count == 0 { return false }
    if mode == .none { return scrollWithoutSelection(key) }
    if mode == .many, let isTaken = actOnMany(key) { return isTaken }
    if scrollWithinRow(key) { return true }
    if let row = target(of: key) {
      endSearch()
      // The focus moves from the cell to the rows.
      if let scene, pool.focused != nil, scene.focused !== self { scene.focus(self) }
      choose(row, key)
      return true
    }
    switch key {
    case Key(.enter):
      guard let selection else { return false }
      sendSelection(selection, key)
      return true
    case Key(.delete): return delete(key)
    case Key(.up, modifiers: .alt): return move(by: -1, key)
    case Key(.down, modifiers: .alt): return move(by: 1, key)
    default: return find(key)
    }
  }

  final func act(on action: ViewAction) -> Bool {
    followItems()
    func isRow(_ row: Int) -> Bool { row >= 0 && row < count }
    switch action {
    case .select(let row, let modifiers) where isRow(row) && mode != .none:
      endSearch()
      if isSelected(row), selectedRows.count == 1, modifiers.isEmpty { return true }
      press(row, modifiers)
    case .open(let row) where isRow(row) && mode != .none:
      if let row = choose(row, nil) { sendSelection(row, nil) }
    case .delete(let row) where isRow(row):
      choose(row, nil)
      return delete(Key(.delete))
    case .move(let row, let target) where isRow(row) && isRow(target) && row != target:
      return move(row, to: target, nil)
    default: return false
    }
    return true
  }

  /// Requests the deletion of the selected row; the row that takes its place is selected
  /// afterwards.
  private func delete(_ key: Key) -> Bool {
    guard let selection = selection.flatMap({ isSelected($0) ? $0 : nil }) ?? firstSelected else {
      return false
    }
    let before = count
    let isTaken = send(event("delete", selection, key))
    if selectedRows.isEmpty && count < before && count > 0 && !isSelectionOfController {
      select(min(selection, count - 1))
      revealsSelection = true
    }
    return isTaken
  }

  private func move(by step: Int, _ key: Key) -> Bool {
    guard let selection, selection + step >= 0, selection + step < count else { return false }
    return move(selection, to: selection + step, key)
  }

  /// Requests the move of a row; returns whether a handler handled the event.
  final func move(_ row: Int, to target: Int, _ key: Key?) -> Bool {
    guard allowsMoving else { return false }
    var event = event("move", row, key)
    event.target = target
    let isTaken = send(event)
    if isTaken { revealsSelection = true }
    return isTaken
  }
}
