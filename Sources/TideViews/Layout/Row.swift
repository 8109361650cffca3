/// Subviews arranged from left to right; they share the width.
struct Row: Arrangement {
  var axis: Axis { .horizontal }

  func naturalSize(of view: View) -> Size { lineSize(of: view) }

  func eachWidth(
    of view: View, in width: Int, by layout: Layout, _ tell: (View, Int) -> Void
  ) {
    shareWidth(width, of: view, by: layout)
    var index = 0
    for child in view.children where child.layout.isInFlow {
      tell(child, layout.items[index].size)
      index += 1
    }
  }

  func height(of view: View, in width: Int, by layout: Layout) -> Int {
    var height = 0
    for child in view.children where child.layout.isInFlow {
      height = max(height, child.foundHeight + child.layout.box.margin.vertical)
    }
    return height
  }

  func arrange(_ view: View, in content: Rect, by layout: Layout) {
    shareWidth(content.width, of: view, by: layout, height: content.height)
    let alignment = view.alignment
    let spacing = view.spacing
    // Computing the height of a wrapping subview overwrites the layout's `items`: they are copied.
    var items = layout.items
    var x = content.x
    x -= view.shift(
      of: &items, along: .horizontal, in: content.width, spacing: spacing,
      extra: { $0.layout.box.margin.horizontal })
    let widths = items.map(\.size)
    var index = 0
    for child in view.children where child.layout.isInFlow {
      let margin = child.layout.box.margin
      let width = widths[index]
      index += 1
      let room = max(0, content.height - margin.vertical)
      let box = child.layout.box
      let stretched = alignment == .stretch && !box.hasHeight && box.relative?.aspect == nil
      let height =
        stretched
        ? room
        : min(room, box.height(in: content.height) ?? layout.height(of: child, width: width))
      x += margin.left
      layout.set(
        child,
        Rect(
          x: x, y: content.y + margin.top + alignment.offset(height, in: room), width: width,
          height: height), in: content, of: view)
      x += width + margin.right + spacing
    }
  }

  /// The width of a subview with a relative size, before it grows.
  private func basis(of child: View, in content: Int, _ height: Int?) -> Int {
    let box = child.layout.box
    let width = box.width(in: content) ?? box.width(forHeight: height.flatMap(box.height(in:)))
    return box.clamped(width: width ?? child.layout.natural.width, in: content)
  }

  /// Stores the widths of the subviews in the layout's `items`.
  private func shareWidth(
    _ content: Int, of view: View, by layout: Layout, height: Int? = nil
  ) {
    layout.items.removeAll(keepingCapacity: true)
    var free = content
    for child in view.children where child.layout.isInFlow {
      let box = child.layout.box
      layout.items.append(
        Distribution.Item(
          basis: box.relative == nil
            ? child.layout.natural.width : basis(of: child, in: content, height),
          minimum: box.minWidth(in: content), maximum: box.maxWidth(in: content),
          grow: box.grow(along: .horizontal),
          shrinks: box.width == nil || box.grow(along: .horizontal) > 0))
      free -= box.margin.horizontal
    }
    free = max(0, free - view.spacing * max(0, layout.items.count - 1))
    Distribution.share(free, among: &layout.items)
  }
}
