import TideBindings
package import TideGraph

/// What a field and a text area have in common: a text that a person edits.
///
/// ```swift
/// let field = FieldView("apple")
/// try field.on(.editingChanged) { _, event in print(event.value) }
/// field.undo()
/// ```
///
/// `editingDidBegin` comes with the focus, `editingChanged` with each edit, `editingDidEnd` when
/// the focus goes. Each edit writes the property `text`, so that a two-way binding carries it, and
/// then takes over what came back: the view never shows another text than its property holds. A
/// text that the model refuses stays, with the message in `error`, until it is fixed.
///
/// Keys, with Shift to select while moving:
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
/// Ctrl-C and Ctrl-X are left to others while nothing is selected, Ctrl-Z while there is nothing to
/// undo. Ctrl-C then quits the program, and Ctrl-Z does nothing. A click places the caret, dragging
/// selects, a double click selects a word. Secret text (`secure`) is shown as bullets, never
/// copied, and can't be undone.
public class TextInputView: View {
  var editor = TextEditor()
  var isEditing = false
  /// A person has changed the text.
  private var wasEdited = false
  /// What it showed before somebody typed.
  private var givenText = ""
  /// Identifies the object whose text can be undone here; 0 for none.
  private var historyHolder = 0
  /// What the mouse pressed on first selects, which dragging makes larger.
  var pressedRange: Range<Int>?
  var clicks = 1
  /// Shown in place of an empty text that stands for nil; nil for any other text.
  package final var nullMark: String? {
    didSet { if nullMark != oldValue { setNeedsDraw() } }
  }
  /// The next picture scrolls to where the caret is.
  var showsCaret = false
  /// Where the mouse has placed the caret, until a key moves it. That offset was in sight, so
  /// nothing has to scroll.
  var pointedCaret: Int?

  /// What it holds; also while it is being edited.
  public var text: String {
    get { self[.text] }
    set { self[.text] = newValue }
  }

  package override func addHeld(to meter: inout MemoryMeter) { editor.addHeld(to: &meter) }

  /// What it shows while it is empty.
  final var hintOfEmpty: String { nullMark ?? text(.placeholder) }

  /// How many characters stand before the caret.
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

  /// The characters that are selected, by number from 0; empty at the caret.
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

  /// Whether text that comes while nobody edits leaves the caret where it is, and not at the end.
  var keepsScrollPosition: Bool { false }

  /// Takes over what was written to the property from elsewhere.
  func followText(answersEdit: Bool = false) {
    let isSecret = flag(.secure)
    if isSecret != editor.isSecret { editor.isSecret = isSecret }
    let text = text(.text)
    if !text.isEmpty { nullMark = nil }
    if text.utf8.count == editor.end && text == editor.text { return }
    let isKept = editor.setText(text, answersEdit: answersEdit)
    // What was typed is not there any more.
    if !answersEdit { wasEdited = false }
    if isEditing {
      showsCaret = true
    } else if !keepsScrollPosition {
      // Nobody edits it: typing goes on at its end.
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
    // The caret of a person who types stays beside what it stood beside, also where the new version
    // shows another text; only later is it known that it is this view that has the focus.
    let isSame = editor.text == text(.text)
    if old.isEditing && !isSame { editor.setText(text(.text)) }
    wasEdited = old.wasEdited && isSame
    followText()
  }

  override func focusMoved(from old: View) {
    guard let old = old as? TextInputView, old.isEditing, flag(.editable) else { return }
    isEditing = true
  }

  override var declaredProperties: [ViewProperty] { [.text] }

  /// What was typed, or written by a handler, goes on as an edit at this view's bindings, where
  /// these are the same.
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
    // Where the focus goes elsewhere, that ends the typing of the person who moves it.
    if let scene, scene.focused === self { scene.input.endTyping(in: self) }
    send(.editingDidEnd)
    showModelText()
    // What is typed next is an entry of its own.
    if let edit = BindingTable.of(graph).editedRecords?.edit(of: self), !isRefused {
      edit.forgetOriginals()
    }
  }

  /// Shows the model's text if the model has changed the typed one.
  private func showModelText() {
    guard !(self is ValueFieldView), let index = viewClass.index(of: .text) else { return }
    BindingTable.of(graph).showModelText(at: slot(index))
    followText()
  }

  /// What was done to the text of another object, which this view showed before, cannot be undone
  /// here.
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

  /// Where a key without Shift moves the caret to; nil when it does not.
  func offset(movedBy key: Key) -> Int? { offset(inTextMovedBy: key) }

  /// Whether a person could have typed a text: it is within the length limit, and has no characters
  /// that the view refuses.
  package final func admits(_ text: String) -> Bool {
    var copy = editor
    _ = copy.replace(with: text, limit: limit)
    return copy.text == text
  }

  var limit: Int? { peek(.maxLength, as: Int?.self).map { max(0, $0) } }

  /// What a new text has that the old one has not.
  private static func entered(_ new: String, in old: String) -> String {
    let start = zip(new, old).prefix { $0 == $1 }.count
    let end = zip(new.dropFirst(start).reversed(), old.dropFirst(start).reversed())
      .prefix { $0 == $1 }.count
    return String(new.dropFirst(start).dropLast(end))
  }

  /// Changes the text, then the property with its bindings, and sends the events.
  ///
  /// - Parameter entry: what a person adds, to be told where the record is gone that it is for.
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
    put(.text, .string(editor.text))
    followText(answersEdit: true)
    textEdited()
    send(.editingChanged, value: .string(editor.text))
  }

  /// Takes back the last edit; false when there is none.
  @discardableResult
  public func undo() -> Bool {
    followText()
    forgetOthersHistory()
    guard flag(.editable), editor.canUndo else { return false }
    edit { $0.undo() }
    return true
  }

  /// Does again what was taken back last; false when there is nothing.
  @discardableResult
  public func redo() -> Bool {
    followText()
    forgetOthersHistory()
    guard flag(.editable), editor.canRedo else { return false }
    edit { $0.redo() }
    return true
  }

  // MARK: For subclasses

  /// A person has changed the text.
  func textEdited() {}

  /// How many cells at the right of the text are for something else.
  func reservedWidth(in width: Int) -> Int { 0 }

  /// The offset in the text that shows at a point, or the nearest one.
  func offset(at point: Point) -> Int { 0 }

  /// What a triple click selects.
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
