/// Subviews arranged from top to bottom; they share the height.
struct Column: Arrangement {
  var axis: Axis { .vertical }

  func naturalSize(of view: View) -> Size { lineSize(of: view) }

  func eachWidth(
    of view: View, in width: Int, by layout: Layout, _ tell: (View, Int) -> Void
  ) {
    for child in view.children where child.layout.isInFlow {
      tell(child, self.width(of: child, in: width, of: view))
    }
  }

  func height(of view: View, in width: Int, by layout: Layout) -> Int {
    var height = 0
    var count = 0
    for child in view.children where child.layout.isInFlow {
      height += child.foundHeight + child.layout.box.margin.vertical
      count += 1
    }
    return height + view.spacing * max(0, count - 1)
  }

  func arrange(_ view: View, in content: Rect, by layout: Layout) {
    arrange(view, in: content, by: layout, clip: nil)
  }

  /// Arranges within a scrollable area: only the part inside `clip` is visible, and relative sizes
  /// refer to the size of `clip`.
  func arrange(_ view: View, in content: Rect, by layout: Layout, clip: Rect?) {
    if view.children.isEmpty { return }
    let spacing = view.spacing
    let whole = clip?.size ?? content.size
    var items: [Distribution.Item] = []
    var widths: [Int] = []
    var free = content.height
    for child in view.children where child.layout.isInFlow {
      let box = child.layout.box
      let fixed = box.height(in: whole.height)
      let width = width(of: child, in: content.width, of: view, whole: whole.width, height: fixed)
      widths.append(width)
      items.append(
        Distribution.Item(
          basis: fixed ?? layout.height(of: child, width: width),
          grow: box.grow(along: .vertical),
          shrinks: box.grow(along: .vertical) > 0 || box.relative?.height != nil))
      free -= box.margin.vertical
    }
    free = max(0, free - spacing * max(0, items.count - 1))
    Distribution.share(free, among: &items)
    var y = content.y
    if clip == nil {
      y -= view.shift(
        of: &items, along: .vertical, in: content.height, spacing: spacing,
        extra: { $0.layout.box.margin.vertical })
    }
    var index = 0
    for child in view.children where child.layout.isInFlow {
      let margin = child.layout.box.margin
      let room = max(0, content.width - margin.horizontal)
      let width = widths[index]
      y += margin.top
      layout.set(
        child,
        Rect(
          x: content.x + margin.left + child.offset(of: width, in: room, view.alignment), y: y,
          width: width, height: items[index].size), in: content, of: view, clip: clip)
      y += items[index].size + margin.bottom + spacing
      index += 1
    }
  }

  /// The width of a subview. Relative sizes refer to `whole`; the height is passed if it is known.
  func width(
    of child: View, in content: Int, of view: View, whole: Int? = nil, height: Int? = nil
  ) -> Int {
    let box = child.layout.box
    return child.width(
      in: max(0, content - box.margin.horizontal), view.alignment, whole: whole ?? content,
      height: height)
  }
}

extension View {
  /// The view's width in a given space, without margins.
  ///
  /// - Parameters:
  ///   - whole: the inner width of the superview, which relative sizes refer to.
  ///   - height: the view's height, if it is already known.
  func width(
    in room: Int, _ alignment: Alignment, whole: Int, height: Int? = nil
  ) -> Int {
    let box = layout.box
    if let width = box.width(in: whole) ?? box.width(forHeight: height) {
      return min(room, box.clamped(width: width, in: whole))
    }
    if alignment == .stretch && viewClass.stretches {
      return min(room, box.clamped(width: room, in: whole))
    }
    if box.relative == nil { return min(room, layout.natural.width) }
    return min(room, box.clamped(width: layout.natural.width, in: whole))
  }

  /// The view's distance from the left edge of its space.
  ///
  /// A view that is only as wide as its content has no inner space to align in, so its own `align`
  /// positions the view itself. Otherwise the superview's `align` does.
  func offset(of width: Int, in room: Int, _ alignment: Alignment) -> Int {
    let fitsContent = !viewClass.stretches && !layout.box.hasWidth
    let isOwn = fitsContent && self.alignment != .stretch
    return (isOwn ? self.alignment : alignment).offset(width, in: room)
  }
}

/// An arrangement that measures like a column and only positions its subviews differently.
protocol ColumnArrangement: Arrangement {}

extension ColumnArrangement {
  var column: Column { Column() }

  var axis: Axis { .vertical }

  func naturalSize(of view: View) -> Size { column.naturalSize(of: view) }

  func eachWidth(
    of view: View, in width: Int, by layout: Layout, _ tell: (View, Int) -> Void
  ) {
    column.eachWidth(of: view, in: width, by: layout, tell)
  }

  func height(of view: View, in width: Int, by layout: Layout) -> Int {
    column.height(of: view, in: width, by: layout)
  }
}
