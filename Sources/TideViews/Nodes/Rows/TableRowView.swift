import TideBindings
import TideGraph

/// A row of a table: one view for each column, in the columns' places.
final class TableRowView: CellView {
  override var takesSubviews: Bool { true }

  override func naturalSize() -> Size {
    let heights = children.map { $0.layout.natural.height }
    return Size(width: 0, height: heights.max() ?? 1)
  }

  override func arrangeSubviews(in content: Rect, by layout: Layout) {
    guard let table = parent as? TableView else { return }
    for (child, column) in zip(children, table.places) {
      let x = content.x + column.lowerBound - table.offsetX
      var place = Rect(x: x, y: content.y, width: column.count, height: content.height)
      if !child.viewClass.stretches {
        place.width = min(place.width, child.layout.natural.width)
        place.x += child.alignment.offset(place.width, in: column.count)
      }
      layout.setFreely(child, place, within: content, of: self)
    }
  }
}

extension Layout {
  /// Gives a subview a place that may reach beyond what its superview shows of it.
  func setFreely(_ child: View, _ place: Rect, within content: Rect, of view: View) {
    let visible = place.intersection(content).intersection(view.layout.visible)
    if place != child.layout.rect || visible != child.layout.visible {
      child.layout.rect = place
      child.layout.visible = visible
      needsDraw(view)
      moved.append(child)
    } else if child.layout.flags.contains(.arrange) {
      moved.append(child)
    }
  }
}
