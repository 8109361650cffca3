import TideBindings

extension MenuView {
  /// The number of items that can be chosen: the open ones, or else those of the bar or button.
  var choiceCount: Int { levels.last?.items.count ?? top.count }

  /// Chooses an item, from 0, like a click: an item with a submenu opens it.
  ///
  /// - Returns: false for a disabled item or a divider.
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

extension MenuView {
  /// The visible titles of the bar, which include the open one.
  func strip() -> MenuStrip { strip(showing: isOpen ? openTitle : 0) }

  func strip(showing title: Int) -> MenuStrip {
    MenuStrip(
      widths: top.map { CharacterWidth.of($0.title) + 2 },
      area: Rect(layout.rect.size).inset(by: insets), showing: title)
  }

  /// Help for the keys of its items.
  var keyHelp: [KeyHelp] { MenuItem.keyHelp(of: top, read) }
}
