package import TideBindings

/// Sends `touchUpInside` on Enter, Space and a click: a mouse button pressed and released over the
/// view.
///
/// ```swift
/// let save = ButtonView("Save")
/// try save.on(.touchUpInside) { _, _ in try document.save() }
/// ```
///
/// A title that is too long ends with an ellipsis. A `selected` button, which represents something
/// that is switched on, is bold and underlined. In a form, a button whose `role` is `submit` or
/// `reset` submits or resets the form after its event. While one of its handlers is waiting, the
/// button is `busy`: it is dimmed and ignores presses, unless it is `concurrent`.
public final class ButtonView: PressableView {
  /// Makes a button with a title.
  public convenience init(_ title: String = "") {
    self.init(viewClass: .button)
    self.title = title
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    adopt(.title, of: old, reconciliation)
    adopt(.selected, of: old, reconciliation)
  }

  override var declaredProperties: [ViewProperty] { [.title, .selected] }

  /// The waiting handlers: the row of each, and the user whose action it handles.
  fileprivate var waits: [(row: Value, person: ScenePerson?)] = [] {
    didSet {
      if oldValue.isEmpty { scene?.input.busyButtons.append(UpdateCycle.WeakView(view: self)) }
      followWaits()
    }
  }

  fileprivate func followWaits() {
    let row = waits.isEmpty ? .null : rowSubject
    let isBusy = waits.contains { $0.row == row }
    if isBusy != flag(.busy) { put(.busy, .boolean(isBusy)) }
  }

  /// The button's title.
  public var title: String {
    get { self[.title] }
    set { self[.title] = newValue }
  }

  /// One row, as wide as the title with its brackets.
  package override func naturalSize() -> Size {
    Size(width: CharacterWidth.of(text(.title)) + 4, height: 1)
  }

  package override func draw(in canvas: Canvas) {
    let area = canvas.content
    let (start, end) = area.width >= 5 ? ("[ ", " ]") : area.width >= 3 ? ("[", "]") : ("", "")
    let title = TextLines.truncated(
      text(.title), width: area.width - start.count - end.count,
      ellipsis: canvas.symbols.ellipsis)
    let shown = start + title + end
    var style = canvas.style
    if flag(.focused) != isPressed { style = withFocus(style) }
    if flag(.selected) { style = style.with([.bold, .underline]) }
    if flag(.busy) { style = style.with(.dim) }
    let offset = alignment.offset(CharacterWidth.of(shown), in: area.width)
    canvas.write(shown, x: area.x + offset, y: area.y, style: style, within: area)
  }

  override func press(_ key: Key?) {
    if flag(.busy), !flag(.concurrent) {
      scene?.tellOfWait(of: waits.last?.person)
      return
    }
    if let refused = refusedEntry { return refused.takeFocusForEntry() }
    send(.touchUpInside, key: key)
    switch text(.role) {
    case "submit": form?.submit()
    case "reset": form?.reset()
    default: break
    }
  }
}

// Waiting handlers make a button busy.
extension View {
  /// The object of the row that contains the view; null outside rows. A button in a cell counts as
  /// a different button in each row.
  package final var rowSubject: Value { rowCell?.shownObject ?? .null }

  /// Records that a handler for a row's action is waiting.
  package final func beginWait(in row: Value, of person: ScenePerson?) {
    (self as? ButtonView)?.waits.append((row, person))
  }

  /// Records that the handler has ended.
  package final func endWait(in row: Value) {
    guard let button = self as? ButtonView,
      let index = button.waits.firstIndex(where: { $0.row == row })
    else { return }
    button.waits.remove(at: index)
  }
}

extension Scene {
  /// Tells the acting user that another user has already started the same action. The user who
  /// started it sees that the button is busy.
  package func tellOfWait(of other: ScenePerson?) {
    guard let actor, let other, other.present !== actor else { return }
    let text = "Somebody else has started that, and it is still running."
    tell(BindingTable.of(graph).transformers.language.translate(text), actor)
  }

  /// Updates the busy buttons of a cell after it was assigned to another row.
  func followWaits(in cell: View) {
    input.busyButtons.removeAll { $0.view == nil }
    for case let button as ButtonView in input.busyButtons.map(\.view) where button.isWithin(cell) {
      button.followWaits()
    }
  }
}

extension ButtonView {
  /// The view whose input was refused in the dialog that this submit button closes. In a form, the
  /// form checks its fields itself.
  private var refusedEntry: View? {
    guard text(.role) == "submit", form == nil else { return nil }
    var view = parent
    while let current = view, !(current is DialogView) { view = current.parent }
    return view?.enterAndFindRefused()
  }
}

extension View {
  /// Whether a position, relative to the view's own corner, is within the view.
  func contains(_ position: Point) -> Bool { Rect(layout.rect.size).contains(position) }
}
