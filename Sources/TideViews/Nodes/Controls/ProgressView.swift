import TideBindings

/// A bar that is filled in proportion to `value` between `minimum` and `maximum`, in eighths of a
/// cell; a pale line shows how far it can go.
public final class ProgressView: View {
  public convenience init(value: Double = 0) {
    self.init(viewClass: .progress)
    self.value = value
  }

  public var value: Double {
    get { self[.value] }
    set { self[.value] = newValue }
  }

  public override func naturalSize() -> Size { Size(width: 20, height: 1) }

  public override func draw(in canvas: Canvas) {
    let area = canvas.content
    let levels = canvas.symbols.eighths
    let filled = Int((fraction * Double(area.width * 8)).rounded())
    for x in 0..<area.width {
      let level = max(0, min(8, filled - x * 8))
      let isEmpty = levels[level] == " "
      for y in 0..<area.height {
        canvas.put(
          isEmpty ? canvas.symbols.gridLine : levels[level], x: area.x + x, y: area.y + y,
          style: isEmpty ? canvas.style.hint : canvas.style)
      }
    }
  }

  private var fraction: Double {
    let value = peek(.value, as: Double.self)
    let minimum = peek(.minimum, as: Double.self)
    let range = peek(.maximum, as: Double.self) - minimum
    let fraction = (value - minimum) / range
    return fraction.isNaN ? 0 : max(0, min(1, fraction))
  }
}
