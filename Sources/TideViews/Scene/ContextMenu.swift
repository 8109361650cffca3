import TideBindings
import TideGraph

/// The open context menu: its owner and its position.
final class ContextMenu {
  /// The view whose `contextMenu` is shown.
  private(set) weak var owner: View?
  /// The area below which the menu opens, relative to the owner's corner.
  let area: Rect
  let items: [MenuItem]
  let menu: OpenMenu

  init(of owner: View, _ items: [MenuItem], below area: Rect) {
    self.owner = owner
    self.items = items
    self.area = area
    menu = OpenMenu(of: owner) { [weak owner] in owner?.readMenu($0) ?? [] }
    let rows = MenuRows(around: owner)
    menu.onPerform = { [weak owner] item, _, _ in
      // The handler would read the selection, which now has other rows.
      if rows?.areSame == false {
        owner?.scene?.refusePress(of: "the menu item \"\(item.title.inMessage)\"")
      } else {
        owner?.perform(item)
      }
    }
    menu.onOtherKey = { [weak owner] in owner?.performContextMenu($0) ?? false }
  }

  /// The state that is saved before a reload, to open the menu again.
  struct Look {
    let owner: View
    let area: Rect
    let panes: [ChoicePane.Look]
  }

  var look: Look? {
    guard menu.isOpen, let owner else { return nil }
    return Look(owner: owner, area: area, panes: menu.looks)
  }
}

extension Scene {
  /// Opens the context menu of a view, or of its nearest superview that has one, at a point of the
  /// frame or beside the view. Returns false if there is none.
  ///
  /// Sends `willShowContextMenu` first, whose handlers may set the items.
  @discardableResult
  func showContextMenu(for view: View, at mouse: MouseEvent?) -> Bool {
    guard let view = nearestUsable(from: view) else { return false }
    let corner = view.layout.rect.origin
    let position = mouse.map { mouse in
      PointerPosition(
        Point(x: mouse.position.x - corner.x, y: mouse.position.y - corner.y), mouse.modifiers)
    }
    guard let owner = contextMenuOwner(for: view, at: position) else { return false }
    let items = owner.contextMenuItems
    if items.isEmpty { return false }
    let origin = owner.layout.rect.origin
    var area = view.areaOfFocus
    if let point = mouse?.position { area = Rect(x: point.x, y: point.y, width: 1, height: 1) }
    area.x -= origin.x
    area.y -= origin.y
    open(ContextMenu(of: owner, items, below: area))
    return true
  }

  /// The view whose context menu applies to a view, after handlers were notified.
  func contextMenuOwner(for view: View, at position: PointerPosition?) -> View? {
    if position != nil, view.asksForContextMenu { selectRow(around: view) }
    view.send(event(.willShowContextMenu, at: position, of: view))
    return view.scene === self ? view.contextMenuOwner : nil
  }

  private func open(_ menu: ContextMenu, highlighting: Bool = true) {
    input.contextMenu?.menu.close()
    input.contextMenu = menu
    menu.menu.onChange = { [weak self, weak menu] in
      guard let self, let menu, !menu.menu.isOpen, input.contextMenu === menu else { return }
      input.contextMenu = nil
    }
    menu.menu.open(menu.items, at: menu.area, highlighting: highlighting)
  }

  /// Opens a menu as it was before its view was replaced.
  func reopen(_ look: ContextMenu.Look, of owner: View) {
    let items = owner.contextMenuItems
    guard owner.scene === self, !items.isEmpty else { return }
    let menu = ContextMenu(of: owner, items, below: look.area)
    open(menu, highlighting: false)
    menu.menu.restore(look.panes)
  }

  /// A context menu acts on the selected rows, so opening it on another row selects that row.
  private func selectRow(around view: View) {
    guard let cell = view.rowCell, let rows = cell.parent as? RowsView else { return }
    if !rows.isSelected(cell.row) { rows.choose(cell.row, nil) }
  }

  /// The view for which a key opens a context menu: the focused view, or its selected row.
  var contextMenuTarget: View {
    let view = target
    if let rows = view as? RowsView, let row = rows.selection,
      let cell = rows.cells.first(where: { $0.row == row })
    {
      return cell
    }
    return view
  }
}

extension View {
  /// Parses the items of a menu.
  fileprivate func readMenu(_ value: Value) -> [MenuItem] {
    MenuItem.items(value) { report($0) }
  }

  /// The items of its own context menu.
  var contextMenuItems: [MenuItem] {
    let value = peek(.contextMenu, as: Value.self)
    return value == .null ? [] : graph.untracked { readMenu(value) }
  }

  var contextMenuKeyHelp: [KeyHelp] {
    graph.untracked { MenuItem.keyHelp(of: contextMenuItems) { readMenu($0) } }
  }

  /// The view, or the nearest superview within its float, that has a context menu.
  var contextMenuOwner: View? {
    firstInLayer { $0.peek(.contextMenu, as: Value.self) != .null }
  }

  /// Whether it or a superview has a context menu or handles `willShowContextMenu`.
  fileprivate var asksForContextMenu: Bool {
    firstInLayer { $0.hasContextMenu } != nil
  }

  /// Whether it has a context menu, or a handler that may set one.
  var hasContextMenu: Bool {
    peek(.contextMenu, as: Value.self) != .null || hasHandler(.willShowContextMenu)
  }

  private func firstInLayer(where matches: (View) -> Bool) -> View? {
    var view: View? = self
    while let current = view {
      if matches(current) { return current }
      view = current.layout.isFloating ? nil : current.parent
    }
    return nil
  }

  /// Executes an item of its context menu.
  fileprivate func perform(_ item: MenuItem) {
    do {
      switch item.command {
      case .null: break
      case .object(let command as any Command): try command.execute(self)
      default:
        guard let execute = extras?.execute ?? scene?.host.executeCommand else { return }
        try execute(item.command, item.value, self)
      }
    } catch {
      report(error)
    }
  }

  /// Executes the context menu item with a key; false if there is none.
  func performContextMenu(_ key: Key) -> Bool {
    if peek(.contextMenu, as: Value.self) == .null { return false }
    let items = contextMenuItems
    guard
      let (item, _) = graph.untracked({ MenuItem.find(key, in: items) { self.readMenu($0) } })
    else { return false }
    if item.isEnabled && !item.isSeparator { perform(item) }
    return true
  }

  /// Executes the context menu item at a path of indexes; false if there is none.
  func performContextMenu(_ path: [Int]) -> Bool {
    let items = contextMenuItems
    guard
      let (item, _) = graph.untracked({ MenuItem.find(path, in: items) { self.readMenu($0) } })
    else { return false }
    perform(item)
    return true
  }

  /// The items of its context menu, as descriptions for a renderer.
  var contextMenuEntries: [ViewDescription.MenuEntry] {
    contextMenuItems.map { ViewDescription.MenuEntry($0) { self.readMenu($0) } }
  }

  /// The area that shows the focus, in frame coordinates.
  fileprivate var areaOfFocus: Rect {
    var area = layout.visible.isEmpty ? layout.rect : layout.visible
    area.width = 1
    return area
  }

  /// The row's cell that contains the view, or that the view is.
  var rowCell: CellView? {
    var view: View? = self
    while let current = view {
      if let cell = current as? CellView, let rows = cell.parent as? RowsView {
        return rows.cells.contains { $0 === cell } ? cell : nil
      }
      view = current.parent
    }
    return nil
  }
}
