package import TideBindings
import TideGraph

/// What a field for numbers and one for dates have in common: a text that a person edits, and the
/// `value` that it stands for.
///
///     keys ──▶ text ──entry(_:)──▶ value ──▶ model
///                ◀──text(of:)───         ◀──
///
/// Each edit is read. What is a value goes into `value`, and by its bindings to the model; anything
/// else stays in the field as it was typed, with the message in `error`, while `value` stays what
/// it was. What more typing may still fix, such as a minus sign alone, is reported when editing
/// ends. While the text is no value, the model has the value from before the editing: not the last
/// one that happened to be valid on the way. Such an entry counts as an edit of the controllers
/// that it goes through. When editing ends a good entry is written as the locale writes it. A value
/// that comes from elsewhere takes the place of what was typed, as in a field for text.
public class ValueFieldView: FieldView {
  /// What a text stands for.
  enum Entry {
    case value(Value)
    /// Nothing that the field takes: what is wrong with it, whether it could at least be read, and
    /// whether more typing may make it right.
    case wrong(String, isRead: Bool, mayBecomeRight: Bool)
  }

  /// What `text` was made from, or was read as.
  private var knownValue: Value = .null
  /// The text as it was read last, or made.
  private var knownText = ""
  /// The text is what a person has typed, and not what the value would be written as.
  private(set) var hasDraft = false
  private var problem: TideError?
  /// What it held before the editing; nil while nothing has been entered.
  private var original: Value?
  /// Stands for an entry that is no value with the controllers that it goes through.
  private var entryEditor: EntryEditor? {
    didSet { if entryEditor !== oldValue { oldValue?.end() } }
  }
  /// What a binding has to say about the value.
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

  /// What a text that is not blank stands for.
  func entry(_ text: String) -> Entry { .value(.string(text)) }

  /// How a value that is not nil is written.
  func text(of value: Value) -> String { value.text ?? "" }

  /// What a person is told who leaves the field empty where that is not allowed.
  var emptyMessage: String { "" }

  /// Properties that say how a value is written.
  var reformattingProperties: [ViewProperty] { [] }

  // MARK: What it shows

  /// The app's language.
  var language: AppLanguage { BindingTable.of(graph).transformers.language }

  /// The app's words for a text of the field's own; `%s` in it stands for something else.
  func words(_ text: String, _ filling: String = "") -> String {
    language.translate(text).replacing("%s", with: filling)
  }

  private func written(_ value: Value) -> String {
    value.isNil ? "" : graph.untracked { text(of: value) }
  }

  private var ownValue: Value { peek(.value, as: Value.self) }

  /// Takes over a value that was not entered here.
  private func followValue() {
    if isWriting || ownValue == knownValue { return }
    showValue()
  }

  /// Shows what it holds, in place of what was typed.
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

  /// The text that somebody has written to the property counts as typed.
  private func followEnteredText() {
    if isWriting || text(.text) == knownText { return }
    judge(isFinal: !isEditing)
  }

  /// Writes the value anew: in another language, with more decimals.
  private func reformat() {
    if hasDraft || isEditing { return }
    showText(written(ownValue))
  }

  /// Writes the value as another language does, also while a person is typing it: in that language
  /// the text would mean something else, or nothing.
  private func rewrite() {
    if entryEditor == nil, problem == nil { showText(written(hasDraft ? knownValue : ownValue)) }
  }

  /// Says in another language what is wrong with the entry.
  private func translateProblem() {
    guard problem != nil, case .wrong(let message, let isRead, _) = entryOfText() else { return }
    setProblem(error(message, isRead: isRead))
  }

  /// Gives up what was typed, for what the value is.
  func discardDraft() {
    if hasDraft || problem != nil { showValue() }
  }

  // MARK: What is entered

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

  /// Reads the text, and takes over what it stands for.
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

  /// Whether what was entered is no value, or not yet.
  final var holdsEntry: Bool { entryEditor != nil }

  private func enter(_ value: Value) {
    knownValue = value
    if Self.isSame(value, ownValue) { return }
    writing { put(.value, value) }
    let answer = ownValue
    send(.valueChanged, value: answer)
    // The model has made something else of it.
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

  /// Sets a value as the keys and the mouse do that need no typing: it is written, can be undone as
  /// an edit, and is read as one.
  func change(to value: Value) {
    guard flag(.editable) else { return }
    let text = written(value)
    edit(entering: text) {
      $0.selectAll()
      return text.isEmpty ? $0.deleteSelection() : $0.insert(text)
    }
    // It is complete by itself.
    if entryEditor == nil { original = nil }
  }

  override func endEditing() {
    if isEditing { finishEntry() }
    super.endEditing()
  }

  /// Tells what is wrong with the entry now that nobody types, or writes it as it should be.
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

  /// What keeps the entry from being a value, or the value from being right, though nobody has been
  /// told; reading is recorded.
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
    // The new version says something else than the old one did.
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

/// An entry that is no value, as the controllers see it: an edit that cannot be committed.
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

  /// The controllers keep it until then.
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
