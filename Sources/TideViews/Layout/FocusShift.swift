extension View {
  /// How far stacked subviews move up so that the one with the focus is in sight, when there is not
  /// room for all. That one gets the height that it wants, and subviews before it leave at the top.
  ///
  /// - Parameters:
  ///   - items: the heights of the subviews, which may change.
  ///   - extra: the rows that a subview takes beside its height.
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
          // Subviews before it leave at the top and are not squeezed.
          if !items[index].shrinks { items[index].size = items[index].basis }
        } else if items[index].shrinks {
          items[index].size = max(1, items[index].size)
        } else {
          // A subview that is larger than the room shifts its own subviews in the same way.
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

  /// The rows of a border, above and below.
  private static var frame: Int { 2 }

  /// The height below which the view with the focus cannot be used.
  private var leastHeight: Int {
    scrolls ? min(3, foundHeight) : layout.box.height ?? foundHeight
  }

  /// Has everything around it arranged anew. What is moved for the focus follows from where that
  /// is, and not from where it was before.
  func arrangeForFocus() {
    var above = parent
    while let ancestor = above {
      scene?.layout.needsArrange(ancestor)
      if ancestor.layout.isFloating { return }
      above = ancestor.parent
    }
  }
}
