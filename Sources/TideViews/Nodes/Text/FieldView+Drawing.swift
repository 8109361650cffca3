extension FieldView {
  func drawText(in canvas: Canvas) {
    followText()
    let area = canvas.content
    if area.isEmpty { return }
    let width = area.width
    let style = canvas.style.with(.underline)
    for x in 0..<width { canvas.put(" ", x: area.x + x, y: area.y, style: style) }
    let isFocused = flag(.focused)
    if editor.characters.isEmpty {
      let placeholder = TextLines.truncated(
        text(.placeholder), width: width, ellipsis: canvas.symbols.ellipsis)
      canvas.write(placeholder, x: area.x, y: area.y, style: style.hint, within: area)
    } else {
      if isFocused { scrollToCaret(width: width) } else { firstShown = 0 }
      var x = area.x
      for character in editor.characters[firstShown...] where x < area.x + width {
        x = canvas.write(
          String(shown(character, canvas.symbols)), x: x, y: area.y, style: style, within: area)
      }
    }
    if area.height > 1, let message = shownError {
      let shown = TextLines.truncated(message, width: width, ellipsis: canvas.symbols.ellipsis)
      canvas.write(shown, x: area.x, y: area.y + 1, within: area)
    }
  }

  private func shown(_ character: Character, _ symbols: Symbols) -> Character {
    flag(.secure) ? symbols.bullet : character
  }

  private func width(of character: Character) -> Int {
    flag(.secure) ? 1 : CharacterWidth.of(character)
  }

  /// Scrolls so that the caret stands within the width, with the text before it where it fits.
  private func scrollToCaret(width: Int) {
    firstShown = min(firstShown, editor.caret)
    // The caret takes a cell of its own behind the text.
    var used = 1
    var first = editor.caret
    while first > 0 {
      let next = used + self.width(of: editor.characters[first - 1])
      if next > width { break }
      used = next
      first -= 1
    }
    firstShown = max(firstShown, first)
    if isEntirelyShown(width) { firstShown = 0 }
  }

  private func isEntirelyShown(_ width: Int) -> Bool {
    if editor.characters.count >= width { return false }
    return editor.characters.reduce(0) { $0 + self.width(of: $1) } < width
  }

  var caretPlace: Point? {
    let insets = insets
    guard flag(.editable), firstShown <= editor.caret else { return nil }
    let before = editor.characters[firstShown..<editor.caret].reduce(0) { $0 + width(of: $1) }
    // A field narrower than its caret still shows where it is.
    let last = layout.place.width - insets.horizontal - 1
    return Point(x: insets.left + min(before, max(0, last)), y: insets.top)
  }

  /// Puts the caret before the character at a column, or at the end.
  func moveCaret(toColumn column: Int) {
    followText()
    var x = insets.left
    var place = firstShown
    while place < editor.characters.count {
      let own = width(of: editor.characters[place])
      if column < x + max(1, own) { break }
      x += own
      place += 1
    }
    caretIndex = place
  }
}
