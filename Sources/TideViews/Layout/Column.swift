/// Subviews below each other; they share the height.
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

  /// As a part of something that shows only what is within `clip`, and of whose size parts are
  /// taken.
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
      y -= view.shift(of: &items, in: content.height, spacing: spacing) { child in
        child.layout.box.margin.vertical
      }
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

  /// How wide a subview is, where parts are taken of `whole`, and its height is perhaps known.
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
  /// How wide it is where it stands alone in a room, margins apart.
  ///
  /// - Parameters:
  ///   - whole: the inner width of the superview, of which parts are taken.
  ///   - height: its height, where that is known before.
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

  /// How far from the left of the room it stands.
  ///
  /// What is only as wide as what it shows has no room inside that its own `align` could use: there
  /// it says where the view itself stands. Otherwise the superview's says it.
  func offset(of width: Int, in room: Int, _ alignment: Alignment) -> Int {
    let fitsContent = !viewClass.stretches && !layout.box.hasWidth
    let isOwn = fitsContent && self.alignment != .stretch
    return (isOwn ? self.alignment : alignment).offset(width, in: room)
  }
}

/// An arrangement that measures as a column does and only positions its subviews in a way of its
/// own.
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
