extension Layout {
  /// Shares a view's area among its subviews.
  func arrange(_ view: View) {
    let content = view.layout.place.inset(by: view.insets)
    guard let axis = view.viewClass.axis else {
      view.arrangeSubviews(in: content, by: self)
      return
    }
    if view.children.isEmpty { return }
    if fillWindow(view, content) { return }
    if axis == .horizontal {
      arrangeRow(view, content)
    } else {
      arrangeColumn(view, content)
    }
  }

  /// The only view in a window is as large as the window, but for a size of its own.
  private func fillWindow(_ view: View, _ content: Rect) -> Bool {
    guard view.viewClass.inherits(from: .window), view.children.count == 1,
      let child = view.children.first, !child.layout.box.isHidden
    else { return false }
    let box = child.layout.box
    let room = content.inset(by: box.margin)
    set(
      child,
      Rect(
        x: room.x, y: room.y, width: min(room.width, box.clamped(width: box.width ?? room.width)),
        height: min(room.height, box.height ?? room.height)), in: content, of: view)
    return true
  }

  private func arrangeRow(_ view: View, _ content: Rect) {
    shareWidth(content.width, of: view)
    let alignment = view.alignment
    let spacing = view.spacing
    // Heights of what wraps ask for shares of their own, so these are put aside.
    let widths = items.map(\.size)
    var x = content.x
    var place = 0
    for child in view.children where !child.layout.box.isHidden {
      let margin = child.layout.box.margin
      let width = widths[place]
      place += 1
      let room = max(0, content.height - margin.vertical)
      let stretched = alignment == .stretch && child.layout.box.height == nil
      let height = stretched ? room : min(room, self.height(of: child, width: width))
      x += margin.left
      set(
        child,
        Rect(
          x: x, y: content.y + margin.top + alignment.offset(height, in: room), width: width,
          height: height), in: content, of: view)
      x += width + margin.right + spacing
    }
  }

  private func arrangeColumn(_ view: View, _ content: Rect) {
    let alignment = view.alignment
    let spacing = view.spacing
    var fresh: [Distribution.Item] = []
    var widths: [Int] = []
    var free = content.height
    for child in view.children where !child.layout.box.isHidden {
      let width = width(of: child, in: content.width, of: view)
      let box = child.layout.box
      widths.append(width)
      fresh.append(
        Distribution.Item(
          basis: box.height ?? height(of: child, width: width), grow: box.grow,
          shrinks: box.grow > 0 && box.height == nil))
      free -= box.margin.vertical
    }
    free = max(0, free - spacing * max(0, fresh.count - 1))
    Distribution.share(free, among: &fresh)
    var y = content.y
    var place = 0
    for child in view.children where !child.layout.box.isHidden {
      let margin = child.layout.box.margin
      let room = max(0, content.width - margin.horizontal)
      let width = widths[place]
      y += margin.top
      set(
        child,
        Rect(
          x: content.x + margin.left + alignment.offset(width, in: room), y: y, width: width,
          height: fresh[place].size), in: content, of: view)
      y += fresh[place].size + margin.bottom + spacing
      place += 1
    }
  }

  /// How wide a subview of a column is.
  func width(of child: View, in content: Int, of view: View) -> Int {
    let box = child.layout.box
    let room = max(0, content - box.margin.horizontal)
    if let width = box.width { return min(room, box.clamped(width: width)) }
    if view.alignment == .stretch && child.viewClass.stretches {
      return min(room, box.clamped(width: room))
    }
    return min(room, child.layout.natural.width)
  }

  /// Leaves the widths of a row's subviews in `items`.
  func shareWidth(_ content: Int, of view: View) {
    items.removeAll(keepingCapacity: true)
    var free = content
    for child in view.children where !child.layout.box.isHidden {
      let box = child.layout.box
      items.append(
        Distribution.Item(
          basis: child.layout.natural.width, minimum: box.minWidth, maximum: box.maxWidth,
          grow: box.grow, shrinks: box.width == nil))
      free -= box.margin.horizontal
    }
    free = max(0, free - view.spacing * max(0, items.count - 1))
    Distribution.share(free, among: &items)
  }

  /// Gives a subview its place, within its superview's content.
  func set(_ child: View, _ place: Rect, in content: Rect, of view: View) {
    let x = max(content.x, min(place.x, content.maxX))
    let y = max(content.y, min(place.y, content.maxY))
    let place = Rect(
      x: x, y: y, width: min(place.maxX, content.maxX) - x,
      height: min(place.maxY, content.maxY) - y)
    let visible = place.intersection(view.layout.visible)
    if place != child.layout.place || visible != child.layout.visible {
      child.layout.place = place
      child.layout.visible = visible
      needsDraw(view)
      moved.append(child)
    } else if child.layout.flags.contains(.arrange) {
      moved.append(child)
    }
  }
}
