import TideBindings

/// A number on a line, from `minimum` at the left to `maximum` at the right.
///
/// ```swift
/// let volume = try ViewClasses().make("slider")
/// volume[ViewKey<Double>("maximum")] = 11
/// volume[ViewKey<Double>("step")] = 1
/// ```
///
/// Left and Down decrease the value by `step`, Right and Up increase it; without a step they move a
/// twentieth of the range. PageUp and PageDown move a tenth of the range, at least one step; Home
/// and End go to the ends. The mouse sets and drags it, the wheel moves it. Each change sends
/// `valueChanged`.
public final class SliderView: RangeView {
  private var isDragged = false

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    if let old = old as? SliderView { isDragged = old.isDragged }
  }

  /// 20 by 1 cells.
  package override func naturalSize() -> Size { Size(width: 20, height: 1) }

  private func knob(_ width: Int) -> Int {
    width <= 1 ? 0 : Int((fraction * Double(width - 1)).rounded())
  }

  package override func draw(in canvas: Canvas) {
    let area = canvas.content
    if area.isEmpty { return }
    let knob = knob(area.width)
    let symbols = canvas.symbols
    let isHighlighted = flag(.focused) || isDragged
    for x in canvas.shown(area).columns {
      if x - area.x < knob {
        canvas.put(symbols.heavyLine, x: x, y: area.y)
      } else if x - area.x > knob {
        canvas.put(symbols.border[0], x: x, y: area.y, style: canvas.style.hint)
      }
    }
    canvas.put(
      symbols.knob, x: area.x + knob, y: area.y,
      style: isHighlighted ? withFocus(canvas.style) : canvas.style)
  }

  package override func handle(_ key: Key) -> Bool {
    let small = step(or: range / 20)
    let large = max(small, range / 10)
    switch key {
    case Key(.left), Key(.down), Key(Character("-")): move(-1, or: -small, key)
    case Key(.right), Key(.up), Key(Character("+")): move(1, or: small, key)
    case Key(.pageDown): move(-stepsOfTenth, or: -large, key)
    case Key(.pageUp): move(stepsOfTenth, or: large, key)
    default: return super.handle(key)
    }
    return true
  }

  /// Moves by a number of steps, or by the distance if the value is not an integer.
  private func move(_ steps: Int, or distance: Double, _ key: Key?) {
    if !moveWhole(steps, key) { change(to: onStep(shownValue + distance), key) }
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left):
      isDragged = true
      follow(mouse)
    case .drag(.left): follow(mouse)
    case .release(.left): isDragged = false
    case .scroll(let rows):
      let direction = rows > 0 ? -1 : 1
      move(direction, or: Double(direction) * step(or: range / 20), nil)
    default: return false
    }
    setNeedsDraw()
    return true
  }

  private func follow(_ mouse: MouseEvent) {
    let area = Rect(layout.rect.size).inset(by: insets)
    if area.width <= 1 { return }
    let x = max(0, min(mouse.position.x - area.x, area.width - 1))
    // A press on the knob's own cell does not change the value.
    if x == knob(area.width) && mouse.kind == .press(.left) { return }
    change(to: value(at: Double(x) / Double(area.width - 1)), nil)
  }
}
