extension View {
  /// How far subviews move up, or to the left, to keep the focused one visible when there is not
  /// enough space for all. The focused subview receives its wanted size, and earlier subviews move
  /// out at the top, or at the left.
  ///
  /// - Parameters:
  ///   - items: the lengths of the lines, which may be changed.
  ///   - line: the line of a subview, by its position; nil for a line for each subview.
  ///   - extra: the cells of a line in addition to its length, by one of its subviews.
  func shift(
    of items: inout [Distribution.Item], along axis: Axis, in length: Int, spacing: Int,
    line: ((Int) -> Int)? = nil, extra: (View) -> Int = { _ in 0 }
  ) -> Int {
    guard let focused = scene?.focused, focused.isWithin(self) else { return 0 }
    var needed = spacing * max(0, items.count - 1)
    for item in items { needed += item.basis }
    var holder: (view: View, line: Int)?
    var extras = [Int](repeating: 0, count: items.count)
    for (position, child) in arranged.enumerated() {
      let line = line?(position) ?? position
      extras[line] = max(extras[line], extra(child))
      if holder == nil, focused.isWithin(child) { holder = (child, line) }
    }
    needed += extras.reduce(0, +)
    guard needed > length, let holder else { return 0 }
    var end = 0
    for index in 0..<holder.line {
      // Earlier subviews move out instead of shrinking.
      if !items[index].shrinks { items[index].size = items[index].basis }
      end += items[index].size + extras[index] + spacing
    }
    let own = extras[holder.line]
    var item = items[holder.line]
    if item.shrinks {
      item.size = max(1, item.size)
    } else {
      // A subview longer than the available length shifts its own subviews in the same way.
      let frame = holder.view === focused ? 0 : Self.frame
      let least = min(focused.leastLength(along: axis) + frame, item.basis, max(0, length - own))
      item.size = max(item.size, least)
    }
    items[holder.line] = item
    return max(0, end + item.size + own - length)
  }

  /// The cells of a border, at both sides.
  private static var frame: Int { 2 }

  /// The minimum length at which the focused view is usable.
  private func leastLength(along axis: Axis) -> Int {
    if axis == .horizontal { return layout.box.width ?? layout.natural.width }
    return scrolls ? min(3, foundHeight) : layout.box.height ?? foundHeight
  }

  /// Rearranges all superviews. The shift depends only on the position of the focused view, not on
  /// the previous shift.
  func arrangeForFocus() {
    var above = parent
    while let ancestor = above {
      scene?.layout.needsArrange(ancestor)
      if ancestor.layout.isFloating { return }
      above = ancestor.parent
    }
  }
}
