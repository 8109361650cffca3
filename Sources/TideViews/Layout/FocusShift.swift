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
    var needed = spacing * max(0, items.count - 1)
    var start = 0
    var focusedItem: (index: Int, start: Int, extra: Int)?
    var index = 0
    let focused = scene?.focused
    for child in children where child.layout.isInFlow {
      let own = extra(child)
      needed += items[index].basis + own
      if let focused, focusedItem == nil, focused.isWithin(child) {
        focusedItem = (index, start, own)
      }
      start += items[index].size + own + spacing
      index += 1
    }
    guard needed > height, let focusedItem else { return 0 }
    let wanted = min(items[focusedItem.index].basis, max(0, height - focusedItem.extra))
    items[focusedItem.index].size = max(items[focusedItem.index].size, wanted)
    let end = focusedItem.start + focusedItem.extra + items[focusedItem.index].size
    return max(0, end - height)
  }

  /// Has everything around it arranged anew, where it is not wholly in sight.
  func arrangeForFocus() {
    if !layout.rect.isEmpty && layout.visible == layout.rect && layout.rect.height >= foundHeight {
      return
    }
    var above = parent
    while let ancestor = above {
      scene?.layout.needsArrange(ancestor)
      if ancestor.layout.isFloating { return }
      above = ancestor.parent
    }
  }
}
