import TideBindings

extension TextAreaView {
  /// The area of the text, including the scroll bar's column.
  var textArea: Rect { parts(of: content, textHeight: .max).text }

  /// The width for text. The last column is reserved for the scroll bar, or for the caret after a
  /// full row.
  var textWidth: Int { max(1, textArea.width - 1) }

  /// Updates the rows for the current text and width.
  func followRows() {
    let width = flag(.wrap) ? textWidth : nil
    let change = editor.takeChange()
    if rows.width != width || rows.isSecret != editor.isSecret {
      rows = TextRows(width: width, isSecret: editor.isSecret)
      if width != nil { left = 0 }
    } else if let change {
      rows.follow(change, in: editor.buffer)
    }
    top = editor.buffer.aligned(min(top, editor.end))
  }

  /// The column of an offset in its row.
  func column(of offset: Int) -> Int {
    let row = rows.row(at: offset, in: editor.buffer)
    var mark = rows.mark(of: row, offset: offset, in: editor.buffer)
    while mark.offset < offset {
      let step = rows.step(mark.offset, mark.column, editor.buffer)
      mark = TextRows.Mark(offset: step.next, column: mark.column + step.width)
    }
    return mark.column
  }

  /// The offset at a column of a row, or the last offset in the row.
  func offset(inRow row: TextRows.RowIndex, column: Int) -> Int {
    let end = endOfRow(row)
    var mark = rows.mark(of: row, column: column, in: editor.buffer)
    while mark.offset < end {
      let step = rows.step(mark.offset, mark.column, editor.buffer)
      if mark.column + max(1, step.width) > column { break }
      mark = TextRows.Mark(offset: step.next, column: mark.column + step.width)
    }
    return mark.offset
  }

  // MARK: Scrolling

  /// Scrolls by rows, but not past the last page; false if nothing moves.
  func scroll(by count: Int) -> Bool {
    let old = rows.row(at: top, in: editor.buffer)
    var new = rows.row(old, movedBy: count, in: editor.buffer)
    if count > 0 {
      let last = lastTop
      if (new.line, new.row) > (last.line, last.row) { new = last }
      // The position may be below the last page after text was removed.
      if (new.line, new.row) < (old.line, old.row) { return false }
    }
    if new == old { return false }
    top = rows.range(new, in: editor.buffer).lowerBound
    showsCaret = false
    setNeedsDraw()
    return true
  }

  /// Scrolls by columns up to the end of the longest visible row; false if nothing moves or lines
  /// wrap.
  func scrollSideways(by columns: Int) -> Bool {
    if rows.width != nil { return false }
    var widest = 0
    var row = rows.row(at: top, in: editor.buffer)
    for _ in 0..<textArea.height {
      widest = max(widest, column(of: rows.range(row, in: editor.buffer).upperBound))
      let next = rows.row(row, movedBy: 1, in: editor.buffer)
      if next == row { break }
      row = next
    }
    let most = max(left, widest - textWidth + 1)
    let new = max(0, min(left + max(-1000, min(columns, 1000)), most))
    if new == left { return false }
    left = new
    showsCaret = false
    setNeedsDraw()
    return true
  }

  /// Scrolls back if there is empty space below the end, because the text became shorter or the
  /// area higher.
  func scrollBackToEnd(height: Int) {
    if top == 0 { return }
    let first = rows.row(at: top, in: editor.buffer)
    let last = rows.row(first, movedBy: height - 1, in: editor.buffer)
    let page = rows.row(last, movedBy: 1 - height, in: editor.buffer)
    if (page.line, page.row) < (first.line, first.row) {
      top = rows.range(page, in: editor.buffer).lowerBound
    }
  }

  func scrollToEnd() -> Bool {
    let new = rows.range(lastTop, in: editor.buffer).lowerBound
    if new <= top { return false }
    top = new
    setNeedsDraw()
    return true
  }

  func scrollToBeginning() -> Bool {
    if top == 0 { return false }
    top = 0
    setNeedsDraw()
    return true
  }

  /// The top row that puts the last row at the bottom.
  private var lastTop: TextRows.RowIndex {
    let last = rows.row(at: editor.end, in: editor.buffer)
    return rows.row(last, movedBy: 1 - max(1, textArea.height), in: editor.buffer)
  }

  /// Scrolls by the smallest distance that makes the caret visible.
  func scrollToCaret() {
    let area = textArea
    if area.isEmpty { return }
    let caretRow = rows.row(at: editor.caret, in: editor.buffer)
    let topRow = rows.row(at: top, in: editor.buffer)
    let least = rows.row(caretRow, movedBy: 1 - area.height, in: editor.buffer)
    if (caretRow.line, caretRow.row) < (topRow.line, topRow.row) {
      top = rows.range(caretRow, in: editor.buffer).lowerBound
    } else if (least.line, least.row) > (topRow.line, topRow.row) {
      top = rows.range(least, in: editor.buffer).lowerBound
    }
    if rows.width != nil { return }
    let column = column(of: editor.caret)
    let context = editor.caret == pointedCaret ? 0 : min(4, textWidth / 4)
    if column - context < left { left = max(0, column - context) }
    // After the end of a line there are no characters to show beside the caret.
    let isAtEnd = editor.caret == editor.buffer.range(ofLine: caretRow.line).upperBound
    let last = column + (isAtEnd ? 0 : context)
    if last >= left + textWidth { left = last - textWidth + 1 }
  }

  /// Dragging beyond an edge scrolls by the distance from the edge.
  func scrollTowards(_ point: Point) {
    let area = textArea
    if area.isEmpty || pressedRange == nil { return }
    if point.y < area.y { _ = scroll(by: point.y - area.y) }
    if point.y >= area.maxY { _ = scroll(by: point.y - area.maxY + 1) }
  }

  // MARK: The scroll bar

  /// Measured in bytes, because counting rows would require wrapping the whole text.
  func bar(in area: Rect) -> ScrollBar {
    var bar = ScrollBar(
      axis: .vertical, origin: Point(x: area.maxX - 1, y: area.y), length: area.height, total: 0,
      shown: 0, offset: 0)
    if area.width < 2 || area.isEmpty { return bar }
    let first = rows.row(at: top, in: editor.buffer)
    let last = rows.row(first, movedBy: area.height - 1, in: editor.buffer)
    let end = rows.range(last, in: editor.buffer).upperBound
    if top == 0 && end == editor.end { return bar }
    bar.total = editor.end
    bar.shown = min(editor.end - 1, max(1, end - top))
    bar.offset = top
    return bar
  }

  func pressBar(at point: Point) {
    let bar = bar(in: textArea)
    barGrip = bar.grip(at: point)
    if barGrip == nil {
      _ = scroll(by: bar.offset(pressedAt: point) < bar.offset ? -pageHeight : pageHeight)
    }
  }

  func dragBar(to point: Point, grip: Int) {
    let bar = bar(in: textArea)
    let dragged = bar.offset(draggedTo: point, grip: grip)
    let last = rows.range(lastTop, in: editor.buffer).lowerBound
    let offset =
      dragged >= bar.lastOffset ? last : min(editor.buffer.aligned(dragged), last)
    top = rows.range(rows.row(at: offset, in: editor.buffer), in: editor.buffer).lowerBound
    showsCaret = false
    setNeedsDraw()
  }
}
