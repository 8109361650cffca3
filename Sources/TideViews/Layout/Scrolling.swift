/// A column that may be larger than its viewport; see `ScrollView`.
struct Scrolling: ColumnArrangement {
  func arrange(_ view: View, in content: Rect, by layout: Layout) {
    guard let scroll = view as? ScrollView else { return }
    // A scroll bar takes space, which may make the other bar necessary.
    var port = content
    var extent = self.extent(of: view, in: port, by: layout)
    if extent.height > port.height && content.width > 2 {
      port.width -= 1
      extent = self.extent(of: view, in: port, by: layout)
    }
    if extent.width > port.width && content.height > 2 {
      port.height -= 1
      if extent.height > port.height && port.width == content.width && content.width > 2 {
        port.width -= 1
        extent = self.extent(of: view, in: port, by: layout)
      }
    }
    let size = Size(
      width: max(extent.width, port.width), height: max(extent.height, port.height))
    let origin = scroll.originOfContent(extent, in: port)
    column.arrange(
      view, in: Rect(x: origin.x, y: origin.y, width: size.width, height: size.height),
      by: layout, clip: port)
  }

  /// The size of the content for a viewport.
  private func extent(of view: View, in port: Rect, by layout: Layout) -> Size {
    let width = port.width
    var wide = 0
    for child in view.arranged {
      let box = child.layout.box
      let own =
        child.layout.hasWrap
        ? box.width(in: width) ?? box.minWidth(in: width)
        : box.relative?.width == nil ? child.layout.natural.width : box.width(in: width) ?? 0
      wide = max(wide, own + box.margin.horizontal)
    }
    let room = max(wide, width)
    var height = 0
    var count = 0
    for child in view.arranged {
      let fixed = child.layout.box.height(in: port.height)
      let own =
        fixed
        ?? layout.height(
          of: child, width: column.width(of: child, in: room, of: view, whole: width))
      height += own + child.layout.box.margin.vertical
      count += 1
    }
    return Size(width: wide, height: height + view.spacing * max(0, count - 1))
  }
}
