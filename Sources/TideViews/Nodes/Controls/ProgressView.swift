import TideBindings

/// A bar filled in proportion to `value` between `minimum` and `maximum`, in eighths of a cell; a
/// dimmed line shows the rest.
///
/// ```lua
/// view.progress { bindTo = { value = "download.part" } }
/// ```
///
/// If the value is nil or not a number, the progress is indeterminate: a part of the bar moves back
/// and forth, ten times a second, while the bar is visible and an event loop runs.
public final class ProgressView: View {
  /// Makes a bar with a value; nil for an indeterminate one.
  public convenience init(value: Double? = 0) {
    self.init(viewClass: .progress)
    self.value = value
  }

  /// The progress, between `minimum` and `maximum`; nil if it is indeterminate.
  public var value: Double? {
    get { self[ViewKey<Double?>(.value)] }
    set { self[ViewKey<Double?>(.value)] = newValue }
  }

  override var declaredProperties: [ViewProperty] { [.value] }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    adopt(.value, of: old, reconciliation)
  }

  /// 20 by 1 cells.
  package override func naturalSize() -> Size { Size(width: 20, height: 1) }

  package override func draw(in canvas: Canvas) {
    guard let fraction else { return drawUnknown(in: canvas) }
    let filled = Int((fraction * Double(canvas.content.width * 8)).rounded())
    draw(in: canvas) { max(0, min(8, filled - $0 * 8)) }
  }

  /// Draws a quarter of the bar at its current position.
  private func drawUnknown(in canvas: Canvas) {
    let width = canvas.content.width
    let length = max(1, width / 4)
    let way = width - length
    let step = way > 0 ? (scene?.animation.tick ?? 0) % (2 * way) : 0
    let start = step <= way ? step : 2 * way - step
    draw(in: canvas) { (start..<start + length).contains($0) ? 8 : 0 }
    scene?.redrawAtNextTick(self)
  }

  /// Draws the columns; the function returns how many eighths of a column are filled.
  private func draw(in canvas: Canvas, filled: (Int) -> Int) {
    let area = canvas.content
    let shown = canvas.shown(area)
    for x in shown.columns {
      let level = canvas.symbols.eighths[filled(x - area.x)]
      let isEmpty = level == " "
      for y in shown.rows {
        canvas.put(
          isEmpty ? canvas.symbols.gridLine : level, x: x, y: y,
          style: isEmpty ? canvas.style.hint : canvas.style)
      }
    }
  }

  /// The filled part of the range, from 0 to 1; nil when the value is unknown.
  private var fraction: Double? {
    guard let value = peek(.value, as: Double?.self), !value.isNaN else { return nil }
    let minimum = peek(.minimum, as: Double.self)
    let fraction = (value - minimum) / (peek(.maximum, as: Double.self) - minimum)
    return fraction.isNaN ? 0 : max(0, min(1, fraction))
  }
}
