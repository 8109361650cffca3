/// Subviews in the same rectangle, one of them visible; see `TabsView`.
struct Stacked: Arrangement {
  var axis: Axis { .vertical }

  func naturalSize(of view: View) -> Size {
    var size = Size.zero
    for child in view.arranged {
      let outer = child.outerSize
      size.width = max(size.width, outer.width)
      size.height = max(size.height, outer.height)
    }
    return size
  }

  func eachWidth(
    of view: View, in width: Int, by layout: Layout, _ tell: (View, Int) -> Void
  ) {
    for child in view.arranged {
      let room = max(0, width - child.layout.box.margin.horizontal)
      tell(child, child.width(in: room, .stretch, whole: width))
    }
  }

  func height(of view: View, in width: Int, by layout: Layout) -> Int {
    var height = 0
    for child in view.arranged {
      height = max(height, child.foundHeight + child.layout.box.margin.vertical)
    }
    return height
  }

  func arrange(_ view: View, in content: Rect, by layout: Layout) {
    for child in view.arranged {
      if view.hidesSubview(child) {
        layout.conceal(child, in: view)
        continue
      }
      let box = child.layout.box
      let room = content.inset(by: box.margin)
      let fixed = box.height(in: content.height)
      let width = child.width(
        in: room.width, view.alignment, whole: content.width, height: fixed)
      let height = fixed ?? box.ratioOfHeight.map { BoxStyle.height(forWidth: width, $0) }
      layout.set(
        child,
        Rect(
          x: room.x + child.offset(of: width, in: room.width, view.alignment), y: room.y,
          width: width, height: min(room.height, height ?? room.height)), in: content, of: view)
    }
  }
}
