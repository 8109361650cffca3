import TideBindings

extension TextInputView {
  /// The areas of the text and of the error message inside the padding.
  struct Parts {
    var text: Rect
    var message: Rect?
  }

  var shownError: String? {
    let message = peek(.error, as: String?.self)
    return message == "" ? nil : message
  }

  /// The message has the row below the text, or stands beside the text if there is only one row. If
  /// that leaves too little space to type, an exclamation mark replaces the message.
  func parts(of area: Rect, textHeight: Int) -> Parts {
    let whole = area
    var area = area
    area.width = max(0, area.width - reservedWidth(in: area.width))
    guard let message = shownError, !area.isEmpty else { return Parts(text: area) }
    if area.height > 1 {
      let height = min(area.height - 1, textHeight)
      return Parts(
        text: Rect(x: area.x, y: area.y, width: area.width, height: height),
        message: Rect(x: area.x, y: area.y + height, width: whole.width, height: 1))
    }
    let room = area.width - Self.leastTextWidth - 1
    let width = room < Self.leastMessageWidth ? 1 : min(CharacterWidth.of(message), room)
    if area.width < 3 { return Parts(text: area) }
    return Parts(
      text: Rect(x: area.x, y: area.y, width: area.width - width - 1, height: 1),
      message: Rect(x: area.maxX - width, y: area.y, width: width, height: 1))
  }

  private static let leastTextWidth = 20
  private static let leastMessageWidth = 8

  /// The area inside the padding, relative to the view's own top left corner.
  var content: Rect { Rect(layout.rect.size).inset(by: insets) }

  func drawMessage(in area: Rect?, _ canvas: Canvas) {
    guard let area, let message = shownError else { return }
    let line = area.width == 1 ? "!" : TextLines.split(message, limit: 1).first ?? ""
    let shown = TextLines.truncated(
      line, width: area.width, ellipsis: canvas.symbols.ellipsis)
    canvas.write(shown, x: area.x, y: area.y, within: area)
  }

  /// The character drawn for a character of the text.
  func shown(_ character: Character, _ symbols: Symbols) -> Character {
    if editor.isSecret { return symbols.bullet }
    return character.isNewline || character == "\t" ? " " : character
  }

  func width(of character: Character) -> Int {
    if editor.isSecret || character.isNewline { return 1 }
    return CharacterWidth.of(character)
  }

  /// The style of a character of the text; the selection is visible while the view has the focus.
  func style(at offset: Int, _ style: CellStyle) -> CellStyle {
    isShowingSelection && editor.selection.contains(offset) ? style.chosen : style
  }

  var isShowingSelection: Bool { flag(.focused) && editor.hasSelection }
}
