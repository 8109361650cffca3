import TideBindings
import TideGraph

// The visible rows. Scroll positions are in lines of rows, or in cells if rows have individual
// heights.
extension RowsView {
  // MARK: Measures

  /// The visible cells, in the order of their rows.
  final var cells: [CellView] { pool.shown }

  final var count: Int { content?.count ?? 0 }

  final var lineCount: Int { (count + perLine - 1) / perLine }

  /// The row that indicates the focus while the current row is not selected.
  final var rowWithFocus: Int? {
    guard flag(.focused), mode != .none else { return nil }
    guard let selection else { return firstRow }
    return isSelected(selection) ? nil : selection
  }

  /// The height of rows that all have the same height.
  final var rowHeight: Int {
    max(1, BoxStyle.cells(peek(.rowHeight, as: Double?.self)) ?? pool.foundSize?.height ?? 1)
  }

  /// The height of the first lines, measured or estimated.
  final func height(ofFirst lines: Int) -> Int {
    guard let flexible else { return lines * rowHeight }
    return (0..<lines).reduce(0) { $0 + flexible.heights.height(of: $1) }
  }

  /// The area of the rows, relative to the view's own corner.
  final var body: Rect {
    var area = Rect(layout.rect.size).inset(by: insets)
    let head = min(headHeight, area.height)
    area.y += head
    area.height -= head
    return area
  }

  /// The width of the rows, without the scroll bar. Rows with individual heights always leave space
  /// for the bar; otherwise they would wrap again when it appears.
  final var bodyWidth: Int {
    let width = body.width
    return width - (flexible == nil ? hasBar : width > 2 ? 1 : 0)
  }

  /// The number of entirely visible lines, at least one.
  final var wholeLines: Int {
    guard let flexible else { return max(1, body.height / rowHeight) }
    let room = body.height
    return max(1, flexible.spans.count { $0.lowerBound >= 0 && $0.upperBound <= room })
  }

  /// The last entirely visible row.
  package final var lastRow: Int {
    guard let flexible else { return min(count, firstRow + wholeLines * perLine) - 1 }
    let room = body.height
    let whole = flexible.spans.lastIndex { $0.upperBound <= room } ?? 0
    return min(count, (flexible.window.first + whole + 1) * perLine) - 1
  }

  /// The visible lines, including partly visible ones.
  final var linesInSight: Range<Int> {
    if let flexible { return flexible.window.lines }
    let first = firstRow / perLine
    return first..<max(first, min(lineCount, first + body.height / rowHeight + 1))
  }

  // MARK: Positions

  /// The area of a row's cell, relative to the view's own corner. It may begin above the body.
  final func area(ofRow row: Int) -> Rect {
    let columns = columns(ofRow: row)
    let lines = span(ofRow: row)
    return Rect(
      x: body.x + columns.lowerBound, y: lines.lowerBound, width: columns.count,
      height: lines.count)
  }

  /// The screen lines of a row, relative to the view's own corner.
  final func span(ofRow row: Int) -> Range<Int> {
    let body = body
    if let flexible {
      guard let span = flexible.span(ofLine: row / perLine) else { return body.maxY..<body.maxY }
      return body.y + span.lowerBound..<body.y + span.upperBound
    }
    let y = body.y + (row - firstRow) / perLine * rowHeight
    return y..<y + rowHeight
  }

  /// The line of rows at a screen line within the body, or the nearest one.
  final func line(atY y: Int) -> Int {
    let y = max(0, min(y - body.y, body.height - 1))
    guard let flexible else { return firstRow / perLine + y / rowHeight }
    let index = flexible.spans.firstIndex { $0.contains(y) } ?? flexible.spans.count - 1
    return flexible.window.first + max(0, index)
  }

  // MARK: The scroll bar

  /// The total length to scroll through.
  final var extent: Int { flexible?.heights.height ?? lineCount }

  /// The length of the visible part.
  final var page: Int { flexible == nil ? wholeLines : max(1, body.height) }

  /// The length above the visible part.
  final var offset: Int {
    guard let flexible else { return firstRow / perLine }
    let start = flexible.heights.start(of: firstRow / perLine)
    return start + flexible.window.skipped + flexible.travel
  }

  final var overflows: Bool { extent > page }

  private var hasBar: Int { body.width > 2 && lineCount > wholeLines ? 1 : 0 }

  final var bar: ScrollBar {
    let body = body
    return ScrollBar(
      axis: .vertical, origin: Point(x: body.maxX - 1, y: body.y),
      length: body.width > 2 ? body.height : 0, total: extent, shown: page, offset: offset)
  }

  // MARK: Scrolling

  /// Scrolls by lines of rows, or by screen lines if rows have individual heights. The selection
  /// does not change.
  public final func scroll(by rows: Int) {
    let limit = extent
    scrollStep(max(-limit, min(rows, limit)))
  }

  final func scrollStep(_ step: Int) {
    guard flexible != nil else { return scroll(toOffset: offset + step) }
    beginScroll()
    if step < 0, overflows { noteSight(isAtEnd: false) }
    let (above, below) = (offset, extent - page - offset)
    // Scrolling that turns back starts at the end that was reached.
    if step > 0, above < 0 { flexible?.travel -= above }
    if step < 0, below < 0 { flexible?.travel += below }
    flexible?.travel += step
  }

  final func scroll(toOffset wanted: Int) {
    followEdits()
    let last = extent - page
    let wanted = max(0, min(wanted, last))
    if flexible != nil { return scrollFlexibly(to: wanted, isEnd: wanted >= last) }
    revealsSelection = false
    noteSight(isAtEnd: wanted >= last)
    if wanted * perLine == firstRow { return }
    firstRow = wanted * perLine
    scene?.layout.needsArrange(self)
    setNeedsDraw()
  }

  /// Scrolls by the smallest distance that makes a row visible; rows count from 0.
  public final func scroll(toRow row: Int) {
    followEdits()
    let row = max(0, min(row, count - 1))
    seek(row)
    if flexible != nil {
      beginScroll()
      flexible?.goal = .row(row)
      return
    }
    let line = row / perLine
    if line < offset { scroll(toOffset: line) }
    if line >= offset + wholeLines { scroll(toOffset: line - wholeLines + 1) }
  }

  /// Requests that renderers show a row, even if it is already visible in the terminal's layout.
  final func seek(_ row: Int?, isSelection: Bool = false) {
    guard let row, scene?.cycle.notesProperties == true else { return }
    // An explicit scroll takes precedence over that of the selection.
    if isSelection, soughtRow != nil { return }
    soughtRow = SoughtRow(row: row, isSelection: isSelection)
    setNeedsDraw()
  }

  /// Returns and clears the row to scroll to; nil if there is none.
  package final func takeSoughtRow() -> SoughtRow? {
    defer { soughtRow = nil }
    return soughtRow.flatMap { $0.row < count ? $0 : nil }
  }

  /// Starts following the end when the user scrolls to it, and stops when the user scrolls away.
  final func noteSight(isAtEnd: Bool) {
    if flag(.followsEnd) == isAtEnd || isAtEnd && !hasLeftEnd { return }
    hasLeftEnd = !isAtEnd
    put(.followsEnd, .boolean(isAtEnd))
  }

  /// Keeps the visible rows in place during edits.
  final func moveSight(_ edits: [RowEdit]) {
    if firstRow > 0 || flexible.map({ $0.window.skipped > 0 }) == true {
      for edit in edits {
        if edit.index(of: firstRow) == nil { flexible?.window.skipped = 0 }
        firstRow = edit.nearestIndex(of: firstRow)
      }
    }
    let lines = lineCount
    flexible?.follow(edits, count: lines)
    lastSight.hasMoved = true
    setNeedsLayout()
    // The edit in a row continues there after it has moved.
    if pool.focused != nil { revealsSelection = true }
  }
}

/// The visible part after the last layout.
struct RowSight {
  /// The size of the area of rows.
  var size = Size.zero
  /// Whether the selected row was entirely visible.
  var hasSelection = false
  /// Whether rows have been inserted, removed or moved since then.
  var hasMoved = false
}
