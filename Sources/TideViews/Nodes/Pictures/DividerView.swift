/// A line between its neighbours: horizontal in a column, vertical in a row.
///
/// ```lua
/// view.column { view.label { text = "above" }, view.divider(), view.label { text = "below" } }
/// ```
public final class DividerView: View {
  private var isVertical: Bool { parent?.viewClass.arrangement?.axis == .horizontal }

  /// One cell; the layout stretches it.
  package override func naturalSize() -> Size { Size(width: 1, height: 1) }

  package override func draw(in canvas: Canvas) {
    let shown = canvas.shown(canvas.content)
    let line = canvas.symbols.border[isVertical ? 1 : 0]
    for y in shown.rows {
      for x in shown.columns { canvas.put(line, x: x, y: y) }
    }
  }
}
