import TideBindings

/// A number between two buttons that decrease and increase it, `[-] 3 [+]`.
///
/// ```swift
/// let copies = try ViewClasses().make("stepper")
/// copies[.value] = 1
/// ```
///
/// The defaults are 0 to 100 in steps of 1; see `minimum`, `maximum` and `step`. Down, Left and `-`
/// decrease the value, Up, Right and `+` increase it, PageDown and PageUp move ten steps, Home and
/// End go to the ends. A click on a button and the wheel move one step. Each change sends
/// `valueChanged`.
public final class StepperView: RangeView {
  private enum Part { case less, more }
  private var pressed: Part?

  private static let button = 3

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    if let old = old as? StepperView { pressed = old.pressed }
  }

  /// One row, with space for both buttons and at most 12 cells of the value.
  package override func naturalSize() -> Size {
    let step = step(or: 1)
    let values = [minimum, onStep(minimum + step), onStep(maximum - step), maximum, shownValue]
    let texts = values.map { CharacterWidth.of(Self.text($0)) }
    return Size(width: min(12, texts.max() ?? 1) + 2 * Self.button + 2, height: 1)
  }

  package override func draw(in canvas: Canvas) {
    let area = canvas.content
    if area.isEmpty { return }
    let line = Rect(x: area.x, y: area.y, width: area.width, height: 1)
    let style = canvas.style
    let highlighted = flag(.focused) ? withFocus(style) : style
    if area.width > 2 * Self.button {
      canvas.write("[-]", x: area.x, y: area.y, style: button(.less, style), within: line)
      canvas.write(
        "[+]", x: area.maxX - Self.button, y: area.y, style: button(.more, style), within: line)
    }
    let room = valueArea(line)
    let text = TextLines.truncated(
      Self.text(shownValue), width: room.width, ellipsis: canvas.symbols.ellipsis)
    let offset = Alignment.center.offset(CharacterWidth.of(text), in: room.width)
    canvas.write(text, x: room.x + offset, y: area.y, style: highlighted, within: line)
  }

  private func button(_ part: Part, _ style: CellStyle) -> CellStyle {
    if pressed == part { return style.focused }
    let isAtEnd = part == .less ? shownValue <= minimum : shownValue >= maximum
    return isAtEnd ? style.hint : style
  }

  private func valueArea(_ line: Rect) -> Rect {
    if line.width <= 2 * Self.button { return line }
    let inner = line.inset(by: Sides(right: Self.button, left: Self.button))
    return inner.width > 4 ? inner.inset(by: Sides(right: 1, left: 1)) : inner
  }

  private func part(at point: Point) -> Part? {
    let area = Rect(layout.rect.size).inset(by: insets)
    guard area.width > 2 * Self.button, point.y == area.y else { return nil }
    if point.x >= area.x && point.x < area.x + Self.button { return .less }
    if point.x >= area.maxX - Self.button && point.x < area.maxX { return .more }
    return nil
  }

  private func move(_ steps: Double, _ key: Key?) {
    if moveWhole(Int(steps), key) { return }
    change(to: onStep(shownValue + steps * step(or: 1)), key)
  }

  package override func handle(_ key: Key) -> Bool {
    switch key {
    case Key(.down), Key(.left), Key(Character("-")): move(-1, key)
    case Key(.up), Key(.right), Key(Character("+")): move(1, key)
    case Key(.pageDown): move(-10, key)
    case Key(.pageUp): move(10, key)
    default: return super.handle(key)
    }
    return true
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left):
      pressed = part(at: mouse.position)
      if let pressed { move(pressed == .less ? -1 : 1, nil) }
    case .drag(.left): break
    case .release(.left): pressed = nil
    case .scroll(let rows): move(rows > 0 ? -1 : 1, nil)
    default: return false
    }
    setNeedsDraw()
    return true
  }
}
