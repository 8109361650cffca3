extension Layout {
  /// Computes a view's natural size; returns whether its superview must be measured again.
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
    if let arrangement = view.viewClass.arrangement {
      size = arrangement.naturalSize(of: view)
      hasWrap = view.children.contains { $0.layout.hasWrap && $0.layout.isInFlow } || view.wraps
    } else {
      size = view.naturalSize()
      hasWrap = view.wraps
    }
    let box = view.layout.box
    if box.height != nil { hasWrap = false }
    if box.ratioOfHeight != nil { hasWrap = true }
    view.layout.natural = Size(
      width: box.clamped(
        width: box.width ?? max(size.width + insets.horizontal, view.leastWidth)),
      height: box.height ?? size.height + insets.vertical)
    if box.relative != nil { applyRatio(to: view) }
    view.layout.hasWrap = hasWrap
    if hasWrap || oldWrap {
      // Every superview up to one with a fixed height is measured again and resets its cache too.
      view.layout.knownWidth = -1
      return true
    }
    return changed || old != view.layout.natural
  }

  /// Applies the view's aspect ratio to its natural size.
  private func applyRatio(to view: View) {
    let box = view.layout.box
    if let width = box.width(forHeight: box.height) {
      view.layout.natural.width = box.clamped(width: width)
    } else if let aspect = box.ratioOfHeight {
      view.layout.natural.height = BoxStyle.height(
        forWidth: view.layout.natural.width, aspect)
    }
  }

  /// The height of a view for a given width.
  func height(of view: View, width: Int) -> Int {
    if !view.layout.hasWrap { return view.layout.natural.height }
    if view.layout.knownWidth == width { return view.layout.knownHeight }
    // Widths from the top down, then heights from the bottom up.
    var order = [(view: view, width: width)]
    var next = 0
    while next < order.count {
      let (view, width) = order[next]
      next += 1
      guard view.layout.box.ratioOfHeight == nil, let arrangement = view.viewClass.arrangement
      else { continue }
      let inner = max(0, width - view.insets.horizontal)
      arrangement.eachWidth(of: view, in: inner, by: self) { child, width in
        if isLate(stepping: child) { return }
        if child.layout.hasWrap && child.layout.knownWidth != width { order.append((child, width)) }
      }
    }
    for (view, width) in order.reversed() {
      if isLate(at: view) { return view.layout.natural.height }
      view.layout.knownHeight = wrappedHeight(of: view, width: width)
      view.layout.knownWidth = width
    }
    return view.layout.knownHeight
  }

  private func wrappedHeight(of view: View, width: Int) -> Int {
    if let aspect = view.layout.box.ratioOfHeight {
      return BoxStyle.height(forWidth: width, aspect)
    }
    let insets = view.insets
    let inner = max(0, width - insets.horizontal)
    let height =
      view.viewClass.arrangement?.height(of: view, in: inner, by: self)
      ?? view.naturalHeight(forWidth: inner)
    return height + insets.vertical
  }
}

extension View {
  /// Padding and border together.
  var insets: Sides {
    let border = viewClass.border
    var sides = layout.box.padding
    if border == .zero { return sides }
    sides.top += border.top
    sides.right += border.right
    sides.bottom += border.bottom
    sides.left += border.left
    return sides
  }

  var spacing: Int { layout.box.spacing }
  var alignment: Alignment { layout.box.alignment }
}
