import TideBindings
import TideGraph

/// A column in the middle of the screen, above all other views, independent of its superview's
/// layout.
///
/// ```swift
/// let dialog = try ViewClass.dialog.make([LabelView("Delete it?"), yes, no])
/// dialog[.title] = "Sure?"
/// dialog[.modal] = true
/// try root.add(dialog)
/// ```
///
/// It has its natural size, limited to the screen; the dialog shown last is on top. While a `modal`
/// dialog is shown, views below it receive no keys and no mouse events, Tab stays inside, and the
/// focus moves to its `autofocus` view or to its first focusable view. When it closes, the focus
/// returns to the previous view. A dialog that is not modal takes the focus only for a view with
/// `autofocus`.
///
/// If several users share the screen, a dialog that opens during one user's action is shown to that
/// user only, until it is hidden again.
///
/// Escape, if nothing inside handles it, and a click on the close button send `close`. An unhandled
/// Escape elsewhere sends `close` to the topmost dialog. If no handler handles `close`, the dialog
/// is hidden.
public class DialogView: View {
  private var isPressed = false
  /// The only user who sees the dialog; nil if everyone does.
  package private(set) final var person: ScenePerson?
  /// The view that had that user's focus before; nil if the user had none.
  private(set) final weak var formerFocus: View?

  /// Whether it is shown now or will be in the next frame.
  package final var isOpen: Bool { scene != nil && isShown }

  /// Shows the dialog to one user only.
  final func belong(to person: ScenePerson?, whoseFocusIs view: View?) {
    self.person = person
    formerFocus = view
  }

  /// Shows the dialog to another user, because its user has left; nil shows it to everyone.
  package final func handOver(to other: ScenePerson?) {
    person = other
    setNeedsDraw()
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    guard let old = old as? DialogView else { return }
    isPressed = old.isPressed
    belong(to: old.person, whoseFocusIs: old.formerFocus)
  }

  override var isFloat: Bool { true }
  override var leastWidth: Int { widthOfTitle + 4 }

  override func floatingRect(on screen: Rect, by layout: Layout) -> Rect {
    let natural = self.layout.natural
    let box = self.layout.box
    let margin = box.margin
    let fixed = box.height(in: screen.height)
    let wanted =
      box.relative == nil
      ? natural.width
      : box.clamped(
        width: box.width(in: screen.width) ?? box.width(forHeight: fixed) ?? natural.width,
        in: screen.width)
    let width = min(wanted, max(0, screen.width - margin.horizontal))
    let height = fixed ?? layout.height(of: self, width: width)
    let room = max(0, screen.height - margin.vertical)
    return Rect(
      x: screen.x + (screen.width - width) / 2,
      y: screen.y + max(0, screen.height - min(height, room)) / 2, width: width,
      height: min(height, room))
  }

  package override func draw(in canvas: Canvas) {
    let hasMark = closeMark(canvas.size.width) != nil
    canvas.drawBorder(title: text(.title), reserved: hasMark ? 4 : 0)
    if let mark = closeMark(canvas.size.width) {
      canvas.write("[\(canvas.symbols.cross)]", x: mark.lowerBound, y: 0, style: canvas.style.line)
    }
  }

  /// The columns of the close button; nil if the dialog is too narrow for one.
  private func closeMark(_ width: Int) -> Range<Int>? {
    width >= 10 ? width - 5..<width - 2 : nil
  }

  /// Sends `close`, and hides the dialog if no handler handles it.
  public func close(by key: Key? = nil) {
    if !send(.close, key: key) { put(.hidden, .boolean(true)) }
  }

  override func perform(_ action: ViewAction) -> Bool {
    guard case .close = action else { return false }
    close()
    return true
  }

  package override func handle(_ key: Key) -> Bool {
    guard key == Key(.escape) else { return false }
    close(by: key)
    return true
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    let isOnMark =
      mouse.position.y == 0
      && closeMark(layout.rect.width)?.contains(mouse.position.x) == true
    switch mouse.kind {
    case .press(.left): isPressed = isOnMark
    case .release(.left):
      if isPressed && isOnMark { close() }
      isPressed = false
    default: break
    }
    // Mouse events on a dialog do not reach its superview. The right button is left unhandled
    // because it opens a context menu.
    return mouse.kind != .press(.right)
  }
}
