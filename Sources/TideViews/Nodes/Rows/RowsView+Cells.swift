import TideBindings
import TideGraph

extension RowsView {
  final func arrangeCells(by layout: Layout) {
    followItems()
    let body = body
    if flexible == nil {
      arrangeEqualCells(in: body)
    } else if needsSize {
      // The number of cells in a line is known once there is a cell.
      giveCells(to: firstRow..<max(firstRow, min(count, firstRow + 1)))
    } else {
      arrangeFlexibleCells(in: body, by: layout)
    }
    // The cells have their rows by now.
    if rowStyle != nil { for cell in cells { cell.followRowStyle(of: self) } }
    if needsSize, let cell = cells.first, cell.scene != nil {
      // Its size is known once it has been measured.
      if !cell.layout.flags.contains(.inMeasure) {
        let natural = cell.layout.natural
        pool.foundSize = Size(width: max(1, natural.width), height: max(1, natural.height))
      }
      scene?.layout.needsArrange(self)
    }
    arrangeCells(in: body, by: layout)
  }

  /// Assigns cells to the visible rows, for rows of equal height.
  private func arrangeEqualCells(in body: Rect) {
    let rowsThatShow = body.width > 0 ? (body.height + rowHeight - 1) / rowHeight * perLine : 0
    limitFirstRow()
    if revealsSelection {
      revealsSelection = false
      reveal(selection)
      seek(selection, isSelection: true)
      limitFirstRow()
    }
    keepSelectionInSight(body)
    if flag(.followsEnd) { firstRow = max(0, lineCount - wholeLines) * perLine }
    lastSight.hasSelection = isInSight(selection)
    var range = firstRow..<max(firstRow, min(count, firstRow + rowsThatShow))
    // The first cell determines the size of all others.
    if needsSize { range = range.prefix(1) }
    prepare(range)
    var rows = RowSet(range)
    if !needsSize {
      for other in rowsElsewhere { rows.insert(other.clamped(to: 0..<count)) }
    }
    graph.batch { showRows(rows) }
  }

  /// Aligns the first visible row to a line, and avoids empty space below the last line.
  private func limitFirstRow() {
    let line = max(0, min(firstRow / perLine, lineCount - wholeLines))
    firstRow = line * perLine
  }

  /// Keeps the selected row visible when the size or the rows change. A view without any space does
  /// so later.
  private func keepSelectionInSight(_ body: Rect) {
    if body.isEmpty { return }
    if lastSight.hasSelection, lastSight.hasMoved || lastSight.size != body.size {
      reveal(selection)
      limitFirstRow()
    }
    lastSight.hasMoved = false
    lastSight.size = body.size
  }

  private func isInSight(_ row: Int?) -> Bool {
    if body.isEmpty { return lastSight.hasSelection }
    return row.map { $0 >= firstRow && $0 < firstRow + wholeLines * perLine } ?? false
  }

  private func arrangeCells(in body: Rect, by layout: Layout) {
    let origin = self.layout.rect.origin
    let content = Rect(
      x: origin.x + body.x, y: origin.y + body.y, width: body.width, height: body.height)
    for cell in cells {
      var area = area(ofRow: cell.row)
      area.x += origin.x
      area.y += origin.y
      if flexible == nil {
        layout.set(cell, area, in: content, of: self)
      } else {
        layout.setFreely(cell, area, within: content, of: self)
      }
    }
    for cell in pool.leaving {
      layout.set(
        cell, Rect(x: content.x, y: content.y, width: 0, height: 0), in: content, of: self)
    }
  }

  private func reveal(_ row: Int?) {
    guard let row else { return }
    let line = row / perLine
    let first = firstRow / perLine
    if line < first { firstRow = line * perLine }
    if line >= first + wholeLines { firstRow = (line - wholeLines + 1) * perLine }
  }

  /// Assigns cells to exactly these rows with as few changes as possible: a cell stays with its
  /// object if that is still visible, even in another row.
  final func showRows(_ rows: RowSet) {
    takeBackLeavingCells()
    _ = pool.takeUnusedCells(of: self)
    var kept: [Int: CellView] = [:]
    var others: [ObjectIdentifier: CellView] = [:]
    var free: [CellView] = []
    for cell in cells {
      let object = cell.shownObject
      if cell.failure?.isOver == true, cell !== pool.focused {
        free.append(cell)
      } else if rows.contains(cell.row), content?.row(cell.row) ?? .null == object {
        kept[cell.row] = cell
      } else if case .object(let object) = object, others[ObjectIdentifier(object)] == nil {
        others[ObjectIdentifier(object)] = cell
      } else {
        free.append(cell)
      }
    }
    let wanted = rows.rows
    for row in wanted where kept[row] == nil {
      guard case .object(let object)? = content?.row(row) else { continue }
      kept[row] = others.removeValue(forKey: ObjectIdentifier(object))
    }
    for cell in free + others.values.sorted(by: { $0.row < $1.row }) { recycle(cell) }
    let former = pool.shown
    pool.shown = wanted.map { row in
      let object = content?.row(row) ?? .null
      guard let cell = kept[row] else { return takeCell(row, object) }
      cell.show(object, row: row, isSelected: isSelected(row))
      return cell
    }
    _ = pool.takeUnusedCells(of: self)
    // Spare cells stay out of the tree, so that searches do not find them.
    for cell in pool.spare where cell.parent != nil { cell.remove() }
    dropSpareCells()
    reorder(cells)
    withExtendedLifetime(former) {}
  }

  private func recycle(_ cell: CellView) {
    if pool.tellsRows { tell(.didEndDisplaying, cell, cell.row, cell.shownObject) }
    guard cell === pool.focused else { return retire(cell) }
    // It keeps its object and stays in the tree until its edit has ended.
    pool.leaving.append(cell)
    pool.focused = nil
    scene?.noteHidden(cell, of: self)
    if graph.untracked({ content?.index(of: cell.shownObject) }) == nil {
      scene?.noteRemoved(cell, of: self)
    }
  }

  private func takeBackLeavingCells() {
    if pool.leaving.isEmpty { return }
    var focused = scene?.focused
    while let view = focused, !pool.leaving.contains(where: { $0 === view }) {
      focused = view.parent
    }
    let left = pool.leaving.filter { $0 !== focused }
    pool.leaving.removeAll { $0 !== focused }
    left.forEach(retire)
  }

  /// Stores a cell for reuse. A cell with an unfinished edit is reused for its own row only,
  /// because the edit would otherwise appear in another row.
  private func retire(_ cell: CellView) {
    // A cell that failed for one row is made again for another.
    if cell.failure != nil || isOver(cell) { drop(cell) } else { pool.spare.append(cell) }
  }

  /// Discards a cell, with the input for a row that no longer exists.
  private func drop(_ cell: CellView) {
    let table = BindingTable.of(graph)
    for view in TreeWalk(cell) {
      view.writeDelayedEntry()
      if let entry = view.unwrittenEntry, !entry.isEmpty {
        table.recordsToEdit.lose(entry, of: view, view.passage)
      }
      table.discardEdits(at: view)
    }
    cell.failure?.end()
    cell.remove()
  }

  /// Whether a cell that the user has interacted with may be discarded. Input that was refused or
  /// is pending must reappear together with its row.
  private func isOver(_ cell: CellView) -> Bool {
    if !cell.wasUsed || keepsUsedCells { return false }
    let table = BindingTable.of(graph)
    return !TreeWalk(cell).contains { table.holdsEdit(at: $0) }
      || graph.untracked { content?.index(of: cell.shownObject) } == nil
  }

  private func dropSpareCells() {
    let over = pool.spare.filter(isOver)
    if !over.isEmpty {
      _ = pool.takeSpare { cell in over.contains { $0 === cell } }
      over.forEach(drop)
    }
    var excess = pool.spare.count { !$0.wasUsed } - cells.count - 4
    if excess <= 0 { return }
    excess += 4
    _ = pool.takeSpare { cell in
      if cell.wasUsed || excess == 0 { return false }
      excess -= 1
      return true
    }
  }

  /// Rows that a reload on trial removes may reappear with all state of their cells.
  private var keepsUsedCells: Bool { scene?.host.isTryingReload ?? false }

  private func takeCell(_ row: Int, _ object: Value) -> CellView {
    // A cell that is still in the tree does not have to be added again.
    let index =
      pool.spare.lastIndex { $0.wasUsed && $0.shownObject == object }
      ?? pool.spare.lastIndex { !$0.wasUsed && $0.parent === self }
      ?? pool.spare.lastIndex { !$0.wasUsed }
    let cell = index.map { pool.spare.remove(at: $0) } ?? newCell(row, object)
    cell.show(object, row: row, isSelected: isSelected(row))
    if cell.parent !== self {
      pool.isAdding = true
      defer { pool.isAdding = false }
      try? add(cell)
    }
    if pool.tellsRows, !pool.shownBefore.contains(row) { tell(.willDisplay, cell, row, object) }
    return cell
  }

  private func newCell(_ row: Int, _ object: Value) -> CellView {
    var errors: [any Error] = []
    let cell = newCell(row, object, &errors)
    if errors.isEmpty { return cell }
    let site = failureSite(ofRow: row, object)
    let failure = CellFailure(errors.map { _ in FunctionFailure(in: .of(graph)) }, at: site)
    for (error, listed) in zip(errors, failure.listed) { report(error, of: listed, at: site) }
    cell.failure = failure
    // The function is called again to track what it reads: it may succeed after a change of those
    // values.
    var isFirst = true
    failure.effect = graph.effect { [weak self, weak failure] in
      guard let self, let failure else { return }
      if !isFirst {
        failure.isOver = true
        return graph.untracked { setNeedsLayout() }
      }
      isFirst = false
      var others: [any Error] = []
      graph.as(.write) { _ = newCell(row, object, &others) }
    }
    return cell
  }

  /// Makes the cell of a row, and collects the errors.
  private func newCell(_ row: Int, _ object: Value, _ errors: inout [any Error]) -> CellView {
    do {
      return try makeRowCell(object, row, &errors) ?? CellView(viewClass: .cell)
    } catch {
      errors.append(error)
      return CellView(viewClass: .cell)
    }
  }

  /// Queues an event of a row until the frame is laid out, because its handlers may change the
  /// tree.
  final func tell(_ name: EventName, _ cell: CellView, _ row: Int, _ object: Value) {
    let event = Event(name, sender: self, index: row, value: object, cell: cell)
    scene?.cycle.pendingEvents.append(event)
  }

  private var needsSize: Bool {
    if pool.foundSize != nil { return false }
    return flexible == nil && peek(.rowHeight, as: Double?.self) == nil || needsWidth
  }

  private var needsWidth: Bool {
    viewClass.index(of: .itemWidth) != nil && peek(.itemWidth, as: Double?.self) == nil
  }

  final func discardCells() {
    graph.batch {
      for cell in cells + pool.leaving { cell.remove() }
    }
    _ = pool.takeAll()
    setNeedsLayout()
  }
}
