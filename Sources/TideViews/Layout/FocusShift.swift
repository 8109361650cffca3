extension View {
  /// How far stacked subviews move up to keep the focused one visible when there is not enough
  /// space for all. The focused subview receives its wanted height, and earlier subviews move out
  /// at the top.
  ///
  /// - Parameters:
  ///   - items: the heights of the subviews, which may be changed.
  ///   - extra: the rows of a subview in addition to its height.
  func shift(
    of items: inout [Distribution.Item], in height: Int, spacing: Int, extra: (View) -> Int
  ) -> Int {
    guard let focused = scene?.focused, focused.isWithin(self) else { return 0 }
    var needed = spacing * max(0, items.count - 1)
    var index = 0
    var start = 0
    var end: Int?
    for child in children where child.layout.isInFlow {
      let own = extra(child)
      needed += items[index].basis + own
      if end == nil {
        let isFocused = focused.isWithin(child)
        if !isFocused {
          // Earlier subviews move out at the top instead of shrinking.
          if !items[index].shrinks { items[index].size = items[index].basis }
        } else if items[index].shrinks {
          items[index].size = max(1, items[index].size)
        } else {
          // A subview larger than the available height shifts its own subviews in the same way.
          let frame = child === focused ? 0 : Self.frame
          let least = min(focused.leastHeight + frame, items[index].basis, max(0, height - own))
          items[index].size = max(items[index].size, least)
        }
        start += items[index].size + own
        if isFocused { end = start }
        start += spacing
      }
      index += 1
    }
    guard needed > height, let end else { return 0 }
    return max(0, end - height)
  }

  /// The rows of a border, at the top and bottom.
  private static var frame: Int { 2 }

  /// The minimum height at which the focused view is usable.
  private var leastHeight: Int {
    scrolls ? min(3, foundHeight) : layout.box.height ?? foundHeight
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
