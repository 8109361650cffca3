import TideBindings
import TideGraph

// Rows that are as high as their content.
//
// Only visible rows are measured, but their heights determine which rows are visible. So the layout
// makes cells for the rows expected to be visible and measures them, and repeats this until the
// measured heights no longer change the result.
extension RowsView {
  /// Updates whether rows have individual heights.
  final func followRowHeight() {
    let isFlexible = peek(.rowHeight, as: Value.self) == RowHeightOption.auto
    if isFlexible == (flexible != nil) { return }
    flexible = isFlexible ? FlexibleRows() : nil
    // In flexible rows, the texts of plain cells wrap.
    discardCells()
  }

  /// Assigns cells to the visible rows and positions them.
  final func arrangeFlexibleCells(in body: Rect, by layout: Layout) {
    guard !body.isEmpty else { return giveCells(to: 0..<0) }
    let naturalHeight = height(ofFirst: min(count, 10))
    let before = pool.shown.map(ShownRow.init)
    pool.tellsRows = false
    let window = findWindow(body, by: layout)
    // The focused row also had a cell during the measuring.
    giveCells(to: rows(in: window))
    pool.tellsRows = true
    tellChanges(since: before)
    firstRow = window.first * perLine
    flexible?.settle(window)
    lastSight.hasSelection = isWhollyInSight(selection)
    if height(ofFirst: min(count, 10)) != naturalHeight { layout.needsMeasure(self) }
  }

  /// Prepares a scroll; the next layout determines the visible rows.
  final func beginScroll() {
    followEdits()
    revealsSelection = false
    flexible?.isScrolled = true
    flexible?.goal = nil
    scene?.layout.needsArrange(self)
    setNeedsDraw()
  }

  /// Scrolls to a position of the scroll bar, which is an estimate if it is far away.
  final func scrollFlexibly(to wanted: Int, isEnd: Bool) {
    let step = wanted - offset
    beginScroll()
    if !isEnd { noteSight(isAtEnd: false) }
    if isEnd {
      flexible?.goal = .end
    } else if abs(step) <= 2 * page, wanted > 0 {
      flexible?.travel += step
    } else if let heights = flexible?.heights {
      let line = heights.line(at: wanted)
      firstRow = line * perLine
      flexible?.window.skipped = wanted - heights.start(of: line)
      flexible?.travel = 0
    }
  }

  /// Makes an area of a cell visible, or its beginning if there is not enough space.
  final func revealFlexibly(_ area: Rect) {
    let (body, y) = (body, area.y - layout.rect.y)
    var step = max(0, y + area.height - body.maxY)
    if y - step < body.y { step = y - body.y }
    if step == 0 || body.isEmpty { return }
    flexible?.travel += step
    flexible?.isScrolled = true
    scene?.layout.needsArrange(self)
  }

  /// The row one page above or below another.
  final func row(_ row: Int, pages: Int) -> Int {
    guard let heights = flexible?.heights else { return row + pages * wholeLines * perLine }
    let line = row / perLine
    let start = heights.start(of: line)
    var target: Int
    if pages > 0 {
      target = max(line + 1, heights.line(at: start + page))
    } else {
      target = heights.line(at: max(0, start - page))
      if heights.start(of: target) < start - page { target += 1 }
      target = min(line - 1, target)
    }
    return target * perLine + row % perLine
  }

  /// Scrolls within the selected row if it is higher than the viewport and continues in the
  /// direction of the key.
  final func scrollWithinRow(_ key: Key) -> Bool {
    guard let flexible, let selection, mode != .none,
      let span = flexible.span(ofLine: selection / perLine), span.count > page
    else { return false }
    let step =
      key == Key(.pageDown)
      ? min(page, span.upperBound - page) : key == Key(.pageUp) ? max(-page, span.lowerBound) : 0
    if step == 0 || (step > 0) != (key == Key(.pageDown)) { return false }
    scrollStep(step)
    return true
  }

  // MARK: Finding the visible rows

  private func findWindow(_ body: Rect, by layout: Layout) -> FlexibleRows.Window {
    followMeasures()
    let isScrolled = flexible?.isScrolled ?? false
    let goal = flexible?.goal
    var window = settle(flexible?.anchor(firstRow / perLine) ?? .end(of: 0), by: layout)
    switch goal {
    case .row(let row)?: window = reveal(row, from: window, by: layout)
    case .end?: window = settle(.end(of: lineCount - 1), by: layout)
    case nil: break
    }
    if isScrolled, window.end == lineCount, isEnd(window, in: body) { noteSight(isAtEnd: true) }
    if revealsSelection {
      revealsSelection = false
      window = reveal(selection, from: window, by: layout)
      seek(selection, isSelection: true)
    }
    let keepsSelection = !isScrolled || lastSight.hasMoved || lastSight.size != body.size
    if lastSight.hasSelection, keepsSelection {
      window = reveal(selection, from: window, by: layout)
    }
    lastSight.hasMoved = false
    lastSight.size = body.size
    if flag(.followsEnd) { window = settle(.end(of: lineCount - 1), by: layout) }
    return isScrolled ? window : revealCaret(from: window, by: layout)
  }

  /// Discards heights that were measured for another width.
  private func followMeasures() {
    let (width, perLine, lines) = (bodyWidth, perLine, lineCount)
    if flexible?.width == width, flexible?.perLine == perLine {
      flexible?.heights.setCount(lines)
    } else {
      forgetHeights()
      flexible?.width = width
      flexible?.perLine = perLine
    }
  }

  /// Measures rows again when they become visible.
  final func forgetHeights() {
    let count = lineCount
    flexible?.heights.forget(count: count)
  }

  /// The visible lines, once all of them are measured.
  private func settle(
    _ anchor: FlexibleRows.Anchor, by layout: Layout
  ) -> FlexibleRows.Window {
    let room = body.height
    var window = flexible?.window(anchor, room: room) ?? FlexibleRows.Window()
    for _ in 0..<Self.mostTrials {
      measure(window, by: layout)
      let next = flexible?.window(anchor, room: room) ?? window
      if next == window || layout.isLate { break }
      window = next
    }
    return window
  }

  /// Each iteration measures further rows, and the viewport holds no more rows than it has lines.
  private static var mostTrials: Int { 100 }

  private func reveal(
    _ row: Int?, from window: FlexibleRows.Window, by layout: Layout
  ) -> FlexibleRows.Window {
    guard let row, let flexible else { return window }
    let (line, room) = (row / perLine, body.height)
    guard let anchor = flexible.anchor(revealing: line, from: window, room: room) else {
      return window
    }
    let found = settle(anchor, by: layout)
    // The height of the row is known by now.
    let again = self.flexible?.anchor(revealing: line, from: window, room: room)
    guard let again, again != anchor else { return found }
    return settle(again, by: layout)
  }

  /// Makes the caret of a text area in a row visible if it has moved.
  private func revealCaret(
    from window: FlexibleRows.Window, by layout: Layout
  ) -> FlexibleRows.Window {
    guard let cell = pool.focused, let area = scene?.focused as? TextAreaView,
      let caret = area.caretRow(in: cell)
    else {
      flexible?.caret = nil
      return window
    }
    let former = flexible?.caret
    flexible?.caret = caret
    let (line, room) = (cell.row / perLine, body.height)
    guard caret != former, let flexible, window.lines.contains(line) else { return window }
    if flexible.heights.height(of: line) <= room {
      return reveal(cell.row, from: window, by: layout)
    }
    var top = -window.skipped
    for above in window.first..<line { top += flexible.heights.height(of: above) }
    let skipped = max(caret - room + 1, min(-top, caret))
    return skipped == -top
      ? window : settle(.start(of: line, skipped: 0, travel: skipped), by: layout)
  }

  private func isEnd(_ window: FlexibleRows.Window, in body: Rect) -> Bool {
    guard let flexible else { return true }
    let height = window.lines.reduce(-window.skipped) { $0 + flexible.heights.height(of: $1) }
    return height <= body.height
  }

  private func isWhollyInSight(_ row: Int?) -> Bool {
    guard let span = row.flatMap({ flexible?.span(ofLine: $0 / perLine) }) else { return false }
    return span.lowerBound >= 0 && span.upperBound <= page
      || span.lowerBound == 0 && span.count > page
  }

  // MARK: Cells

  private func rows(in window: FlexibleRows.Window) -> Range<Int> {
    let first = window.first * perLine
    return first..<max(first, min(count, window.end * perLine))
  }

  /// Assigns cells to some rows, and to the rows that other renderers show.
  final func giveCells(to range: Range<Int>, andTo other: Int? = nil) {
    var rows = RowSet(range)
    for elsewhere in rowsElsewhere { rows.insert(elsewhere.clamped(to: 0..<count)) }
    if let other, other < count { rows.insert(other..<other + 1) }
    if cells.count == rows.count, zip(cells, rows.rows).allSatisfy({ shows($0, row: $1) }) {
      return
    }
    graph.batch { showRows(rows) }
  }

  /// Whether a cell already shows a row.
  private func shows(_ cell: CellView, row: Int) -> Bool {
    cell.row == row && cell.parent === self && cell.shownObject == content?.row(row) ?? .null
  }

  /// Measures the rows of the visible lines.
  private func measure(_ window: FlexibleRows.Window, by layout: Layout) {
    let range = rows(in: window)
    firstRow = range.lowerBound
    flexible?.window = window
    prepare(range)
    giveCells(to: range, andTo: pool.focused?.row)
    scene?.measureChanges()
    if layout.isLate { return }
    var line = window.first
    var height = 0
    for cell in cells where range.contains(cell.row) {
      if cell.row / perLine != line {
        flexible?.heights[line] = height
        (line, height) = (cell.row / perLine, 0)
      }
      height = max(height, layout.height(of: cell, width: columns(ofRow: cell.row).count))
    }
    if height > 0 || !range.isEmpty { flexible?.heights[line] = height }
  }

  // MARK: Events

  /// The content of a cell.
  private struct ShownRow {
    let cell: CellView
    let row: Int
    let object: Value

    init(_ cell: CellView) {
      self.cell = cell
      row = cell.row
      object = cell.shownObject
    }

    /// An object's row counts as the same, even at another index.
    func isSame(as other: ShownRow) -> Bool {
      if case .object = object { return object == other.object }
      return row == other.row && object == other.object
    }
  }

  /// Sends events for rows that appeared or disappeared; rows that were only measured send none.
  private func tellChanges(since before: [ShownRow]) {
    let after = cells.map(ShownRow.init)
    for gone in before where !after.contains(where: gone.isSame) {
      tell(.didEndDisplaying, gone.cell, gone.row, gone.object)
    }
    for new in after
    where !before.contains(where: new.isSame) && !pool.shownBefore.contains(new.row) {
      tell(.willDisplay, new.cell, new.row, new.object)
    }
  }
}
