import TideBindings

/// Sends `touchUpInside` on Enter, Space and a click: a mouse button that goes down on it and comes
/// up on it.
///
/// ```swift
/// let save = ButtonView("Save")
/// try save.on(.touchUpInside) { _, _ in try document.save() }
/// ```
///
/// A title that is too long ends with an ellipsis. One that is `selected`, which stands for
/// something that is switched on, is bold and underlined. In a form, one whose `role` is `submit`
/// or `reset` does that after its event.
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

  /// What stands on it.
  public var title: String {
    get { self[.title] }
    set { self[.title] = newValue }
  }

  /// One row, as wide as the title and its brackets.
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
    let offset = alignment.offset(CharacterWidth.of(shown), in: area.width)
    canvas.write(shown, x: area.x + offset, y: area.y, style: style, within: area)
  }

  override func press(_ key: Key?) {
    if let refused = refusedEntry { return refused.takeFocusForEntry() }
    send(.touchUpInside, key: key)
    switch text(.role) {
    case "submit": form?.submit()
    case "reset": form?.reset()
    default: break
    }
  }
}

extension ButtonView {
  /// What was entered in the dialog whose default button it is, and was refused. A form around it
  /// sees to that itself.
  private var refusedEntry: View? {
    guard text(.role) == "submit", form == nil else { return nil }
    var view = parent
    while let current = view, !(current is DialogView) { view = current.parent }
    return view?.enterAndFindRefused()
  }
}

extension View {
  /// Whether a position from the view's own corner is within it.
  func contains(_ position: Point) -> Bool { Rect(layout.rect.size).contains(position) }
}
