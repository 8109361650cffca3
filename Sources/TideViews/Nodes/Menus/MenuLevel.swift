/// The items that are open at one depth of a menu.
final class MenuLevel {
  let items: [MenuItem]
  let pane: ChoicePane

  init(_ items: [MenuItem]) {
    self.items = items
    pane = ChoicePane(count: items.count) { index in
      let item = items[index]
      return ChoicePane.Row(
        title: item.title, detail: item.key?.description ?? "", isEnabled: item.isEnabled,
        isSeparator: item.isSeparator, hasMore: item.hasItems, isTicked: item.isTicked)
    }
  }

  /// The next item after the lit one that begins with a character.
  func find(_ character: Character) -> Int? {
    let wanted = character.lowercased()
    let start = (pane.lit ?? -1) + 1
    for step in items.indices {
      let index = (start + step) % items.count
      if items[index].title.lowercased().hasPrefix(wanted) { return index }
    }
    return nil
  }
}
