import TideBindings

/// A line of text that the user edits.
///
/// ```swift
/// let field = FieldView("apple")
/// field[.placeholder] = "a fruit"
/// field[.maxLength] = 20
/// ```
///
/// Keys, mouse and events are those of `TextInputView`. Enter sends `editingDidEndOnExit` and then
/// `editingDidEnd`, and keeps the focus; in a form it then submits the form, unless a handler
/// handles the first event. Text longer than the field scrolls, with a few characters beside the
/// caret visible. Line ends and tabs in inserted text become spaces. A message in `error` is shown
/// below the text, or beside it if the field has only one row.
public class FieldView: TextInputView {
  /// The offset of the first visible character.
  private var firstShown = 0

  /// Makes a field with a text.
  public convenience init(_ text: String = "") {
    self.init(viewClass: .field)
    self.text = text
  }

  /// 20 by 1 cells; 2 rows while an error shows below the text.
  package override func naturalSize() -> Size {
    Size(width: 20, height: shownError == nil ? 1 : 2)
  }

  package override func focusChanged(_ isFocused: Bool) {
    if !isFocused { firstShown = 0 }
    super.focusChanged(isFocused)
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    if let old = old as? FieldView { firstShown = old.firstShown }
  }

  package override func handle(_ key: Key) -> Bool {
    guard key == Key(.enter) else { return super.handle(key) }
    guard flag(.editable) else { return false }
    followText()
    isEditing = true
    let isTaken = send(.editingDidEndOnExit, key: key)
    endEditing()
    // As Enter presses the default button of a dialog.
    if !isTaken { form?.submit() }
    return true
  }

  package override func handle(_ mouse: MouseEvent) -> Bool { handlePointer(mouse) }

  // MARK: Drawing

  var textArea: Rect { parts(of: content, textHeight: 1).text }

  package override func draw(in canvas: Canvas) {
    followText()
    let parts = parts(of: canvas.content, textHeight: 1)
    let area = parts.text
    if area.isEmpty { return }
    let style = canvas.style.with(.underline)
    for x in area.x..<area.maxX { canvas.put(" ", x: x, y: area.y, style: style) }
    drawMessage(in: parts.message, canvas)
    if editor.isEmpty {
      let placeholder = TextLines.truncated(
        hintOfEmpty, width: area.width, ellipsis: canvas.symbols.ellipsis)
      canvas.write(placeholder, x: area.x, y: area.y, style: style.hint, within: area)
      return
    }
    if flag(.focused) { scrollToCaret(width: area.width) } else { firstShown = 0 }
    var x = area.x
    var offset = firstShown
    while offset < editor.end && x < area.maxX {
      let character = editor.buffer.character(at: offset)
      x = canvas.write(
        String(shown(character, canvas.symbols)), x: x, y: area.y,
        style: self.style(at: offset, style), within: area)
      offset = editor.buffer.next(offset)
    }
  }

  /// Scrolls by the smallest distance that makes the caret and a few characters beside it visible.
  /// No space stays empty after the end of the text that text could fill.
  private func scrollToCaret(width: Int) {
    let context = editor.caret == pointedCaret ? 0 : min(4, width / 4)
    let before = offset(from: editor.caret, back: context)
    let ahead = max(1, cells(from: editor.caret, atMost: context + 1))
    let least = offset(from: editor.caret, back: max(0, width - min(width, ahead)))
    let most = offset(from: editor.end, back: max(0, width - 1))
    firstShown = min(editor.buffer.aligned(firstShown), before)
    firstShown = min(max(firstShown, least), max(least, most))
  }

  /// The offset of the characters before `start` that fit into a number of cells.
  private func offset(from start: Int, back cells: Int) -> Int {
    var offset = start
    var used = 0
    while offset > 0 {
      let previous = editor.buffer.previous(offset)
      used += width(of: editor.buffer.character(at: previous))
      if used > cells { break }
      offset = previous
    }
    return offset
  }

  /// The width of the characters after an offset, at most `limit` cells.
  private func cells(from start: Int, atMost limit: Int) -> Int {
    var offset = start
    var used = 0
    while offset < editor.end && used < limit {
      used += width(of: editor.buffer.character(at: offset))
      offset = editor.buffer.next(offset)
    }
    return min(used, limit)
  }

  /// The position of the next character; nil while the field is not editable.
  package override var caret: Point? {
    guard flag(.editable) else { return nil }
    let area = textArea
    var x = 0
    var offset = firstShown
    // A field narrower than the text shows the caret in its last cell.
    let last = max(0, area.width - 1)
    while offset < editor.caret && x < last {
      x += width(of: editor.buffer.character(at: offset))
      offset = editor.buffer.next(offset)
    }
    return Point(x: area.x + min(x, last), y: area.y)
  }

  override func offset(at point: Point) -> Int {
    let area = textArea
    if point.x < area.x { return offset(from: firstShown, back: area.x - point.x) }
    var x = area.x
    var offset = firstShown
    while offset < editor.end {
      x += width(of: editor.buffer.character(at: offset))
      if point.x < x { break }
      offset = editor.buffer.next(offset)
    }
    return offset
  }
}
