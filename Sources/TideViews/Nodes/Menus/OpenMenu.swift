import TideBindings
import TideGraph

/// The open part of a menu: panes of items, outermost first, which receive all keys.
///
/// It belongs to a menu, or to the view whose context menu is open.
final class OpenMenu {
  /// The view next to which the panes open.
  private(set) weak var view: View?
  private(set) var levels: [MenuLevel] = []
  /// Parses the items in a property's value.
  private let read: (Value) -> [MenuItem]
  /// Called when an item without a submenu was chosen.
  var onPerform: (MenuItem, Int, Key?) -> Void = { _, _, _ in }
  /// Called when a pane has opened or closed.
  var onChange: () -> Void = {}
  /// Moves to the previous or next title; nil for a menu without a bar.
  var onStep: ((Int) -> Void)?
  /// Handles a key that the menu does not use, after the menu has closed.
  var onOtherKey: (Key) -> Bool = { _ in false }

  init(of view: View, reading read: @escaping (Value) -> [MenuItem]) {
    self.view = view
    self.read = read
  }

  var isOpen: Bool { !levels.isEmpty }
  private var scene: Scene? { view?.scene }

  // MARK: Opening and closing

  /// Opens the outermost items below an area of the view, or, for nil, below the whole view.
  func open(_ items: [MenuItem], at area: Rect?, highlighting: Bool) {
    guard let view else { return }
    openLevel(items, beside: view, area: area, sideways: false, highlighting: highlighting)
  }

  private func openLevel(
    _ items: [MenuItem], beside anchor: View, area: Rect?, sideways: Bool, highlighting: Bool
  ) {
    guard let scene, !items.isEmpty else { return }
    let level = MenuLevel(items)
    level.pane.opensSideways = sideways
    level.pane.anchorArea = area
    let depth = levels.count
    level.pane.onClose = { [weak self] in self?.closed(from: depth) }
    level.pane.onChoose = { [weak self] in self?.take($0, in: depth, nil) }
    level.pane.onHighlight = { [weak self] in self?.pointed(at: $0, in: depth) }
    levels.append(level)
    level.pane.open(at: anchor, in: scene)
    if highlighting { level.pane.highlight(level.pane.next(from: 0, by: 1)) }
    scene.input.openMenu = self
    onChange()
  }

  /// The state of each pane, to be restored when the menu is opened again.
  var looks: [ChoicePane.Look] { levels.map(\.pane.look) }

  /// Restores the state of the panes, and reopens submenus.
  func restore(_ looks: [ChoicePane.Look]) {
    for (depth, look) in looks.enumerated() {
      guard depth < levels.count else { return }
      let pane = levels[depth].pane
      pane.look = look
      if depth + 1 < looks.count, let highlighted = pane.highlighted,
        levels[depth].items.indices.contains(highlighted)
      {
        // A submenu is positioned relative to its pane, so the pane must be laid out first.
        scene?.layOut()
        openItems(of: highlighted, in: depth, highlighting: false)
      }
    }
  }

  func close() { levels.first?.pane.close() }

  private func closed(from depth: Int) {
    let scene = scene
    while levels.count > depth {
      let level = levels.removeLast()
      if level.pane.isOpen { level.pane.close() }
    }
    if levels.isEmpty, scene?.input.openMenu === self { scene?.input.openMenu = nil }
    onChange()
  }

  // MARK: Taking items

  private func pointed(at index: Int, in depth: Int) {
    guard depth < levels.count else { return }
    if depth + 1 < levels.count { levels[depth + 1].pane.close() }
    if levels[depth].items[index].hasItems { openItems(of: index, in: depth, highlighting: false) }
  }

  private func openItems(of index: Int, in depth: Int, highlighting: Bool = true) {
    guard depth < levels.count, let graph = view?.graph else { return }
    let level = levels[depth]
    guard level.items[index].isEnabled else { return }
    if depth + 1 < levels.count { levels[depth + 1].pane.close() }
    openLevel(
      graph.untracked { read(level.items[index].items) }, beside: level.pane,
      area: level.pane.area(of: index), sideways: true, highlighting: highlighting)
  }

  func take(_ index: Int, in depth: Int, _ key: Key?) {
    guard depth < levels.count, levels[depth].items.indices.contains(index) else { return }
    let item = levels[depth].items[index]
    if !item.isEnabled || item.isSeparator { return }
    if item.hasItems {
      if depth + 1 == levels.count { openItems(of: index, in: depth) }
      return
    }
    close()
    onPerform(item, index, key)
  }

  // MARK: Keys

  /// Handles a key; false if the menu is closed or the key goes on to the views.
  func handle(_ key: Key) -> Bool {
    guard let level = levels.last else { return false }
    let depth = levels.count - 1
    let pane = level.pane
    switch key {
    case Key(.up): pane.move(by: -1)
    case Key(.down): pane.move(by: 1)
    case Key(.home): pane.highlight(pane.next(from: 0, by: 1))
    case Key(.end): pane.highlight(pane.next(from: level.items.count - 1, by: -1))
    case Key(.enter), Key(.space):
      if let highlighted = pane.highlighted { take(highlighted, in: depth, key) }
    case Key(.escape): pane.close()
    case Key(.left):
      if depth > 0 { pane.close() } else { onStep?(-1) }
    case Key(.right):
      if let highlighted = pane.highlighted, level.items[highlighted].hasItems {
        openItems(of: highlighted, in: depth)
      } else {
        onStep?(1)
      }
    case Key(.tab), Key(.tab, modifiers: .shift):
      close()
      return false
    default:
      if let character = key.text {
        if let found = level.find(character) { pane.highlight(found) }
        return true
      }
      // The shortcut of an item also works while the menu is open.
      close()
      return onOtherKey(key)
    }
    return true
  }
}
