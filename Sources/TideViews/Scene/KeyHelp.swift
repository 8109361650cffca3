import TideGraph

/// One line of help for keys.
///
/// ```swift
/// KeyHelp("Up Down", "the row above, below")
/// ```
///
/// `ViewClass.keyHelp` has the lines for the keys of a class. `Scene.keyHelp` has those that apply
/// at present.
package struct KeyHelp: Hashable, Sendable {
  /// Names of keys separated by spaces, or a phrase for several keys.
  package var keys: String
  /// What the keys do.
  package var action: String
  /// Whether the keys also work while a descendant of the view has the focus.
  package var reachesInside: Bool

  /// Describes keys of a view; with `reachesInside` they also work while a descendant has the
  /// focus.
  package init(_ keys: String, _ action: String, reachesInside: Bool = false) {
    self.keys = keys
    self.action = action
    self.reachesInside = reachesInside
  }

  /// A titled group of lines.
  ///
  /// ```swift
  /// for section in scene.keyHelp { print(section.title, section.lines.map(\.keys)) }
  /// ```
  package struct Section: Hashable, Sendable {
    /// The title of the group, such as the class of the view that handles the keys.
    package var title: String
    /// The lines of the group.
    package var lines: [KeyHelp]

    /// Makes a group of lines with a title.
    package init(_ title: String, _ lines: [KeyHelp]) {
      self.title = title
      self.lines = lines
    }
  }
}

extension Scene {
  /// The help that applies at present: first the app's titled keys, then the keys of the focused
  /// view, of its superviews, and of menus. Other keys with handlers are in `keys`, since their
  /// action has no description.
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

  /// Help for keys that superviews of the focused view handle, once for each class.
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
