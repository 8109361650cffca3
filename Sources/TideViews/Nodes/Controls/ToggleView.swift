import TideBindings
import TideGraph

/// A switch or a checkbox with a title. Enter, Space and a click toggle it and send `valueChanged`
/// with the new `isOn`.
///
/// ```swift
/// let sound = ToggleView("Sound", isOn: true)
/// ```
public final class ToggleView: PressableView {
  /// Makes a toggle with a title.
  public convenience init(_ title: String = "", isOn: Bool = false) {
    self.init(viewClass: .toggle)
    self[.title] = title
    self.isOn = isOn
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    adopt(.isOn, of: old, reconciliation)
  }

  override var declaredProperties: [ViewProperty] { [.isOn] }

  /// Whether it is on.
  public var isOn: Bool {
    get { self[.isOn] }
    set { self[.isOn] = newValue }
  }

  private func mark(_ symbols: Symbols) -> String {
    if viewClass.inherits(from: .checkbox) {
      return flag(.isOn) ? symbols.checked : symbols.unchecked
    }
    return flag(.isOn) ? symbols.on : symbols.off
  }

  /// One row, as wide as the mark and the title.
  package override func naturalSize() -> Size {
    let title = CharacterWidth.of(text(.title))
    let mark = CharacterWidth.of(mark(.unicode))
    return Size(width: mark + (title > 0 ? title + 1 : 0), height: 1)
  }

  package override func draw(in canvas: Canvas) {
    let area = canvas.content
    let mark = mark(canvas.symbols)
    let style = flag(.focused) != isPressed ? withFocus(canvas.style) : canvas.style
    canvas.write(mark, x: area.x, y: area.y, style: style, within: area)
    let used = CharacterWidth.of(mark) + 1
    let title = TextLines.truncated(
      text(.title), width: area.width - used, ellipsis: canvas.symbols.ellipsis)
    canvas.write(title, x: area.x + used, y: area.y, within: area)
  }

  // The edit begins here, because the press applies to the record shown now.
  override func pressBegan() { _ = beginsEdit() }

  override func press(_ key: Key?) {
    guard beginsEdit(entering: isOn ? "off " : "on ") else { return }
    isOn.toggle()
    send(.valueChanged, key: key, value: .boolean(isOn))
  }
}
