import TideBindings
import TideGraph

extension ListView {
  func arrangeCells(in content: Rect, by layout: Layout) {
    followItems()
    let count = self.content?.count ?? 0
    let rows = content.height / rowHeight
    if revealsSelection {
      revealsSelection = false
      reveal(selection, rows: rows)
    }
    firstRow = max(0, min(firstRow, count - max(1, rows)))
    let sight = (content.height + rowHeight - 1) / rowHeight
    var range = firstRow..<min(count, firstRow + (content.width > 0 ? sight : 0))
    // One cell tells how high the others will be.
    if needsRowHeight { range = range.prefix(1) }
    graph.batch { showRows(range) }
    if needsRowHeight, let cell = cells.first, cell.scene != nil {
      // Its size is known once it has been measured.
      if !cell.layout.flags.contains(.inMeasure) {
        foundRowHeight = max(1, cell.layout.natural.height)
      }
      scene?.layout.needsArrange(self)
    }
    place(in: content, hasBar: count > rows, by: layout)
  }

  private var needsRowHeight: Bool {
    foundRowHeight == nil && peek(.rowHeight, as: Double?.self) == nil
  }

  private func place(in content: Rect, hasBar: Bool, by layout: Layout) {
    let width = content.width - (hasBar && content.width > 2 ? 1 : 0)
    for (offset, cell) in cells.enumerated() {
      let y = content.y + (cellsStart + offset - firstRow) * rowHeight
      layout.set(
        cell, Rect(x: content.x, y: y, width: width, height: rowHeight), in: content, of: self)
    }
  }

  private func reveal(_ row: Int?, rows: Int) {
    guard let row else { return }
    if row < firstRow { firstRow = row }
    if row >= firstRow + rows { firstRow = row - max(1, rows) + 1 }
  }

  /// Sees to it that exactly these rows have cells, with as few changes as that takes.
  private func showRows(_ range: Range<Int>) {
    var kept: [Int: CellView] = [:]
    for (offset, cell) in cells.enumerated() {
      let row = cellsStart + offset
      if range.contains(row) { kept[row] = cell } else { putAway(cell, row) }
    }
    var shown: [CellView] = []
    for row in range {
      let object = content?.row(row) ?? .null
      if let cell = kept[row] {
        if cell.ownObject?.value ?? .null != object { tell(.didEndDisplaying, row, cell) }
        refresh(cell, row, object)
        shown.append(cell)
      } else {
        shown.append(takeCell(row, object))
      }
    }
    cells = shown
    cellsStart = range.lowerBound
    // Cells that wait for rows stay out of the tree, so that nobody finds them there.
    for cell in spareCells where cell.parent != nil { cell.remove() }
    if spareCells.count > shown.count + 4 { spareCells.removeLast(spareCells.count - shown.count) }
    reorder(shown)
  }

  private func refresh(_ cell: CellView, _ row: Int, _ object: Value) {
    let isNew = cell.ownObject?.value ?? .null != object
    cell.show(object, index: row + 1, isSelected: row == selection)
    if isNew { tell(.willDisplay, row, cell) }
  }

  private func putAway(_ cell: CellView, _ row: Int) {
    tell(.didEndDisplaying, row, cell)
    spareCells.append(cell)
  }

  private func takeCell(_ row: Int, _ object: Value) -> CellView {
    // One that is still in the tree needs not be put there again.
    let index = spareCells.lastIndex { $0.parent === self } ?? spareCells.indices.last
    let cell = index.map { spareCells.remove(at: $0) } ?? newCell(row, object)
    cell.show(object, index: row + 1, isSelected: row == selection)
    if cell.parent !== self { try? add(cell) }
    tell(.willDisplay, row, cell)
    return cell
  }

  private func newCell(_ row: Int, _ object: Value) -> CellView {
    guard let makeCell else { return .plain() }
    do {
      guard let view = try makeCell(object, row + 1) else { return CellView(viewClass: .cell) }
      if let cell = view as? CellView { return cell }
      let cell = CellView(viewClass: .cell)
      try cell.add(view)
      return cell
    } catch {
      report(error)
      return CellView(viewClass: .cell)
    }
  }

  /// Sends an event of a row when the frame is laid out: its handlers may change the tree.
  private func tell(_ name: EventName, _ row: Int, _ cell: CellView) {
    let event = Event(
      name, sender: self, index: row + 1, value: cell.ownObject?.value ?? .null, cell: cell)
    scene?.afterLayout.append(event)
  }

  func discardCells() {
    graph.batch {
      for cell in cells { cell.remove() }
    }
    cells.removeAll()
    spareCells.removeAll()
    foundRowHeight = nil
    setNeedsLayout()
  }
}
