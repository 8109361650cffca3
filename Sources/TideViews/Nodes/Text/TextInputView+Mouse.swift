extension TextInputView {
  /// A click places the caret; with Shift it extends the selection. A double click selects a word,
  /// and a triple click selects everything, or a line of a text area. Dragging extends the
  /// selection by the same unit.
  func handlePointer(_ mouse: MouseEvent) -> Bool {
    followText()
    switch mouse.kind {
    case .press(.left):
      press(at: offset(at: mouse.position), mouse)
      return true
    case .drag(.left):
      guard let pressedRange else { return false }
      let range = range(at: offset(at: mouse.position))
      if range.lowerBound < pressedRange.lowerBound {
        select(from: pressedRange.upperBound, to: range.lowerBound)
      } else {
        select(from: pressedRange.lowerBound, to: max(pressedRange.upperBound, range.upperBound))
      }
      return true
    case .release(.left):
      pressedRange = nil
      return true
    default: return false
    }
  }

  private func press(at offset: Int, _ mouse: MouseEvent) {
    if mouse.modifiers.contains(.shift) {
      pressedRange = editor.anchor..<editor.anchor
      moveCaret(to: offset, selecting: true)
      pointedCaret = editor.caret
      return
    }
    // A fourth click counts as a single click again.
    clicks = (max(1, mouse.clicks) - 1) % 3 + 1
    let range = range(at: offset)
    pressedRange = range
    select(from: range.lowerBound, to: range.upperBound)
    pointedCaret = editor.caret
  }

  private func range(at offset: Int) -> Range<Int> {
    switch clicks {
    case 1: offset..<offset
    case 2: editor.word(at: offset)
    default: largeRange(at: offset)
    }
  }

  private func select(from anchor: Int, to caret: Int) {
    editor.move(to: anchor)
    moveCaret(to: caret, selecting: true)
  }
}
