import TideBindings
import TideGraph

/// Draws the last values of a list that fit: `spark` and `bar` in eighths of a cell, `line` in
/// Braille dots, two values to a cell.
///
/// Without `minimum` and `maximum` the scale is that of the values in sight; bars then begin at 0.
/// A value that is no finite number leaves a gap.
public final class ChartView: View {
  private var content: ListFollowing?
  private var shownValues: Value = .null

  override func stateChanged() {
    let values = peek(.values, as: Value.self)
    if values == shownValues { return }
    shownValues = values
    content = ListFollowing(values) { [unowned self] _ in setNeedsDraw() }
    setNeedsDraw()
  }

  public override func naturalSize() -> Size {
    Size(width: 20, height: text(.kind) == "spark" ? 1 : 5)
  }

  public override func draw(in canvas: Canvas) {
    let area = canvas.content
    guard let content, !area.isEmpty else { return }
    let kind = text(.kind)
    let perCell = kind == "line" && canvas.symbols.isUnicode ? 2 : 1
    let count = content.count
    let first = max(0, count - area.width * perCell)
    let values = (first..<max(first, count)).map { index in
      Double?.make(from: content.row(index)).flatMap { $0 } ?? .nan
    }
    guard let scale = Scale(values, from: lowest(kind), to: peek(.maximum, as: Double?.self))
    else { return }
    if perCell == 2 {
      drawLine(values.map(scale.fraction), area, canvas)
    } else {
      drawLevels(values.map(scale.fraction), area, canvas)
    }
  }

  private func lowest(_ kind: String) -> Double? {
    peek(.minimum, as: Double?.self) ?? (kind == "bar" ? 0 : nil)
  }

  private func drawLevels(_ fractions: [Double?], _ area: Rect, _ canvas: Canvas) {
    let levels = canvas.symbols.levels
    // The latest value stands at the right.
    let left = area.maxX - fractions.count
    for (column, fraction) in fractions.enumerated() {
      guard let fraction else { continue }
      // A value at the bottom of the scale is seen as well.
      let filled = max(1, Int((fraction * Double(area.height * 8)).rounded()))
      for row in 0..<area.height {
        let level = max(0, min(8, filled - row * 8))
        if level == 0 { break }
        canvas.put(levels[level], x: left + column, y: area.maxY - 1 - row)
      }
    }
  }

  private func drawLine(_ fractions: [Double?], _ area: Rect, _ canvas: Canvas) {
    var dots = DotGrid(width: area.width, height: area.height)
    let left = area.width * 2 - fractions.count
    var before: Int?
    for (column, fraction) in fractions.enumerated() {
      guard let fraction else {
        before = nil
        continue
      }
      let y = Int(((1 - fraction) * Double(area.height * 4 - 1)).rounded())
      // From next to the dot before, so that the line has no gaps.
      let from = before.map { $0 < y ? $0 + 1 : ($0 > y ? $0 - 1 : y) } ?? y
      for row in min(from, y)...max(from, y) { dots.set(left + column, row) }
      before = y
    }
    dots.draw(at: area.origin, on: canvas)
  }

  /// Where values stand between the ends of the scale.
  private struct Scale {
    let low: Double
    let high: Double

    init?(_ values: [Double], from low: Double?, to high: Double?) {
      let finite = values.filter(\.isFinite)
      guard let least = finite.min(), let most = finite.max() else { return nil }
      self.low = low ?? least
      self.high = high ?? most
    }

    func fraction(_ value: Double) -> Double? {
      guard value.isFinite else { return nil }
      let fraction = (value - low) / (high - low)
      return fraction.isFinite ? max(0, min(1, fraction)) : 0
    }
  }
}
