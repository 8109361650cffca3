package import TideBindings
import TideGraph

/// The base class of number and date fields: a text that the user edits, and the `value` parsed
/// from it.
///
///     keys ──▶ text ──entry(_:)──▶ value ──▶ model
///                ◀──text(of:)───         ◀──
///
/// Each edit is parsed. A valid value is written to `value`, and through its bindings to the model.
/// Any other text stays in the field with the message in `error`, and `value` is reset to the value
/// from before the edit, so the model never keeps an intermediate value that happened to be valid.
/// Text that further typing may complete, such as a minus sign alone, is reported when editing
/// ends. An invalid entry counts as a pending edit of the controllers on its path. When editing
/// ends, a valid entry is reformatted for the locale. A value from elsewhere replaces a valid text,
/// as in a text field; an invalid entry stays until it is mended or discarded.
public class ValueFieldView: FieldView {
  /// The result of parsing a text.
  enum Entry {
    case value(Value)
    /// An invalid text: the error message, whether the text could be parsed at all, and whether
    /// further typing may make it valid.
    case wrong(String, isRead: Bool, mayBecomeRight: Bool)
  }

  /// The value that `text` was formatted from or parsed to.
  private var knownValue: Value = .null
  /// The text that was last parsed or formatted.
  private var knownText = ""
  /// Whether the text was typed by the user rather than formatted from the value.
  private(set) var hasDraft = false
  private var problem: TideError?
  /// The value before the edit; nil while nothing has been entered.
  private var original: Value?
  /// Registers an invalid entry with the controllers on its path.
  private var entryEditor: EntryEditor? {
    didSet { if entryEditor !== oldValue { oldValue?.end() } }
  }
  /// The error of a binding of the value.
  private var bindingMessage: String?
  private var isWriting = false
  let observers: PropertyObservers
  private var languageEffect: Effect?

  package override init(viewClass: ViewClass) {
    observers = PropertyObservers(.current)
    super.init(viewClass: viewClass)
    observe(.value) { $0.followValue() }
    observe(.text) { $0.followEnteredText() }
    for property in reformattingProperties { observe(property) { $0.reformat() } }
    for property: ViewProperty in [.minimum, .maximum, .allowsEmpty] {
      observe(property) { if $0.problem != nil { $0.judge(isFinal: !$0.isEditing) } }
    }
    languageEffect = graph.effect { [weak self] in
      guard let self else { return }
      let language = language
      _ = language.current
      graph.untracked {
        self.rewrite()
        self.translateProblem()
      }
    }
  }

  deinit { entryEditor?.end() }

  private func observe(_ property: ViewProperty, _ body: @escaping (ValueFieldView) -> Void) {
    observers.observe(property, of: self) { [unowned self] in body(self) }
  }

  // MARK: For subclasses

  /// Parses a text that is not blank.
  func entry(_ text: String) -> Entry { .value(.string(text)) }

  /// Formats a value that is not nil.
  func text(of value: Value) -> String { value.text ?? "" }

  /// The error message for an empty field where a value is required.
  var emptyMessage: String { "" }

  /// Properties that affect the formatting of values.
  var reformattingProperties: [ViewProperty] { [] }

  // MARK: Displayed text

  /// The app's language.
  var language: AppLanguage { BindingTable.of(graph).transformers.language }

  /// Translates one of the field's own texts to the app's language, and replaces `%s` in it.
  func words(_ text: String, _ filling: String = "") -> String {
    language.translate(text).replacing("%s", with: filling)
  }

  private func written(_ value: Value) -> String {
    value.isNil ? "" : graph.untracked { text(of: value) }
  }

  private var ownValue: Value { peek(.value, as: Value.self) }

  /// Adopts a value that was not entered in this field.
  private func followValue() {
    if isWriting || ownValue == knownValue { return }
    guard keepsEntry else { return showValue() }
    // The value of the other writer becomes the value to restore.
    knownValue = ownValue
    original = knownValue
  }

  /// Whether the text is an invalid entry for the record that the value belongs to. The entry stays
  /// when another user or the program writes the value. If the value belongs to another record, the
  /// user is notified about the entry.
  private var keepsEntry: Bool {
    let records = BindingTable.of(graph).editedRecords
    guard holdsEntry, let edit = records?.edit(of: self), !edit.isLost else { return false }
    if edit.isOf(passage) { return true }
    // What others select leaves the entry with its author.
    if records?.isTryingReload == false, !isEnteredByAnother { records?.lose(edit) }
    return false
  }

  /// Shows the value in place of the typed text.
  private func showValue() {
    knownValue = ownValue
    hasDraft = false
    original = nil
    entryEditor = nil
    setProblem(nil)
    showText(written(knownValue))
  }

  private func showText(_ text: String) {
    knownText = text
    writing { put(.text, .string(text)) }
    followText()
  }

  private func writing(_ body: () -> Void) {
    let wasWriting = isWriting
    isWriting = true
    body()
    isWriting = wasWriting
  }

  /// A text written to the property from outside counts as typed.
  private func followEnteredText() {
    if isWriting || text(.text) == knownText { return }
    judge(isFinal: !isEditing)
  }

  /// Formats the value again, for example after a change of `decimals`.
  private func reformat() {
    if hasDraft || isEditing { return }
    showText(written(ownValue))
  }

  /// Formats the value for a new language, even during typing, because the typed text may mean
  /// something else, or nothing, in that language.
  private func rewrite() {
    if entryEditor == nil, problem == nil { showText(written(hasDraft ? knownValue : ownValue)) }
  }

  /// Translates the error message of the entry.
  private func translateProblem() {
    guard problem != nil, case .wrong(let message, let isRead, _) = entryOfText() else { return }
    setProblem(error(message, isRead: isRead))
  }

  /// Replaces the typed text by the value.
  func discardDraft() {
    if hasDraft || problem != nil { showValue() }
  }

  // MARK: Entries

  override func textEdited() { judge(isFinal: false) }

  private func entryOfText() -> Entry {
    let text = text(.text)
    guard text.allSatisfy(\.isWhitespace) else { return entry(text) }
    if flag(.allowsEmpty), let index = viewClass.index(of: .value),
      !BindingTable.of(graph).refusesNothing(at: slot(index))
    {
      return .value(.null)
    }
    return .wrong(emptyMessage, isRead: false, mayBecomeRight: true)
  }

  /// Parses the text and adopts the result.
  private func judge(isFinal: Bool) {
    knownText = text(.text)
    hasDraft = true
    if original == nil { original = ownValue }
    switch graph.untracked({ entryOfText() }) {
    case .value(let value):
      entryEditor = nil
      setProblem(nil)
      enter(value)
    case .wrong(let message, let isRead, let mayBecomeRight):
      if let original { enter(original) }
      registerEntry()
      setProblem(!isFinal && mayBecomeRight ? nil : error(message, isRead: isRead))
    }
  }

  private func registerEntry() {
    if entryEditor == nil { entryEditor = EntryEditor(self, passage.controllers) }
  }

  /// Whether the field has an entry that is not a valid value.
  final var holdsEntry: Bool { entryEditor != nil }

  private func enter(_ value: Value) {
    knownValue = value
    if Self.isSame(value, ownValue) { return }
    writing { put(.value, value) }
    let answer = ownValue
    send(.valueChanged, value: answer)
    // The model has changed the value it received.
    if !Self.isSame(answer, value), answer == ownValue { showValue() }
  }

  private static func isSame(_ left: Value, _ right: Value) -> Bool {
    if case .integer(let left) = left, case .integer(let right) = right { return left == right }
    return left == right || !left.isNil && Double?.make(from: left) == Double?.make(from: right)
  }

  private func error(_ message: String, isRead: Bool) -> TideError? {
    guard let index = viewClass.index(of: .value) else { return nil }
    return BindingTable.of(graph).entryError(
      message, for: .string(knownText), at: slot(index), isRead: isRead)
  }

  /// Sets a value on behalf of keys and the mouse. It is written and can be undone like a typed
  /// edit.
  func change(to value: Value) {
    guard flag(.editable) else { return }
    let text = written(value)
    edit(entering: text) {
      $0.selectAll()
      return text.isEmpty ? $0.deleteSelection() : $0.insert(text)
    }
    // The edit is complete at once.
    if entryEditor == nil { original = nil }
  }

  override func endEditing() {
    if isEditing { finishEntry() }
    super.endEditing()
  }

  /// Ends an entry: shows its error, or formats its value.
  func finishEntry() {
    followText()
    if hasDraft {
      judge(isFinal: true)
      if problem == nil, bindingMessage == nil {
        hasDraft = false
        original = nil
        let text = written(knownValue)
        if text != knownText { showText(text) }
      }
    } else if case .wrong(let message, let isRead, _) = graph.untracked({ entryOfText() }) {
      setProblem(error(message, isRead: isRead))
    }
  }

  /// The error of the entry, even if it is not shown yet; reads are tracked.
  var entryFault: String? {
    for property: ViewProperty in [.text, .minimum, .maximum, .allowsEmpty] {
      if let index = viewClass.index(of: property) { Graph.trackRead(of: slot(index)) }
    }
    guard case .wrong(let message, let isRead, _) = entryOfText() else { return nil }
    return error(message, isRead: isRead)?.message ?? message
  }

  // MARK: Errors

  private func setProblem(_ error: TideError?) {
    if error == nil && problem == nil { return }
    problem = error
    BindingTable.of(graph).noteEntries(of: self)
    showMessage()
  }

  private func showMessage() {
    showMessage(problem?.message ?? bindingMessage)
  }

  public override func showBindingError(_ message: String?) {
    bindingMessage = message
    showMessage()
  }

  // MARK: State

  override var declaredProperties: [ViewProperty] { [.value] }

  override func takeEdit(of old: TextInputView, _ reconciliation: Reconciliation) {
    guard let old = old as? ValueFieldView else { return }
    adopt(.value, of: old, reconciliation)
    // The new version declares another value, which takes precedence.
    guard old.hasDraft, Self.isSame(ownValue, old.ownValue) else { return }
    knownValue = ownValue
    showText(old.text(.text))
    hasDraft = true
    original = old.original
    if old.holdsEntry { reconciliation.atEnd { [weak self] in self?.registerEntry() } }
    if old.problem != nil { setProblem(old.problem) }
  }

  package override func addHeld(to meter: inout MemoryMeter) {
    super.addHeld(to: &meter)
    meter.add(knownText)
  }
}

/// An invalid entry in the role of an editor: an edit that cannot be committed.
private final class EntryEditor: Editor, RefusalShowing {
  private weak var field: ValueFieldView?
  private let controllers: [ObjectHandle]

  init(_ field: ValueFieldView, _ controllers: [ObjectHandle]) {
    self.field = field
    self.controllers = controllers
    for case let controller as Controller in controllers.map(\.object) {
      controller.objectDidBeginEditing(self)
    }
  }

  /// The controllers own it until then.
  func end() {
    for case let controller as Controller in controllers.map(\.object) {
      controller.objectDidEndEditing(self)
    }
  }

  func commitEditing() throws {
    guard let field, field.scene != nil else { return }
    field.finishEntry()
    if let error = field.entryErrors.first { throw error }
  }

  func discardEditing() { field?.discardDraft() }

  var isOfAnother: Bool { field?.isEnteredByAnother ?? false }

  func showRefusal() { field?.takeFocusForEntry() }
}

extension ValueFieldView: EntryHolder {
  package var entryErrors: [TideError] {
    guard let problem, scene != nil else { return [] }
    return [problem]
  }
}
