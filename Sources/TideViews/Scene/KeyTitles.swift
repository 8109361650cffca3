import TideBindings
import TideGraph

/// A key with a title, and the view that handles it.
struct KeyTitle: Equatable {
  let key: Key
  let title: String
  /// Nil for the key that quits the app.
  weak var view: View?

  /// The key that quits the app, unless a view handles it.
  static var quit: KeyTitle {
    KeyTitle(key: Key("c" as Character, modifiers: .control), title: "Quit", view: nil)
  }

  static func == (left: KeyTitle, right: KeyTitle) -> Bool {
    left.key == right.key && left.title == right.title && left.view === right.view
  }
}

extension Scene {
  /// The titled keys that currently work, from the focused view upwards, followed by the key that
  /// quits the app.
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

  /// Help for all titled keys in the tree.
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

  /// Updates the key bars for the current focus and keys.
  func refreshKeyBars() {
    for bar in keyBars where bar.scene === self && bar.refresh() {
      layout.needsMeasure(bar)
      layout.needsDraw(bar)
    }
  }
}

extension View {
  /// The enabled handlers, in an order independent of their declaration.
  fileprivate final var keyHandlersInOrder: [KeyHandler] {
    keyHandlers.filter(\.isEnabled).sorted { $0.key.sortOrder < $1.key.sortOrder }
  }

  /// Updates the key bars after a change of the view's keys.
  package final func keysChanged() {
    for bar in scene?.keyBars ?? [] { bar.setNeedsDraw() }
  }
}

extension Key {
  /// F1 to F12 first, then the other keys, shorter names first.
  fileprivate var sortOrder: (Int, Int, String) {
    if case .function(let number) = code, modifiers.isEmpty { return (0, number, "") }
    let name = description
    return (1, name.count, name)
  }
}
