import TideBindings

extension TextAreaView {
  func drawText(in canvas: Canvas) {
    followText()
    followRows()
    let parts = parts(of: canvas.content, textHeight: .max)
    let area = parts.text
    if area.isEmpty { return }
    drawMessage(in: parts.message, canvas)
    if editor.isEmpty { return drawPlaceholder(in: area, canvas) }
    let size = area.size
    scrollBackToEnd(height: size.height)
    if showsCaret || (size != shownSize && flag(.focused)) { scrollToCaret() }
    showsCaret = false
    shownSize = size
    var row = rows.row(at: top, in: editor.buffer)
    for y in 0..<area.height {
      draw(row, y: area.y + y, in: area, canvas)
      let next = rows.row(row, movedBy: 1, in: editor.buffer)
      if next == row { break }
      row = next
    }
    bar(in: area).draw(on: canvas)
  }

  private func drawPlaceholder(in area: Rect, _ canvas: Canvas) {
    let lines = TextLines.wrapped(hintOfEmpty, width: textWidth, limit: area.height)
    for (y, line) in lines.enumerated() {
      canvas.write(line, x: area.x, y: area.y + y, style: canvas.style.hint, within: area)
    }
  }

  private func draw(_ row: TextRows.RowIndex, y: Int, in area: Rect, _ canvas: Canvas) {
    let range = rows.range(row, in: editor.buffer)
    var mark = rows.mark(of: row, column: left, in: editor.buffer)
    while mark.offset < range.upperBound && mark.column < left + area.width {
      let step = rows.step(mark.offset, mark.column, editor.buffer)
      let character = shown(editor.buffer.character(at: mark.offset), canvas.symbols)
      let style = style(at: mark.offset, canvas.style)
      let x = area.x + mark.column - left
      let count = character == " " ? step.width : 1
      canvas.write(
        String(repeating: character, count: count), x: x, y: y, style: style, within: area)
      mark = TextRows.Mark(offset: step.next, column: mark.column + step.width)
    }
    // A selected line end is drawn as a selected space.
    if mark.offset == range.upperBound, range.upperBound < editor.end,
      range.upperBound == editor.buffer.range(ofLine: row.line).upperBound, isShowingSelection,
      editor.selection.contains(range.upperBound)
    {
      canvas.write(
        " ", x: area.x + mark.column - left, y: y, style: canvas.style.chosen, within: area)
    }
  }

  var caretPoint: Point? {
    guard flag(.editable) else { return nil }
    let area = textArea
    if area.isEmpty { return nil }
    let caretRow = rows.row(at: editor.caret, in: editor.buffer)
    var row = rows.row(at: top, in: editor.buffer)
    for y in 0..<area.height {
      if row == caretRow {
        let x = column(of: editor.caret) - left
        if x < 0 { return nil }
        return x < area.width || rows.width != nil
          ? Point(x: area.x + min(x, area.width - 1), y: area.y + y) : nil
      }
      let next = rows.row(row, movedBy: 1, in: editor.buffer)
      if next == row { return nil }
      row = next
    }
    return nil
  }
}
