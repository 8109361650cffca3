import TideGraph

extension Scene {
  /// What keys do at present: those of the focused view, those of the views around it, and those of
  /// menus. Keys that handlers listen to are in `keys`, since nobody says what they do.
  public var keyHelp: [KeyHelp.Section] {
    graph.untracked {
      var sections: [KeyHelp.Section] = []
      if let focused, canFocus(focused), !focused.viewClass.keyHelp.isEmpty {
        sections.append(KeyHelp.Section(focused.viewClass.name, focused.viewClass.keyHelp))
      }
      sections += helpAround()
      let items = menus.compactMap { $0 as? MenuView }.filter { isUsable($0) && !isBlocked($0) }
      var lines = items.flatMap(\.keyHelp)
      if items.contains(where: { !$0.isButton }) { lines.insert(KeyHelp("F10", "open it"), at: 0) }
      if !lines.isEmpty { sections.append(KeyHelp.Section("menu", lines)) }
      return sections
    }
  }

  /// What the views above the focused one take that reaches it: of each class the innermost.
  private func helpAround() -> [KeyHelp.Section] {
    var sections: [KeyHelp.Section] = []
    let modal = modal
    var view = focused.flatMap { $0 === modal ? nil : $0.parent } ?? modal
    while let current = view {
      let name = current.viewClass.name
      let lines = current.viewClass.keyHelp.filter(\.reachesInside)
      if !lines.isEmpty, !sections.contains(where: { $0.title == name }) {
        sections.append(KeyHelp.Section(name, lines))
      }
      view = current === modal ? nil : current.parent
    }
    return sections
  }
}
