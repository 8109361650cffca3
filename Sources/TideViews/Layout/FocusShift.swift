extension View {
  /// How far subviews that follow each other move up for the one that holds the focus, where there
  /// is not room for all of them: nobody types into what is cut off. It gets the height that it
  /// wants, and what is before it leaves at the top.
  ///
  /// - Parameters:
  ///   - items: the heights that the subviews have been given.
  ///   - extra: what a subview takes beside its height.
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
          // What is before it is left out at the top, not squeezed.
          if !items[index].shrinks { items[index].size = items[index].basis }
        } else if items[index].shrinks {
          items[index].size = max(1, items[index].size)
        } else {
          // What is larger than its room shows a part of itself in the same way.
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

  /// The rows of a border.
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
