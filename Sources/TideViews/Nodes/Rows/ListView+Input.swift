import TideGraph

extension ListView {
  /// How many whole rows are in sight.
  private var pageRows: Int {
    max(1, (layout.place.height - insets.vertical) / rowHeight)
  }

  func act(on key: Key) -> Bool {
    followItems()
    let count = content?.count ?? 0
    if count == 0 { return false }
    switch key {
    case Key(.up): choose(selection.map { $0 - 1 } ?? count - 1, key)
    case Key(.down): choose(selection.map { $0 + 1 } ?? 0, key)
    case Key(.pageUp): choose(selection.map { $0 - pageRows } ?? 0, key)
    case Key(.pageDown): choose(selection.map { $0 + pageRows } ?? pageRows - 1, key)
    case Key(.home): choose(0, key)
    case Key(.end): choose(count - 1, key)
    case Key(.enter):
      guard let selection else { return false }
      sendSelection(selection, key)
    case Key(.delete):
      guard let selection else { return false }
      return send(
        Event(
          "delete", sender: self, key: key, index: selection + 1,
          value: content?.row(selection) ?? .null))
    default: return false
    }
    return true
  }

  /// Selects a row as a person does: the nearest there is, scrolled into sight.
  private func choose(_ row: Int, _ key: Key?) {
    let row = max(0, min(row, (content?.count ?? 1) - 1))
    let isNew = row != selection
    if isNew { select(row) }
    revealsSelection = true
    scene?.layout.needsArrange(self)
    if isNew { sendSelection(row, key) }
  }

  private func sendSelection(_ row: Int, _ key: Key?) {
    send(
      Event(
        .didSelect, sender: self, key: key, index: row + 1, value: content?.row(row) ?? .null,
        cell: row >= cellsStart && row < cellsStart + cells.count ? cells[row - cellsStart] : nil))
  }

  func act(on mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left):
      let row = firstRow + (mouse.position.y - insets.top) / rowHeight
      guard mouse.position.y >= insets.top, row < content?.count ?? 0 else { return false }
      if row == selection { sendSelection(row, nil) } else { choose(row, nil) }
      return true
    case .release(.left), .drag(.left): return true
    case .scroll(let rows):
      scroll(by: rows)
      return true
    default: return false
    }
  }

  /// Moves the rows in sight, without changing the selection.
  public func scroll(by rows: Int) {
    let count = content?.count ?? 0
    let row = max(0, min(firstRow + max(-count, min(rows, count)), count - pageRows))
    revealsSelection = false
    if row == firstRow { return }
    firstRow = row
    scene?.layout.needsArrange(self)
  }

  /// Scrolls as little as it takes to show a row, from 1.
  public func scroll(toRow number: Int) {
    let row = number - 1
    if row < firstRow { scroll(by: row - firstRow) }
    if row >= firstRow + pageRows { scroll(by: row - pageRows + 1 - firstRow) }
  }

  /// The scroll bar, when there is more than is in sight.
  func drawScrollBar(on canvas: Canvas) {
    let area = canvas.content
    let count = content?.count ?? 0
    let rows = area.height / rowHeight
    if count <= rows || area.width <= 2 || area.height == 0 { return }
    let height = max(1, min(area.height, area.height * rows / count))
    let room = count - max(1, rows)
    let top = room <= 0 ? 0 : (area.height - height) * min(firstRow, room) / room
    let style = canvas.style.hint
    for y in 0..<area.height {
      let isThumb = y >= top && y < top + height
      canvas.put(
        isThumb ? canvas.symbols.thumb : canvas.symbols.track, x: area.maxX - 1, y: area.y + y,
        style: style)
    }
  }
}
