/// Panes with dividers between them; see `SplitView`.
struct Panes: Arrangement {
  var axis: Axis { .horizontal }

  func naturalSize(of view: View) -> Size {
    let axis = (view as? SplitView)?.axis ?? .horizontal
    var along = 0
    var across = 0
    var count = 0
    for child in view.arranged {
      let size = child.outerSize
      along += axis == .horizontal ? size.width : size.height
      across = max(across, axis == .horizontal ? size.height : size.width)
      count += 1
    }
    along += max(0, count - 1)
    return axis == .horizontal
      ? Size(width: along, height: across) : Size(width: across, height: along)
  }

  func eachWidth(
    of view: View, in width: Int, by layout: Layout, _ tell: (View, Int) -> Void
  ) {
    guard let split = view as? SplitView else { return }
    let panes = Array(view.arranged)
    let sizes = split.axis == .horizontal ? split.shares(of: panes, in: width) : []
    for (index, child) in panes.enumerated() {
      let room = split.axis == .horizontal ? sizes[index] : width
      tell(child, max(0, room - child.layout.box.margin.horizontal))
    }
  }

  func height(of view: View, in width: Int, by layout: Layout) -> Int {
    let isStacked = (view as? SplitView)?.axis == .vertical
    var height = 0
    var count = 0
    for child in view.arranged {
      let own = child.foundHeight + child.layout.box.margin.vertical
      height = isStacked ? height + own : max(height, own)
      count += 1
    }
    return isStacked ? height + max(0, count - 1) : height
  }

  func arrange(_ view: View, in content: Rect, by layout: Layout) {
    guard let split = view as? SplitView else { return }
    let panes = Array(view.arranged)
    let isStacked = split.axis == .vertical
    let sizes = split.shares(of: panes, in: isStacked ? content.height : content.width)
    split.note(sizes, in: content)
    var start = isStacked ? content.y : content.x
    for (index, child) in panes.enumerated() {
      let pane =
        isStacked
        ? Rect(x: content.x, y: start, width: content.width, height: sizes[index])
        : Rect(x: start, y: content.y, width: sizes[index], height: content.height)
      layout.set(child, pane.inset(by: child.layout.box.margin), in: content, of: view)
      start += sizes[index] + 1
    }
  }
}
