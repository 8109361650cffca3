import TideBindings
import TideGraph

/// A key and what it is called, with the view that takes it.
struct KeyTitle: Equatable {
  let key: Key
  let title: String
  /// Nil for the key that leaves the app.
  weak var view: View?

  /// What leaves the app wherever no view takes it.
  static var quit: KeyTitle {
    KeyTitle(key: Key("c" as Character, modifiers: .control), title: "Quit", view: nil)
  }

  static func == (left: KeyTitle, right: KeyTitle) -> Bool {
    left.key == right.key && left.title == right.title && left.view === right.view
  }
}

extension Scene {
  /// The keys with titles that do something now, from the focused view upwards, and the one that
  /// leaves the app.
  var keyTitles: [KeyTitle] {
    var titles: [KeyTitle] = []
    var taken: Set<Key> = []
    let modal = floats.modal
    var view: View? = focused.flatMap { canFocus($0) ? $0 : nil } ?? modal ?? root ?? window
    while let current = view {
      if current.flag(.enabled) {
        for handler in current.keyHandlersInOrder where taken.insert(handler.key).inserted {
          guard let title = handler.title else { continue }
          titles.append(KeyTitle(key: handler.key, title: title, view: current))
        }
      }
      view = current === modal ? nil : current.parent
    }
    titles.removeAll { $0.key == KeyTitle.quit.key }
    return titles + [.quit]
  }

  /// Lines of help for all keys with titles, wherever in the tree they are taken.
  var titledKeyHelp: [KeyHelp] {
    var lines: [KeyHelp] = []
    var seen: Set<KeyHelp> = []
    var walk = TreeWalk(floats.modal ?? window)
    while let view = walk.next() {
      if view.flag(.hidden) || !view.flag(.enabled) {
        walk.skipSubviews(of: view)
        continue
      }
      for handler in view.keyHandlersInOrder {
        guard let title = handler.title else { continue }
        let line = KeyHelp(handler.key.description, title)
        if seen.insert(line).inserted { lines.append(line) }
      }
    }
    return lines
  }

  /// Lets the bars of keys follow the focus and the keys of views.
  func refreshKeyBars() {
    for bar in keyBars where bar.scene === self && bar.refresh() {
      layout.needsMeasure(bar)
      layout.needsDraw(bar)
    }
  }
}

extension View {
  /// Those that count, in an order that does not depend on how they were given.
  fileprivate final var keyHandlersInOrder: [KeyHandler] {
    keyHandlers.filter(\.isEnabled).sorted { $0.key.sortOrder < $1.key.sortOrder }
  }

  /// Has the bars of keys look again.
  package final func keysChanged() {
    for bar in scene?.keyBars ?? [] { bar.setNeedsDraw() }
  }
}

extension Key {
  /// F1 to F12, then the others by their names, the shorter first.
  fileprivate var sortOrder: (Int, Int, String) {
    if case .function(let number) = code, modifiers.isEmpty { return (0, number, "") }
    let name = description
    return (1, name.count, name)
  }
}
