import TideBindings
import TideGraph

/// A row of a table: one view for each column, in the columns' spans.
final class TableRowView: CellView {
  override var takesSubviews: Bool { true }

  override func naturalSize() -> Size {
    let heights = children.map { $0.layout.natural.height }
    return Size(width: 0, height: heights.max() ?? 1)
  }

  /// True if rows have individual heights and a cell wraps.
  override var wraps: Bool {
    (parent as? TableView)?.flexible != nil && children.contains { $0.layout.hasWrap }
  }

  /// The height of its highest cell.
  override func naturalHeight(forWidth width: Int) -> Int {
    guard let table = parent as? TableView, let layout = scene?.layout else {
      return naturalSize().height
    }
    let heights = zip(children, table.spans).map { child, column in
      let natural = child.layout.natural.width
      let width = child.viewClass.stretches ? column.count : min(column.count, natural)
      return layout.height(of: child, width: width)
    }
    return heights.max() ?? 1
  }

  override func arrangeSubviews(in content: Rect, by layout: Layout) {
    guard let table = parent as? TableView else { return }
    for (child, column) in zip(children, table.spans) {
      let x = content.x + column.lowerBound - table.offsetX
      var rect = Rect(x: x, y: content.y, width: column.count, height: content.height)
      if !child.viewClass.stretches {
        rect.width = min(rect.width, child.layout.natural.width)
        rect.x += child.alignment.offset(rect.width, in: column.count)
      }
      layout.setFreely(child, rect, within: content, of: self)
    }
  }
}

extension Layout {
  /// Sets the rectangle of a subview that may extend beyond the visible part of its superview.
  func setFreely(_ child: View, _ rect: Rect, within content: Rect, of view: View) {
    place(child, rect, rect.intersection(content).intersection(view.layout.visible), in: view)
  }
}
