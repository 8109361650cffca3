import TideBindings
package import TideGraph

/// The base class of fields and text areas: a text that the user edits.
///
/// ```swift
/// let field = FieldView("apple")
/// try field.on(.editingChanged) { _, event in print(event.value) }
/// field.undo()
/// ```
///
/// `editingDidBegin` is sent when the view gets the focus, `editingChanged` for each edit, and
/// `editingDidEnd` when it loses the focus. Each edit writes the property `text`, which a two-way
/// binding transfers to the model, and then reads it back, so the view always shows the property's
/// value. A text that the model refuses stays, with the message in `error`, until it is corrected.
///
/// Keys; with Shift, moves select:
///
///     Left Right, Ctrl-Left Ctrl-Right     by characters, by words
///     Home End                             to the ends of the line
///     Backspace Delete, with Ctrl          a character, a word
///     Ctrl-W Ctrl-U Ctrl-K                 delete a word, to the beginning, to the end of the line
///     Ctrl-A                               selects everything, as on desktops (readline's is Home)
///     Ctrl-C Ctrl-X Ctrl-V                 copy, cut, paste; also Ctrl-Insert, Shift-Delete,
///                                          Shift-Insert
///     Ctrl-Z; Ctrl-Y Alt-Z Ctrl-Shift-Z    undo; redo
///
/// Ctrl-C and Ctrl-X are not handled while nothing is selected, nor Ctrl-Z while there is nothing
/// to undo. In that case Ctrl-C quits the program, and Ctrl-Z does nothing. A click places the
/// caret, dragging selects, and a double click selects a word. Secret text (`secure`) is shown as
/// bullets, and cannot be copied or undone.
public class TextInputView: View {
  var editor = TextEditor()
  var isEditing = false
  /// Whether the user has changed the text.
  private var wasEdited = false
  /// The text before the user's edit.
  private var givenText = ""
  /// Identifies the object that the undo history belongs to; 0 for none.
  private var historyHolder = 0
  /// The range selected by the mouse press, which dragging extends.
  var pressedRange: Range<Int>?
  var clicks = 1
  /// Shown in place of an empty text that stands for nil; nil for any other text.
  package final var nullMark: String? {
    didSet { if nullMark != oldValue { setNeedsDraw() } }
  }
  /// The next picture scrolls to where the caret is.
  var showsCaret = false
  /// The caret placed by the mouse, until a key moves it. It is visible, so no scrolling is needed.
  var pointedCaret: Int?

  /// The text, also during an edit.
  public var text: String {
    get { self[.text] }
    set { self[.text] = newValue }
  }

  package override func addHeld(to meter: inout MemoryMeter) { editor.addHeld(to: &meter) }

  /// What it shows while it is empty.
  final var hintOfEmpty: String { nullMark ?? text(.placeholder) }

  /// The number of characters before the caret.
  public var caretIndex: Int {
    get {
      followText()
      return editor.characterIndex
    }
    set {
      followText()
      moveCaret(to: editor.offset(ofCharacter: newValue))
    }
  }

  /// The selected characters, counted from 0; an empty range at the caret if nothing is selected.
  public var selectedRange: Range<Int> {
    get {
      followText()
      let start = editor.buffer[0..<editor.selection.lowerBound].count
      return start..<start + editor.buffer[editor.selection].count
    }
    set {
      followText()
      editor.select(
        editor.offset(
          ofCharacter: newValue.lowerBound)..<editor.offset(
            ofCharacter: newValue.upperBound))
      caretMoved()
    }
  }

  /// Whether a text set from outside, while the view is not being edited, keeps the caret in place
  /// instead of moving it to the end.
  var keepsScrollPosition: Bool { false }

  /// Adopts a text that was written to the property from elsewhere.
  func followText(answersEdit: Bool = false) {
    let isSecret = flag(.secure)
    if isSecret != editor.isSecret { editor.isSecret = isSecret }
    let text = text(.text)
    if !text.isEmpty { nullMark = nil }
    if text.utf8.count == editor.end && text == editor.text { return }
    let isKept = editor.setText(text, answersEdit: answersEdit)
    // The typed text has been replaced.
    if !answersEdit { wasEdited = false }
    if isEditing {
      showsCaret = true
    } else if !keepsScrollPosition {
      // While the view is not being edited, typing will continue at the end of the text.
      editor.move(to: editor.end)
    } else if !isKept {
      editor.move(to: 0)
      showsCaret = true
    }
  }

  func moveCaret(to offset: Int, selecting: Bool = false) {
    editor.move(to: offset, selecting: selecting)
    caretMoved()
  }

  func caretMoved() {
    showsCaret = true
    setNeedsDraw()
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    guard let old = old as? TextInputView else { return }
    old.followText()
    takeEdit(of: old, reconciliation)
    givenText = old.givenText
    pressedRange = old.pressedRange
    clicks = old.clicks
    editor = TextEditor(old.editor, isMultiline: editor.isMultiline)
    historyHolder = old.historyHolder
    // During an edit, the caret keeps its position in the surrounding text, even if the new version
    // shows another text. Whether this view gets the focus is known only later.
    let isSame = editor.text == text(.text)
    if old.isEditing && !isSame { editor.setText(text(.text)) }
    // A person types in the field while another person has the scene's focus.
    isEditing = old.isEditing && !old.isFocused && flag(.editable)
    wasEdited = old.wasEdited && isSame
    followText()
  }

  override func focusMoved(from old: View) {
    guard let old = old as? TextInputView, old.isEditing, flag(.editable) else { return }
    isEditing = true
  }

  override var declaredProperties: [ViewProperty] { [.text] }

  /// Continues an edit, typed or written by a handler, at this view's bindings, if these are the
  /// same.
  func takeEdit(of old: TextInputView, _ reconciliation: Reconciliation) {
    guard let index = viewClass.index(of: .text),
      let oldIndex = old.viewClass.index(of: .text)
    else { return }
    let given = text(.text)
    let isUnbound = graph.dependents(of: old.slot(oldIndex)).isEmpty
    let isTyped = old.wasEdited && (isUnbound && given.isEmpty || given == old.givenText)
    let isDeclaredAlike = declares(.text, as: old) && !isBound(.text) && !old.isBound(.text)
    let edit = BindingTable.of(graph).passEdit(
      from: old.slot(oldIndex), to: slot(index), keepsUnbound: isTyped || isDeclaredAlike,
      keepsEcho: old.wasEdited
    ) { value in
      if value != slot(index).load() { put(.text, value) }
    }
    if let edit { reconciliation.atEnd(edit) }
  }

  // MARK: Focus

  package override func focusChanged(_ isFocused: Bool) {
    followText()
    if isFocused {
      beginEditing()
    } else {
      endEditing()
    }
  }

  func beginEditing() {
    if isEditing || !flag(.editable) { return }
    isEditing = true
    send(.editingDidBegin)
  }

  func endEditing() {
    if !isEditing { return }
    isEditing = false
    // A change of the focus ends the typing of the user who caused it.
    if let scene, scene.focused === self { scene.input.endTyping(in: self) }
    send(.editingDidEnd)
    showModelText()
    // Clears the original values: later input starts from the text that is entered now.
    if let edit = BindingTable.of(graph).editedRecords?.edit(of: self), !isRefused {
      edit.forgetOriginals()
    }
  }

  /// Shows the model's text if the model has changed the typed text.
  private func showModelText() {
    guard !(self is ValueFieldView), let index = viewClass.index(of: .text) else { return }
    BindingTable.of(graph).showModelText(at: slot(index))
    followText()
  }

  /// Clears the undo history if it belongs to the text of another object that the view showed
  /// before.
  private func forgetOthersHistory() {
    guard let index = viewClass.index(of: .text) else { return }
    let mark = BindingTable.of(graph).holderMark(of: slot(index))
    if mark == 0 || mark == historyHolder { return }
    if historyHolder != 0 { editor.forgetHistory() }
    historyHolder = mark
  }

  // MARK: Input

  package override func handle(_ key: Key) -> Bool {
    followText()
    forgetOthersHistory()
    pointedCaret = nil
    return handleCommand(key) || handleMove(key) || handleEdit(key)
  }

  override func perform(_ action: ViewAction) -> Bool {
    guard case .edit(let text, let selection) = action, flag(.editable) else { return false }
    followText()
    edit(entering: Self.entered(text, in: editor.text)) { $0.replace(with: text, limit: limit) }
    selectedRange = selection
    return true
  }

  package override func handlePaste(_ text: String) -> Bool {
    guard flag(.editable) else { return false }
    followText()
    edit(entering: text) { $0.insert(text, limit: limit) }
    return true
  }

  /// The offset that a key without Shift moves the caret to; nil for other keys.
  func offset(movedBy key: Key) -> Int? { offset(inTextMovedBy: key) }

  /// Whether the user could have typed a text: it is within the length limit and contains no
  /// refused characters.
  package final func admits(_ text: String) -> Bool {
    var copy = editor
    _ = copy.replace(with: text, limit: limit)
    return copy.text == text
  }

  var limit: Int? { peek(.maxLength, as: Int?.self).map { max(0, $0) } }

  /// The part of a new text that the old text does not contain.
  private static func entered(_ new: String, in old: String) -> String {
    let start = zip(new, old).prefix { $0 == $1 }.count
    let end = zip(new.dropFirst(start).reversed(), old.dropFirst(start).reversed())
      .prefix { $0 == $1 }.count
    return String(new.dropFirst(start).dropLast(end))
  }

  /// Changes the text, then writes the property with its bindings, and sends the events.
  ///
  /// - Parameter entry: the user's input, for a message if its record no longer exists.
  func edit(entering entry: String = "", _ change: (inout TextEditor) -> Bool) {
    forgetOthersHistory()
    pointedCaret = nil
    guard beginsEdit(entering: entry) else { return }
    beginEditing()
    guard change(&editor) else { return }
    nullMark = nil
    if !wasEdited { givenText = text(.text) }
    wasEdited = true
    caretMoved()
    BindingTable.of(graph).typing { put(.text, .string(editor.text)) }
    followText(answersEdit: true)
    textEdited()
    send(.editingChanged, value: .string(editor.text))
  }

  /// Undoes the last edit; returns whether there was one.
  @discardableResult
  public func undo() -> Bool {
    followText()
    forgetOthersHistory()
    guard flag(.editable), editor.canUndo else { return false }
    edit { $0.undo() }
    return true
  }

  /// Redoes the edit that was undone last; returns whether there was one.
  @discardableResult
  public func redo() -> Bool {
    followText()
    forgetOthersHistory()
    guard flag(.editable), editor.canRedo else { return false }
    edit { $0.redo() }
    return true
  }

  // MARK: For subclasses

  /// Called when the user has changed the text.
  func textEdited() {}

  /// The number of cells to the right of the text that are reserved for other elements.
  func reservedWidth(in width: Int) -> Int { 0 }

  /// The offset in the text at a point, or the nearest one.
  func offset(at point: Point) -> Int { 0 }

  /// The range that a triple click selects.
  func largeRange(at offset: Int) -> Range<Int> { 0..<editor.end }
}

extension TextInputView: TextEditing {
  package var isBeingEdited: Bool { isEditing }

  package func whenEditingEnds(_ body: @escaping () -> Void) -> () -> Void {
    var handler: EventHandler?
    do {
      handler = try on(.editingDidEnd) { _, _ in
        handler?.cancel()
        body()
      }
    } catch {
      report(error)
    }
    return { handler?.cancel() }
  }
}
