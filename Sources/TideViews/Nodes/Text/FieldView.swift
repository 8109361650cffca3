import TideBindings
import TideGraph

/// A line of text that a person edits.
///
/// `editingDidBegin` comes with the focus, `editingChanged` with each edit, `editingDidEnd` when the
/// focus goes; Enter sends `editingDidEndOnExit` and then `editingDidEnd`, and keeps the focus. A
/// message in `error` is shown below the text.
public final class FieldView: View {
  var editor = TextEditor()
  /// The text that the editor knows; the property may have been written since.
  private var knownText = ""
  /// The first character that shows.
  var firstShown = 0
  var isEditing = false
  /// A person has changed the text.
  private var wasEdited = false

  public convenience init(_ text: String = "") {
    self.init(viewClass: .field)
    self.text = text
  }

  public var text: String {
    get { self[.text] }
    set { self[.text] = newValue }
  }

  /// How many characters stand before the caret.
  public var caretIndex: Int {
    get {
      followText()
      return editor.caret
    }
    set {
      followText()
      editor.moveTo(newValue)
      setNeedsDraw()
    }
  }

  public override func naturalSize() -> Size {
    Size(width: 20, height: shownError == nil ? 1 : 2)
  }

  var shownError: String? {
    let message = peek(.error, as: String?.self)
    return message == "" ? nil : message
  }

  /// Takes over what was written to the property from elsewhere.
  func followText() {
    let text = text(.text)
    if text == knownText { return }
    knownText = text
    editor.setText(text)
    // Nobody edits it: typing goes on at its end.
    if !isEditing { editor.moveTo(.max) }
  }

  public override func draw(in canvas: Canvas) { drawText(in: canvas) }
  public override var caret: Point? { caretPlace }

  // MARK: Focus

  public override func focusChanged(_ isFocused: Bool) {
    followText()
    if isFocused {
      beginEditing()
    } else {
      firstShown = 0
      endEditing()
    }
  }

  private func beginEditing() {
    if isEditing || !flag(.editable) { return }
    isEditing = true
    send(.editingDidBegin)
  }

  private func endEditing() {
    if !isEditing { return }
    isEditing = false
    send(.editingDidEnd)
  }

  override func takeState(of old: View) {
    guard let old = old as? FieldView else { return }
    if old.wasEdited && text(.text).isEmpty { put(.text, .string(old.text(.text))) }
    followText()
    old.followText()
    editor.moveTo(old.editor.caret)
    wasEdited = old.wasEdited
  }

  // MARK: Editing

  public override func handle(_ key: Key) -> Bool {
    followText()
    if key == Key(.enter) {
      guard flag(.editable) else { return false }
      isEditing = true
      send(.editingDidEndOnExit, key: key)
      endEditing()
      return true
    }
    if let place = place(movedBy: key) {
      editor.moveTo(place)
      setNeedsDraw()
      return true
    }
    guard flag(.editable) else { return false }
    if let place = place(deletedTo: key) {
      edit { $0.delete(to: place) }
      return true
    }
    guard let character = key.text else { return false }
    edit { $0.insert(String(character), limit: limit) }
    return true
  }

  public override func handlePaste(_ text: String) -> Bool {
    guard flag(.editable) else { return false }
    followText()
    edit { $0.insert(text, limit: limit) }
    return true
  }

  private var limit: Int? { peek(.maxLength, as: Int?.self).map { max(0, $0) } }

  /// Where a key moves the caret to; nil when it does not.
  private func place(movedBy key: Key) -> Int? {
    switch key {
    case Key(.left): editor.caret - 1
    case Key(.right): editor.caret + 1
    case Key(.home), Key("a", modifiers: .control): 0
    case Key(.end), Key("e", modifiers: .control): editor.characters.count
    case Key(.left, modifiers: .control), Key(.left, modifiers: .alt), Key("b", modifiers: .alt):
      editor.previousWord
    case Key(.right, modifiers: .control), Key(.right, modifiers: .alt), Key("f", modifiers: .alt):
      editor.nextWord
    default: nil
    }
  }

  /// Up to where a key deletes; nil when it does not.
  private func place(deletedTo key: Key) -> Int? {
    switch key {
    case Key(.backspace), Key(.backspace, modifiers: .shift): editor.caret - 1
    case Key(.delete): editor.caret + 1
    case Key(.backspace, modifiers: .control), Key(.backspace, modifiers: .alt),
      Key("w", modifiers: .control):
      editor.previousWord
    case Key(.delete, modifiers: .control), Key(.delete, modifiers: .alt),
      Key("d", modifiers: .alt):
      editor.nextWord
    case Key("u", modifiers: .control): 0
    case Key("k", modifiers: .control): editor.characters.count
    default: nil
    }
  }

  private func edit(_ change: (inout TextEditor) -> Bool) {
    beginEditing()
    guard change(&editor) else { return }
    knownText = editor.text
    wasEdited = true
    setNeedsDraw()
    put(.text, .string(knownText))
    send(.editingChanged, value: .string(knownText))
  }

  public override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left), .drag(.left):
      moveCaret(toColumn: mouse.position.x)
      return true
    case .release(.left): return true
    default: return false
    }
  }
}
