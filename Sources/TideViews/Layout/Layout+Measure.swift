extension Layout {
  /// Finds a view's natural size; true when its superview has to know.
  func measure(_ view: View) -> Bool {
    let old = view.layout.natural
    let oldWrap = view.layout.hasWrap
    var changed = false
    if view.layout.flags.contains(.boxChanged) {
      view.layout.flags.remove(.boxChanged)
      let box = BoxStyle(view)
      if box != view.layout.box {
        if box.isHidden != view.layout.box.isHidden, let parent = view.parent { needsDraw(parent) }
        view.layout.box = box
        changed = true
      }
    }
    let insets = view.insets
    var size: Size
    var hasWrap = false
    if let axis = view.viewClass.axis {
      size = naturalSize(of: view, axis, &hasWrap)
    } else {
      size = view.naturalSize()
      hasWrap = view.wraps
    }
    let box = view.layout.box
    if box.height != nil { hasWrap = false }
    view.layout.natural = Size(
      width: box.clamped(
        width: box.width ?? max(size.width + insets.horizontal, view.leastWidth)),
      height: box.height ?? size.height + insets.vertical)
    view.layout.hasWrap = hasWrap
    if hasWrap || oldWrap {
      // Every superview up to one of a fixed height is asked again, and forgets likewise.
      view.layout.knownWidth = -1
      return true
    }
    return changed || old != view.layout.natural
  }

  private func naturalSize(of view: View, _ axis: Axis, _ hasWrap: inout Bool) -> Size {
    var along = 0
    var across = 0
    var count = 0
    for child in view.children {
      if child.layout.box.isHidden { continue }
      let margin = child.layout.box.margin
      let width = child.layout.natural.width + margin.horizontal
      let height = child.layout.natural.height + margin.vertical
      along += axis == .vertical ? height : width
      across = max(across, axis == .vertical ? width : height)
      count += 1
      if child.layout.hasWrap { hasWrap = true }
    }
    along += view.spacing * max(0, count - 1)
    return axis == .vertical
      ? Size(width: across, height: along) : Size(width: along, height: across)
  }

  /// The height that a view wants when it is that wide.
  func height(of view: View, width: Int) -> Int {
    if !view.layout.hasWrap { return view.layout.natural.height }
    if view.layout.knownWidth == width { return view.layout.knownHeight }
    // Widths from the top down, then heights from the bottom up.
    var order = [(view: view, width: width)]
    var next = 0
    while next < order.count {
      let (view, width) = order[next]
      next += 1
      guard let axis = view.viewClass.axis else { continue }
      let inner = max(0, width - view.insets.horizontal)
      if axis == .horizontal { shareWidth(inner, of: view) }
      var place = 0
      for child in view.children where !child.layout.box.isHidden {
        let width =
          axis == .horizontal ? items[place].size : self.width(of: child, in: inner, of: view)
        place += 1
        if child.layout.hasWrap && child.layout.knownWidth != width { order.append((child, width)) }
      }
    }
    for (view, width) in order.reversed() {
      view.layout.knownHeight = wrappedHeight(of: view, width: width)
      view.layout.knownWidth = width
    }
    return view.layout.knownHeight
  }

  private func wrappedHeight(of view: View, width: Int) -> Int {
    let insets = view.insets
    guard let axis = view.viewClass.axis else {
      return view.naturalHeight(forWidth: max(0, width - insets.horizontal)) + insets.vertical
    }
    var height = 0
    var count = 0
    for child in view.children where !child.layout.box.isHidden {
      let own = child.layout.hasWrap ? child.layout.knownHeight : child.layout.natural.height
      let outer = own + child.layout.box.margin.vertical
      height = axis == .vertical ? height + outer : max(height, outer)
      count += 1
    }
    if axis == .vertical { height += view.spacing * max(0, count - 1) }
    return height + insets.vertical
  }
}

extension View {
  /// Padding and border together.
  var insets: Sides {
    var sides = layout.box.padding
    let border = viewClass.border
    if border > 0 {
      sides.top += border
      sides.right += border
      sides.bottom += border
      sides.left += border
    }
    return sides
  }

  var spacing: Int { layout.box.spacing }
  var alignment: Alignment { layout.box.alignment }
}
