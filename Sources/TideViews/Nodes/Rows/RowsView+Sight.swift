import TideBindings
import TideGraph

// Which rows are in sight. Positions on the scroll bar are in lines of rows, or in cells where rows
// have heights of their own.
extension RowsView {
  // MARK: Measures

  /// The cells in sight, in order of their rows.
  final var cells: [CellView] { pool.shown }

  final var count: Int { content?.count ?? 0 }

  final var lineCount: Int { (count + perLine - 1) / perLine }

  /// The row that shows that the view has the focus, while no selected one does.
  final var rowWithFocus: Int? {
    guard flag(.focused), mode != .none else { return nil }
    guard let selection else { return firstRow }
    return isSelected(selection) ? nil : selection
  }

  /// How high rows are that all have one height.
  final var rowHeight: Int {
    max(1, BoxStyle.cells(peek(.rowHeight, as: Double?.self)) ?? pool.foundSize?.height ?? 1)
  }

  /// How high some lines at the beginning are, as far as is known.
  final func height(ofFirst lines: Int) -> Int {
    guard let flexible else { return lines * rowHeight }
    return (0..<lines).reduce(0) { $0 + flexible.heights.height(of: $1) }
  }

  /// The area of the rows, from the view's own corner.
  final var body: Rect {
    var area = Rect(layout.rect.size).inset(by: insets)
    let head = min(headHeight, area.height)
    area.y += head
    area.height -= head
    return area
  }

  /// How wide the rows are: the scroll bar takes a column where there is one. Rows with heights of
  /// their own leave that column free in any case, or they would wrap anew when the bar appears.
  final var bodyWidth: Int {
    let width = body.width
    return width - (flexible == nil ? hasBar : width > 2 ? 1 : 0)
  }

  /// How many whole lines of rows are in sight, but at least one.
  final var wholeLines: Int {
    guard let flexible else { return max(1, body.height / rowHeight) }
    let room = body.height
    return max(1, flexible.spans.count { $0.lowerBound >= 0 && $0.upperBound <= room })
  }

  /// The last row that is wholly in sight.
  package final var lastRow: Int {
    guard let flexible else { return min(count, firstRow + wholeLines * perLine) - 1 }
    let room = body.height
    let whole = flexible.spans.lastIndex { $0.upperBound <= room } ?? 0
    return min(count, (flexible.window.first + whole + 1) * perLine) - 1
  }

  /// The lines in sight, also those that are only partly so.
  final var linesInSight: Range<Int> {
    if let flexible { return flexible.window.lines }
    let first = firstRow / perLine
    return first..<max(first, min(lineCount, first + body.height / rowHeight + 1))
  }

  // MARK: Places

  /// Where a cell stands, from the view's own corner. It may begin above the body.
  final func area(ofRow row: Int) -> Rect {
    let columns = columns(ofRow: row)
    let lines = span(ofRow: row)
    return Rect(
      x: body.x + columns.lowerBound, y: lines.lowerBound, width: columns.count,
      height: lines.count)
  }

  /// The lines of the screen at which a row stands, from the view's own corner.
  final func span(ofRow row: Int) -> Range<Int> {
    let body = body
    if let flexible {
      guard let span = flexible.span(ofLine: row / perLine) else { return body.maxY..<body.maxY }
      return body.y + span.lowerBound..<body.y + span.upperBound
    }
    let y = body.y + (row - firstRow) / perLine * rowHeight
    return y..<y + rowHeight
  }

  /// The line of rows that is at a line of the screen within the body, or the nearest one.
  final func line(atY y: Int) -> Int {
    let y = max(0, min(y - body.y, body.height - 1))
    guard let flexible else { return firstRow / perLine + y / rowHeight }
    let index = flexible.spans.firstIndex { $0.contains(y) } ?? flexible.spans.count - 1
    return flexible.window.first + max(0, index)
  }

  // MARK: The scroll bar

  /// How much there is to scroll through.
  final var extent: Int { flexible?.heights.height ?? lineCount }

  /// How much of it is in sight.
  final var page: Int { flexible == nil ? wholeLines : max(1, body.height) }

  /// How much is above the sight.
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

  /// Moves the rows in sight, without changing the selection: by so many lines of rows, or lines of
  /// the screen where rows have heights of their own.
  public final func scroll(by rows: Int) {
    let limit = extent
    scrollStep(max(-limit, min(rows, limit)))
  }

  final func scrollStep(_ step: Int) {
    guard flexible != nil else { return scroll(toOffset: offset + step) }
    beginScroll()
    if step < 0, overflows { noteSight(isAtEnd: false) }
    let (above, below) = (offset, extent - page - offset)
    // Whoever turns round begins at the end that was reached.
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

  /// Scrolls as little as it takes to show a row, from 0.
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

  /// Requests that renderers show a row, even if it is already in sight in the terminal's layout.
  final func seek(_ row: Int?, isSelection: Bool = false) {
    guard let row, scene?.cycle.notesProperties == true else { return }
    // Whoever scrolls after selecting means that.
    if isSelection, soughtRow != nil { return }
    soughtRow = SoughtRow(row: row, isSelection: isSelection)
    setNeedsDraw()
  }

  /// The row that has to be scrolled into sight; nil where none has since it was asked last.
  package final func takeSoughtRow() -> SoughtRow? {
    defer { soughtRow = nil }
    return soughtRow.flatMap { $0.row < count ? $0 : nil }
  }

  /// Follows the end as long as a person does not look at something else.
  final func noteSight(isAtEnd: Bool) {
    if flag(.followsEnd) == isAtEnd || isAtEnd && !hasLeftEnd { return }
    hasLeftEnd = !isAtEnd
    put(.followsEnd, .boolean(isAtEnd))
  }

  /// Keeps the rows in sight where they are.
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
    // Typing in a row continues in that row after it has moved.
    if pool.focused != nil { revealsSelection = true }
  }
}

/// What a view of rows had in sight after its last layout.
struct RowSight {
  /// The size of the room for rows.
  var size = Size.zero
  /// Whether the selected row was wholly in sight.
  var hasSelection = false
  /// Whether rows have been inserted, removed or moved since.
  var hasMoved = false
}
