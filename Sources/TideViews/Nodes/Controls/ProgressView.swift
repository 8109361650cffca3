import TideBindings

/// A bar that is filled in proportion to `value` between `minimum` and `maximum`, in eighths of a
/// cell; a pale line shows how far it can go.
///
/// ```lua
/// view.progress { bindTo = { value = "download.part" } }
/// ```
///
/// Where the value is nil or no number, nobody knows how far it is: a part of the bar then moves to
/// and fro, ten times a second, while it is in sight and an event loop runs.
public final class ProgressView: View {
  /// Makes a bar with a progress; nil for an indeterminate one.
  public convenience init(value: Double? = 0) {
    self.init(viewClass: .progress)
    self.value = value
  }

  /// How far it has come, between `minimum` and `maximum`; nil where nobody knows.
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

  /// A quarter of the bar, on its way.
  private func drawUnknown(in canvas: Canvas) {
    let width = canvas.content.width
    let length = max(1, width / 4)
    let way = width - length
    let step = way > 0 ? (scene?.animation.tick ?? 0) % (2 * way) : 0
    let start = step <= way ? step : 2 * way - step
    draw(in: canvas) { (start..<start + length).contains($0) ? 8 : 0 }
    scene?.redrawAtNextTick(self)
  }

  /// Draws each column, of which so many eighths are filled.
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

  /// How much of the range is done, from 0 to 1; nil when the value is unknown.
  private var fraction: Double? {
    guard let value = peek(.value, as: Double?.self), !value.isNaN else { return nil }
    let minimum = peek(.minimum, as: Double.self)
    let fraction = (value - minimum) / (peek(.maximum, as: Double.self) - minimum)
    return fraction.isNaN ? 0 : max(0, min(1, fraction))
  }
}
