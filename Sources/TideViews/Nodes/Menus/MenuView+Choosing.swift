extension MenuView {
  /// How many items there are to choose: the open ones, else those of the bar or button.
  var choiceCount: Int { levels.last?.items.count ?? top.count }

  /// Takes an item, from 0, as a click does: one that has items opens them.
  ///
  /// - Returns: false for one that is disabled, or a line.
  func choose(_ index: Int) -> Bool {
    if !isOpen && isButton { open(0) }
    let items = levels.last?.items ?? top
    guard items.indices.contains(index), items[index].isEnabled, !items[index].isSeparator else {
      return false
    }
    if isOpen {
      take(index, in: levels.count - 1, nil)
    } else if items[index].hasItems {
      open(index)
    } else {
      perform(items[index], index, nil)
    }
    return true
  }
}
