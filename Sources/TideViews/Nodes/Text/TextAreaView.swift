import TideBindings
package import TideGraph

/// Text of several lines that the user edits.
///
/// ```swift
/// let notes = TextAreaView("first line\nsecond line")
/// notes[.height] = 10
/// notes[.wrap] = false           // long lines go on to the right instead
/// ```
///
/// Keys, mouse and events are those of `TextInputView`, with these additions:
///
///     Up Down                    by rows, keeping the column
///     PageUp PageDown            by pages
///     Home End                   to the ends of the row, then of the line
///     Ctrl-Home Ctrl-End         to the ends of the text
///     Enter                      a new line
///     Tab                        moves the focus; tabs can only be pasted
///
/// `editingDidEndOnExit` is therefore never sent. The wheel, dragging beyond an edge, and the
/// scroll bar scroll; the bar is shown if the text is longer than the area. If the text is not
/// editable, keys that would move the caret scroll.
///
/// If the model changes the text while it is not being edited, the visible part stays in place, so
/// that a log may grow below it. A text that has nothing in common with the previous one is shown
/// from its beginning.
///
/// If there is no memory for the index of its lines, a text is shown as one line.
///
/// Its size is 20 columns and 4 rows unless `width`, `height` or `grow` are set: an area that grew
/// with its text would move other views during typing.
public final class TextAreaView: TextInputView {
  var rows = TextRows(width: 1)
  /// An offset in the first visible row.
  var top = 0
  /// The first visible column, if lines do not wrap.
  var left = 0
  /// The column that Up and Down keep.
  var goal: Int?
  /// Whether the mouse was pressed on the scroll bar; `barGrip` is the position in the thumb.
  var isOnBar = false
  var barGrip: Int?
  /// The size of the text's area when it was last drawn.
  var shownSize = Size.zero

  /// Makes a text area with a text.
  public convenience init(_ text: String = "") {
    self.init(viewClass: .textArea)
    self.text = text
  }

  override init(viewClass: ViewClass) {
    super.init(viewClass: viewClass)
    editor = TextEditor(isMultiline: true)
  }

  package override func addHeld(to meter: inout MemoryMeter) {
    super.addHeld(to: &meter)
    meter.add(rows.heldBytes)
  }

  override var scrolls: Bool { true }
  override var keepsScrollPosition: Bool { true }

  /// Whether it is as high as its text, which holds in list rows with individual heights.
  private var growsWithText: Bool {
    var view = parent
    while let current = view {
      if let rows = current as? RowsView { return rows.flexible != nil }
      view = current.parent
    }
    return false
  }

  public override var wraps: Bool { flag(.wrap) && growsWithText }

  package override func naturalHeight(forWidth width: Int) -> Int {
    var rows = TextRows(width: max(1, width - 1), isSecret: editor.isSecret)
    let buffer = editor.buffer
    let height = (0..<buffer.lineCount).reduce(0) { $0 + rows.rowCount(ofLine: $1, in: buffer) }
    return height + (shownError == nil ? 0 : 1)
  }

  /// The row of the caret, relative to the top of a cell, in an area that is as high as its text.
  func caretRow(in cell: View) -> Int? {
    guard wraps, isWithin(cell) else { return nil }
    followRows()
    let buffer = editor.buffer
    let caret = rows.row(at: editor.caret, in: buffer)
    let above = (0..<caret.line).reduce(0) { $0 + rows.rowCount(ofLine: $1, in: buffer) }
    return layout.rect.y - cell.layout.rect.y + content.y + above + caret.row
  }

  /// 20 by 4 cells; 5 rows while an error shows below the text.
  package override func naturalSize() -> Size {
    Size(width: 20, height: shownError == nil ? 4 : 5)
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    guard let old = old as? TextAreaView else { return }
    (top, left, goal) = (old.top, old.left, old.goal)
    (isOnBar, barGrip) = (old.isOnBar, old.barGrip)
    showsCaret = old.showsCaret
    shownSize = old.shownSize
  }

  override func largeRange(at offset: Int) -> Range<Int> {
    editor.buffer.range(ofLine: editor.buffer.line(at: offset))
  }

  package override func draw(in canvas: Canvas) { drawText(in: canvas) }
  /// The position of the next character; nil while it is not visible or the text is not editable.
  package override var caret: Point? { caretPoint }

  // MARK: Keys

  package override func handle(_ key: Key) -> Bool {
    followText()
    followRows()
    if key == Key(.enter) {
      guard flag(.editable) else { return false }
      edit(entering: "\n") { $0.insert("\n", limit: limit, isTyped: true) }
      goal = nil
      return true
    }
    if !flag(.editable), let isTaken = scroll(by: key) { return isTaken }
    let goal = wantedColumn(for: key)
    guard super.handle(key) else { return false }
    self.goal = goal
    return true
  }

  /// Scrolls by a key and returns whether anything moved; nil for keys that do not scroll.
  private func scroll(by key: Key) -> Bool? {
    switch key {
    case Key(.up): scroll(by: -1)
    case Key(.down): scroll(by: 1)
    case Key(.pageUp): scroll(by: -pageHeight)
    case Key(.pageDown), Key(.space): scroll(by: pageHeight)
    case Key(.home), Key(.home, modifiers: .control): scrollToBeginning()
    case Key(.end), Key(.end, modifiers: .control): scrollToEnd()
    default: nil
    }
  }

  /// The column that a vertical move keeps; nil for any other key.
  private func wantedColumn(for key: Key) -> Int? {
    switch key.code {
    case .up, .down, .pageUp, .pageDown: goal ?? column(of: editor.caret)
    default: nil
    }
  }

  override func offset(movedBy key: Key) -> Int? {
    switch key {
    case Key(.up): return offset(rowsBelow: -1)
    case Key(.down): return offset(rowsBelow: 1)
    case Key(.pageUp):
      _ = scroll(by: -pageHeight)
      return offset(rowsBelow: -pageHeight)
    case Key(.pageDown):
      _ = scroll(by: pageHeight)
      return offset(rowsBelow: pageHeight)
    case Key(.home, modifiers: .control): return 0
    case Key(.end, modifiers: .control): return editor.end
    case Key(.home):
      let row = rows.range(rows.row(at: editor.caret, in: editor.buffer), in: editor.buffer)
      return editor.caret == row.lowerBound ? super.offset(movedBy: key) : row.lowerBound
    case Key(.end):
      let end = endOfRow(rows.row(at: editor.caret, in: editor.buffer))
      return editor.caret == end ? super.offset(movedBy: key) : end
    default: return super.offset(movedBy: key)
    }
  }

  var pageHeight: Int { max(1, textArea.height - 1) }

  /// Moving up from the first row leads to the beginning, and down from the last row to the end.
  private func offset(rowsBelow count: Int) -> Int {
    let row = rows.row(at: editor.caret, in: editor.buffer)
    let target = rows.row(row, movedBy: count, in: editor.buffer)
    if target == row { return count < 0 ? 0 : editor.end }
    return offset(inRow: target, column: goal ?? column(of: editor.caret))
  }

  /// The last caret offset in a row. In a wrapped row it is before the character at the break.
  func endOfRow(_ row: TextRows.RowIndex) -> Int {
    let range = rows.range(row, in: editor.buffer)
    let isLast = range.upperBound == editor.buffer.range(ofLine: row.line).upperBound
    return isLast ? range.upperBound : editor.buffer.previous(range.upperBound)
  }

  // MARK: Mouse

  package override func handle(_ mouse: MouseEvent) -> Bool {
    followText()
    followRows()
    switch mouse.kind {
    case .scroll(let rows): return scroll(by: rows)
    case .scrollSideways(let columns): return scrollSideways(by: columns)
    case .press(.left) where bar(in: textArea).contains(mouse.position):
      isOnBar = true
      pressBar(at: mouse.position)
      return true
    case .drag(.left) where isOnBar:
      if let barGrip { dragBar(to: mouse.position, grip: barGrip) }
      return true
    case .release(.left) where isOnBar:
      isOnBar = false
      return true
    case .drag(.left):
      goal = nil
      scrollTowards(mouse.position)
      return handlePointer(mouse)
    default:
      goal = nil
      return handlePointer(mouse)
    }
  }

  override func offset(at point: Point) -> Int {
    let area = textArea
    let y = max(0, min(point.y - area.y, area.height - 1))
    let first = rows.row(at: min(top, editor.end), in: editor.buffer)
    let row = rows.row(first, movedBy: y, in: editor.buffer)
    // A point below the last row means the end.
    if y > 0, rows.row(first, movedBy: y - 1, in: editor.buffer) == row { return editor.end }
    return offset(inRow: row, column: max(0, left + point.x - area.x))
  }
}
