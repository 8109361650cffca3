package import TideBindings
import TideGraph

/// A column of fields with their `label`s beside them, submitted as a whole.
///
/// ```swift
/// let name = FieldView()
/// try name.set("label", "Name")
/// let form = try ViewClasses().make("form")
/// try form.add(name)
/// try form.on(.submit) { _, _ in print("submitted") }
/// ```
///
/// Enter in a field, and a button in the form whose `role` is `submit`, submit it: the text being
/// typed is committed, and if all fields are valid the event `submit` is sent. Otherwise the first
/// invalid field gets the focus, and each invalid field shows its message. A field is invalid if
/// its text cannot be converted to a value, if the model has refused the value, if it is empty
/// while the bound property is `required`, or if its `error` is set. Hidden and disabled views are
/// ignored.
///
/// `valid` is false if any field is invalid, even if its message is not shown yet. `errors` lists
/// the messages shown now, from the top, as objects with `view`, `label` and `message`.
public final class FormView: View {
  private var follower: Effect?
  private var childFollowers: [ObjectIdentifier: ChildFollower] = [:]
  private struct ChildFollower {
    weak var child: View?
    let effect: Effect
  }

  /// The fields that show a message about a required value.
  private var told: [ObjectIdentifier: Told] = [:]
  private var lastTold = 0
  private var isSubmitting = false

  private struct Told {
    weak var view: View?
    let number: Int
    let property: ViewProperty
    let error: TideError
    let observers: PropertyObservers
  }

  package override init(viewClass: ViewClass) {
    super.init(viewClass: viewClass)
    follower = graph.effect { [weak self] in
      guard let self else { return }
      let children = subviews
      graph.untracked { follow(children) }
    }
  }

  /// Observes each child in an effect of its own. A single effect would read all children whenever
  /// one of them changes.
  private func follow(_ children: [View]) {
    let former = childFollowers
    childFollowers = [:]
    for child in children {
      let key = ObjectIdentifier(child)
      // A new view may have the address of a deallocated one.
      let known = former[key].flatMap { $0.child === child ? $0 : nil }
      childFollowers[key] = known ?? follower(of: child)
    }
    setNeedsLayout()
  }

  private func follower(of child: View) -> ChildFollower {
    let effect = graph.effect { [weak self, weak child] in
      guard let child else { return }
      for property: ViewProperty in [.label, .error, .enabled] {
        if let index = child.viewClass.index(of: property) {
          Graph.trackRead(of: child.slot(index))
        }
      }
      self?.setNeedsLayout()
    }
    return ChildFollower(child: child, effect: effect)
  }

  // Fields stand below their labels if the width does not allow two columns.
  public override var wraps: Bool { true }

  // MARK: Entries

  /// The visible, enabled views, from the top; reads are tracked.
  private func fields() -> [View] {
    var found: [View] = []
    var waiting: [View] = subviews.reversed()
    while let view = waiting.popLast() {
      let isHidden: Bool = view[.hidden]
      let isEnabled: Bool = view[.enabled]
      if isHidden || !isEnabled || view.parent?.hidesSubview(view) == true { continue }
      found.append(view)
      if view is RowsView || !view.takesSubviews { continue }
      waiting.append(contentsOf: view.subviews.reversed())
    }
    return found
  }

  /// The error of a field, shown or not; reads are tracked.
  private func fault(of view: View) -> String? {
    if let message: String = view[.error], !message.isEmpty { return message }
    if let field = view as? ValueFieldView, let fault = field.entryFault { return fault }
    return requirement(of: view)?.message
  }

  /// The unmet requirement of an empty field.
  private func requirement(of view: View) -> (property: ViewProperty, message: String)? {
    for property in Self.entered(in: view) {
      guard let index = view.viewClass.index(of: property) else { continue }
      let slot = view.slot(index)
      Graph.trackRead(of: slot)
      guard Self.isBlank(slot.load()),
        let message = BindingTable.of(graph).requirement(at: slot)
      else { continue }
      return (property, message)
    }
    return nil
  }

  /// The properties that hold the user's input.
  private static func entered(in view: View) -> [ViewProperty] {
    switch view {
    case is ValueFieldView: [.value]
    case is TextInputView: [.text]
    case is ChoosingView: [.selectedObject, .selectedIndex]
    case is ToggleView: [.isOn]
    default: []
    }
  }

  /// A required toggle must be on, so it is blank while it is off.
  private static func isBlank(_ value: Value) -> Bool {
    switch value {
    case .string(let text): text.allSatisfy(\.isWhitespace)
    case .boolean(let isOn): !isOn
    default: value.isNil
    }
  }

  /// Whether all fields are valid; reads are tracked.
  var isValid: Bool { !fields().contains { fault(of: $0) != nil } }

  /// The errors shown now; reads are tracked.
  var shownErrors: [(view: View, message: String)] {
    fields().compactMap { view in
      guard let message: String = view[.error], !message.isEmpty else { return nil }
      return (view, message)
    }
  }

  // MARK: Submitting

  /// Commits the text being typed and sends `submit`, or moves the focus to the first invalid
  /// field.
  ///
  /// - Returns: whether `submit` was sent.
  @discardableResult
  public func submit() -> Bool {
    // Guards against a handler that submits again during a commit or `submit`.
    if isSubmitting || !isUsable { return false }
    isSubmitting = true
    defer { isSubmitting = false }
    if let wrong = graph.untracked({ enterAll() }) {
      reveal(wrong)
      return false
    }
    endRecordEdits()
    send(.submit)
    return true
  }

  /// Commits all fields, shows their errors, and returns the first invalid field.
  private func enterAll() -> View? {
    let table = BindingTable.of(graph)
    let isOwn = { (view: View) in !view.isEnteredByAnother }
    for case let field as TextInputView in fields().filter(isOwn) {
      field.endEditing()
      (field as? ValueFieldView)?.finishEntry()
    }
    for view in fields().filter(isOwn) { table.carryEdits(at: view) }
    var wrong: View?
    for view in fields() where isOwn(view) || !view.isRefused {
      guard let message = fault(of: view) else { continue }
      if view[.error] != message { tell(view, message) }
      if wrong == nil { wrong = view }
    }
    noteTold()
    return wrong
  }

  /// Shows the message about a required value until one is entered.
  private func tell(_ view: View, _ message: String) {
    guard let (property, _) = requirement(of: view) else { return }
    var error = TideError(.conversion, message)
    error.isOfEdit = true
    let observers = PropertyObservers(graph)
    observers.observe(property, of: view) { [weak self, weak view] in
      guard let self, let view else { return }
      withdraw(from: view)
      noteTold()
    }
    lastTold += 1
    told[ObjectIdentifier(view)] = Told(
      view: view, number: lastTold, property: property, error: error, observers: observers)
    view.put(.error, .string(message))
  }

  /// Removes the message about a required value.
  private func withdraw(from view: View) {
    guard let former = told.removeValue(forKey: ObjectIdentifier(view)) else { return }
    if view.peek(.error, as: String?.self) == former.error.message { view.put(.error, .null) }
  }

  /// Updates `errors`, once for all fields.
  private func noteTold() { BindingTable.of(graph).noteEntries(of: self) }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    guard let old = old as? FormView else { return }
    let views = old.told.values.compactMap(\.view)
    if views.isEmpty { return }
    // Runs once the fields have received the models' values.
    reconciliation.atEnd { [weak self, unowned reconciliation] in
      for view in views {
        guard let self, let new = reconciliation.replacement(of: view) else { continue }
        if let message = graph.untracked({ self.requirement(of: new)?.message }) {
          tell(new, message)
        }
      }
      self?.noteTold()
    }
  }

  private func reveal(_ wrong: View) {
    guard let scene else { return }
    if let view = scene.focusOrder(in: wrong).first(where: { scene.canFocus($0) }) {
      scene.focus(view)
    }
  }

  /// Discards typed text that the model does not have, and its errors.
  public func reset() {
    let table = BindingTable.of(graph)
    let views = graph.untracked { TreeWalk(self).filter { $0 !== self } }
    for told in told.values { if let view = told.view { withdraw(from: view) } }
    noteTold()
    for view in views {
      table.discardEdits(at: view)
      (view as? ValueFieldView)?.discardDraft()
    }
    endRecordEdits()
  }

  /// Ends the edits of records that were made in the form.
  private func endRecordEdits() {
    BindingTable.of(graph).editedRecords?.end { edit in
      guard let view = edit.editor as? View else { return true }
      return view.isWithin(self) && !view.isEnteredByAnother
    }
  }

  // MARK: Input

  /// Handles Enter where no descendant handles it, such as in a slider.
  package override func handle(_ key: Key) -> Bool {
    guard key == Key(.enter) else { return false }
    submit()
    return true
  }

  // MARK: Drawing

  package override func draw(in canvas: Canvas) {
    let area = canvas.content
    if area.isEmpty { return }
    let isBeside = FormRows.indent(of: self, in: area.width) != nil
    let room = isBeside ? FormRows.labelWidth(of: self) : area.width
    let ellipsis = canvas.symbols.ellipsis
    for child in arranged {
      let rect = child.layout.rect
      let x = rect.x - layout.rect.x
      let y = rect.y - layout.rect.y
      if let label = child.formLabel, !label.isEmpty, rect.height > 0 {
        var style = canvas.style
        if !child.flag(.enabled) { style = style.with(.dim) }
        canvas.write(
          TextLines.truncated(label, width: room, ellipsis: ellipsis), x: area.x,
          y: isBeside ? y : y - 1, style: style, within: area)
      }
      if child.needsFormMessage, let message = child.formMessage {
        let line = TextLines.split(message, limit: 1).first ?? ""
        let shown = TextLines.truncated(
          line, width: max(0, area.maxX - x), ellipsis: ellipsis)
        canvas.write(shown, x: x, y: y + rect.height, within: area)
      }
    }
  }
}

extension FormView: EntryHolder {
  package var entryErrors: [TideError] {
    if scene == nil { return [] }
    return told.values.sorted { $0.number < $1.number }.compactMap { told in
      told.view.flatMap { $0.scene == nil ? nil : told.error }
    }
  }
}

/// An error shown in a form, as scripts see it.
package final class FormError: DataObject {
  private static let errorShape = Shape(
    name: "form error",
    properties: [
      PropertyDescription("view", .object), PropertyDescription("label", .string),
      PropertyDescription("message", .string),
    ])

  /// The size of an error in bytes, without its texts.
  static let weight = 400

  package override init() { super.init(shape: Self.errorShape) }
}
