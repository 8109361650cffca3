import TideBindings

extension TextInputView {
  /// Handles select all, the clipboard, undo and redo.
  func handleCommand(_ key: Key) -> Bool {
    switch key {
    case Key("a", modifiers: .control):
      editor.selectAll()
      caretMoved()
      return true
    case Key("c", modifiers: .control), Key(.insert, modifiers: .control): return copySelection()
    case Key("x", modifiers: .control), Key(.delete, modifiers: .shift): return cutSelection()
    case Key("v", modifiers: .control), Key(.insert, modifiers: .shift):
      guard let scene else { return false }
      return handlePaste(scene.clipboard.text)
    case Key(.escape): return giveUpDraft()
    case Key("z", modifiers: .control): return undo()
    case Key("y", modifiers: .control), Key("z", modifiers: .alt),
      Key("z", modifiers: [.control, .shift]):
      return redo()
    default: return false
    }
  }

  /// Discards an entry that was refused or is not committed yet; the field shows the model's value.
  private func giveUpDraft() -> Bool {
    guard holdsDraft else { return false }
    discardEntry()
    return true
  }

  /// Secret text is not copied, but the key counts as handled, since it would quit the app
  /// otherwise.
  private func copySelection() -> Bool {
    if !editor.hasSelection { return false }
    if !editor.isSecret { scene?.clipboard.copy(editor.selectedText) }
    return true
  }

  private func cutSelection() -> Bool {
    guard flag(.editable), copySelection() else { return false }
    if !editor.isSecret { edit { $0.deleteSelection() } }
    return true
  }

  func handleMove(_ key: Key) -> Bool {
    let selects = key.modifiers.contains(.shift)
    let plain = Key(key.code, modifiers: key.modifiers.subtracting(.shift))
    if case .character = key.code, selects { return false }
    if !selects && editor.hasSelection {
      // Without Shift, the arrows move to the ends of the selection.
      if plain == Key(.left) { return moved(to: editor.selection.lowerBound) }
      if plain == Key(.right) { return moved(to: editor.selection.upperBound) }
    }
    guard let offset = offset(movedBy: plain) else { return false }
    return moved(to: offset, selecting: selects)
  }

  private func moved(to offset: Int, selecting: Bool = false) -> Bool {
    moveCaret(to: offset, selecting: selecting)
    return true
  }

  func offset(inTextMovedBy key: Key) -> Int? {
    switch key {
    case Key(.left): editor.buffer.previous(editor.caret)
    case Key(.right): editor.buffer.next(editor.caret)
    case Key(.home): lineOfCaret.lowerBound
    case Key(.end), Key("e", modifiers: .control): lineOfCaret.upperBound
    case Key(.left, modifiers: .control), Key(.left, modifiers: .alt), Key("b", modifiers: .alt):
      editor.previousWord
    case Key(.right, modifiers: .control), Key(.right, modifiers: .alt), Key("f", modifiers: .alt):
      editor.nextWord
    default: nil
    }
  }

  /// The line of the caret; a field has only one line.
  private var lineOfCaret: Range<Int> {
    if !editor.isMultiline { return 0..<editor.end }
    return editor.buffer.range(ofLine: editor.buffer.line(at: editor.caret))
  }

  func handleEdit(_ key: Key) -> Bool {
    guard flag(.editable) else { return false }
    if let offset = offset(deletedTo: key) {
      edit { $0.delete(to: offset) }
      return true
    }
    guard let character = key.text else { return false }
    edit(entering: String(character)) {
      $0.insert(String(character), limit: limit, isTyped: true)
    }
    return true
  }

  /// The offset that a key deletes to; nil for a key that does not delete.
  private func offset(deletedTo key: Key) -> Int? {
    switch key {
    case Key(.backspace), Key(.backspace, modifiers: .shift): editor.buffer.previous(editor.caret)
    case Key(.delete), Key(.delete, modifiers: .shift): editor.buffer.next(editor.caret)
    case Key(.backspace, modifiers: .control), Key(.backspace, modifiers: .alt),
      Key("w", modifiers: .control):
      editor.previousWord
    case Key(.delete, modifiers: .control), Key(.delete, modifiers: .alt),
      Key("d", modifiers: .alt):
      editor.nextWord
    case Key("u", modifiers: .control): lineOfCaret.lowerBound
    case Key("k", modifiers: .control): endOfCut
    default: nil
    }
  }

  /// At the end of a line, the line end itself is cut.
  private var endOfCut: Int {
    let end = lineOfCaret.upperBound
    return editor.caret == end ? editor.buffer.next(end) : end
  }
}
