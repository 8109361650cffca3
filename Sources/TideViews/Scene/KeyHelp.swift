import TideGraph

/// What keys do: a line of the help for a person at the keys.
///
/// ```swift
/// KeyHelp("Up Down", "the row above, below")
/// ```
///
/// Each view class has the lines of the keys that its views take, in `ViewClass.keyHelp`; what is
/// good for those that show at present is in `Scene.keyHelp`.
package struct KeyHelp: Hashable, Sendable {
  /// Names of keys with blanks between them, or words for several.
  package var keys: String
  /// What the keys do.
  package var action: String
  /// Whether the key does this also while a view below this one has the focus.
  package var reachesInside: Bool

  /// Describes keys of a view, and with `reachesInside` also while a view inside it has the focus.
  package init(_ keys: String, _ action: String, reachesInside: Bool = false) {
    self.keys = keys
    self.action = action
    self.reachesInside = reachesInside
  }

  /// Lines that belong together, below a title.
  ///
  /// ```swift
  /// for section in scene.keyHelp { print(section.title, section.lines.map(\.keys)) }
  /// ```
  package struct Section: Hashable, Sendable {
    /// What the lines have in common, such as the view that takes the keys.
    package var title: String
    /// The keys and what they do.
    package var lines: [KeyHelp]

    /// Puts lines under a title.
    package init(_ title: String, _ lines: [KeyHelp]) {
      self.title = title
      self.lines = lines
    }
  }
}

extension Scene {
  /// What keys do at present: those of the focused view, those of the views around it, and those of
  /// menus, and before them the keys that the app has given titles. Other keys that handlers listen
  /// to are in `keys`, since their action has no description.
  package var keyHelp: [KeyHelp.Section] {
    graph.untracked {
      var sections: [KeyHelp.Section] = []
      if let focused, canFocus(focused), !focused.viewClass.keyHelp.isEmpty {
        let isMany = (focused as? RowsView)?.mode == .many
        let lines = focused.viewClass.keyHelp + (isMany ? .selectingMany : [])
        sections.append(KeyHelp.Section(focused.viewClass.name, lines))
      }
      sections += helpAround()
      let titled = titledKeyHelp
      if !titled.isEmpty { sections.insert(KeyHelp.Section("this app", titled), at: 0) }
      let menus = input.menus.filter { $0.isUsable && !floats.isBlocked($0) }
      var lines = menus.flatMap(\.keyHelp)
      if menus.contains(where: { !$0.isButton }) { lines.insert(KeyHelp("F10", "open it"), at: 0) }
      if !lines.isEmpty { sections.append(KeyHelp.Section("menu", lines)) }
      if let owner = contextMenuTarget.contextMenuOwner {
        let lines = [KeyHelp("Shift-F10", "open it")] + owner.contextMenuKeyHelp
        sections.append(KeyHelp.Section("context menu", lines))
      }
      return sections
    }
  }

  /// What the views above the focused one take that reaches it: of each class the innermost.
  private func helpAround() -> [KeyHelp.Section] {
    var sections: [KeyHelp.Section] = []
    let modal = floats.modal
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
