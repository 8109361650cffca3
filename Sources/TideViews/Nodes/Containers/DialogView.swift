import TideBindings
import TideGraph

/// A column that stands in the middle of the screen, above everything else, wherever it is in the
/// tree.
///
/// ```swift
/// let dialog = try ViewClass.dialog.make([LabelView("Delete it?"), yes, no])
/// dialog[.title] = "Sure?"
/// dialog[.modal] = true
/// try root.add(dialog)
/// ```
///
/// It is as large as it wants to be, and no larger than the screen; the dialog shown last is the
/// highest. While a `modal` one shows, keys and mouse reach nothing below it, Tab stays inside, and
/// the focus goes to its first view that can have it; when it goes, the focus is given back. One
/// that is not modal leaves the focus where it is.
///
/// Where several people share the screen, a dialog that appears in the course of somebody's act is
/// shown to that person only, until it is hidden again.
///
/// Escape, when nothing inside takes it, and a click on the mark in the upper right corner send
/// `close`. So does an Escape elsewhere that nobody takes, to the highest dialog. The app decides
/// what that means; where nobody handles it the dialog is hidden.
public class DialogView: View {
  private var isPressed = false
  /// The only person who sees the dialog; nil if everyone does.
  package private(set) final var person: ScenePerson?
  /// Where that person's focus was before; nil if the person had none.
  private(set) final weak var formerFocus: View?

  /// Whether it shows, or will with the next frame.
  package final var isOpen: Bool { scene != nil && isShown }

  /// Shows the dialog to one person only.
  final func belong(to person: ScenePerson?, whoseFocusIs view: View?) {
    self.person = person
    formerFocus = view
  }

  /// Shows the dialog to another person from now on, because its own one has left; nil stands for
  /// everyone.
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

  /// The cells of the mark that closes it; nil where there is no room.
  private func closeMark(_ width: Int) -> Range<Int>? {
    width >= 10 ? width - 5..<width - 2 : nil
  }

  /// Sends `close`, and hides the dialog when nobody takes it.
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
    // Whatever happens on a dialog does not happen to the view it stands in; the right button
    // opens a context menu.
    return mouse.kind != .press(.right)
  }
}
