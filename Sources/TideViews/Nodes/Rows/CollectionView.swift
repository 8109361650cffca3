import TideBindings
import TideGraph

/// Shows the rows of a list as a grid of cells, from left to right, then downwards.
///
/// ```lua
/// view.collection { items = photos, itemWidth = 12, rowHeight = 4, cell = function()
///   return view.cell { view.label { bindTo = { text = "dataObject.title" } } }
/// end }
/// ```
///
/// As many cells as fit stand side by side, each `itemWidth` wide and `rowHeight` high, or as large
/// as the first cell's natural size, with `spacing` between them. With `rowHeight = "auto"`, a line
/// is as high as its highest cell. Left and Right select the cell beside, Up and Down the cell
/// above or below; everything else is as in `RowsView`.
public final class CollectionView: RowsView {
  /// The size of up to four cells a line and ten lines.
  package override func naturalSize() -> Size {
    followItems()
    let across = min(max(1, count), 4)
    return Size(
      width: across * (itemWidth + spacing) - spacing,
      height: height(ofFirst: min((count + across - 1) / across, 10)))
  }

  private var itemWidth: Int {
    max(1, BoxStyle.cells(peek(.itemWidth, as: Double?.self)) ?? pool.foundSize?.width ?? 10)
  }

  override var perLine: Int {
    let width = body.width
    let step = itemWidth + spacing
    func fitting(_ width: Int) -> Int { max(1, (width + spacing) / step) }
    if flexible != nil { return fitting(bodyWidth) }
    let all = fitting(width)
    // The scroll bar may take the space of one cell.
    let lines = (count + all - 1) / all
    return width > 2 && lines > wholeLines ? fitting(width - 1) : all
  }

  override func columns(ofRow row: Int) -> Range<Int> {
    let x = row % perLine * (itemWidth + spacing)
    return x..<x + max(0, min(itemWidth, bodyWidth - x))
  }

  override func target(of key: Key) -> Int? {
    switch key {
    case Key(.left): return selection.map { $0 - 1 } ?? count - 1
    case Key(.right): return selection.map { $0 + 1 } ?? 0
    case Key(.up):
      // In the first and last line, the key keeps the selection.
      return selection.map { $0 < perLine ? $0 : $0 - perLine } ?? count - 1
    case Key(.down):
      guard let selection else { return 0 }
      if selection + perLine < count { return selection + perLine }
      return selection / perLine == (count - 1) / perLine ? selection : count - 1
    case Key(.pageUp):
      guard let selection else { return 0 }
      let row = row(selection, pages: -1)
      return row < 0 ? selection % perLine : row
    case Key(.pageDown):
      let row = row(selection ?? 0, pages: 1)
      return min(count - 1, row, (lineCount - 1) * perLine + row % perLine)
    default: return super.target(of: key)
    }
  }
}
