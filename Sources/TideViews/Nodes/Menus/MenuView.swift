import TideBindings
package import TideGraph

/// A menu: a bar of titles that open lists of items, or with a `title` of its own a button that opens
/// one.
///
/// ```lua
/// view.menu { items = {
///   { title = "File", items = {
///     { title = "Save", key = "Ctrl-S", command = save },
///     "-",
///     { title = "Quit", command = function() app.quit = true end } } } } }
/// ```
///
/// An item has a `title`, and perhaps a `key`, a `command`, which is an object to execute or a
/// function, and `items` of its own; `enabled` and `selected` grey it and tick it, and so does its
/// command's `canExecute`. A title of `-` is a line. An item that is taken executes its command, and
/// sends `didSelect` with the item. Its key does the same from anywhere, when no view took the key.
///
/// F10 opens the first menu, and a click any. Up, Down, Home and End go through the items, Left and
/// Right through the titles and into and out of further items, a letter to the next item that begins
/// with it, Enter and Space take an item, Escape goes back. A bar takes no focus: while it is open it
/// has the keys, and afterwards they go where they went before. A button is a stop of Tab.
public final class MenuView: View {
  private var effect: Effect?
  /// The items of the bar, or the single one that stands for the button.
  private(set) var top: [MenuItem] = []
  /// What is open, outermost first.
  private(set) var levels: [MenuLevel] = []
  /// The title whose items are open.
  private(set) var openTitle = 0
  /// What was wrong with keys and has been said.
  private var reported: Set<String> = []
  /// Executes a command that is none of Swift's.
  package var execute: ((_ command: Value, _ item: Value, _ menu: View) throws -> Void)?

  /// Whether one of its menus shows.
  public var isOpen: Bool { !levels.isEmpty }

  var isButton: Bool { !text(.title).isEmpty }

  override var isFocusStop: Bool { flag(.focusable) || isButton }

  public override init(viewClass: ViewClass) {
    super.init(viewClass: viewClass)
    effect = graph.effect { [weak self] in
      guard let self else { return }
      top = read(self[.items])
      scene?.layout.needsMeasure(self)
      setNeedsDraw()
    }
  }

  /// Reads items, noting whatever they depend on.
  func read(_ value: Value) -> [MenuItem] {
    guard case .object(let list as any ListObject) = value else { return [] }
    return list.trackedElements.map { element in
      MenuItem(element) { error in
        let text = "\(error)"
        if reported.insert(text).inserted { report(error) }
      }
    }
  }

  // MARK: The bar

  /// One row: all titles of a bar, or the title of a button.
  public override func naturalSize() -> Size {
    if isButton { return Size(width: CharacterWidth.of(text(.title)) + 6, height: 1) }
    return Size(width: top.reduce(0) { $0 + CharacterWidth.of($1.title) + 2 }, height: 1)
  }

  public override func draw(in canvas: Canvas) {
    let area = canvas.content
    if isButton { return drawButton(canvas) }
    let strip = strip()
    for (index, span) in strip.spans.enumerated() where !span.isEmpty {
      var style = top[index].isEnabled ? canvas.style : canvas.style.with(.dim)
      if isOpen && index == openTitle { style = style.chosen }
      let title = TextLines.truncated(
        top[index].title, width: span.width - 2, ellipsis: canvas.symbols.ellipsis)
      canvas.write(" \(title) ", x: span.x, y: span.y, style: style, within: area)
    }
    if strip.before > 0 {
      canvas.put(canvas.symbols.moreLeft, x: area.x, y: area.y, style: canvas.style.hint)
    }
    if strip.after < top.count {
      canvas.put(canvas.symbols.moreRight, x: area.maxX - 1, y: area.y, style: canvas.style.hint)
    }
  }

  private func drawButton(_ canvas: Canvas) {
    let area = canvas.content
    let title = TextLines.truncated(
      text(.title), width: area.width - 6, ellipsis: canvas.symbols.ellipsis)
    let style = flag(.focused) || isOpen ? withFocus(canvas.style) : canvas.style
    canvas.write(
      "[ \(title) \(canvas.symbols.moreBelow) ]", x: area.x, y: area.y, style: style, within: area)
  }

  // MARK: Opening and closing

  /// Opens the items of a title, from 0; a button has but one.
  func open(_ index: Int, highlighting: Bool = true) {
    guard let scene, !top.isEmpty else { return }
    closeAll()
    if isButton {
      openTitle = 0
      openLevel(
        top, beside: self, area: nil, sideways: false, highlighting: highlighting, in: scene)
      return
    }
    openTitle = (index % top.count + top.count) % top.count
    let item = top[openTitle]
    guard item.hasItems else { return setNeedsDraw() }
    openLevel(
      graph.untracked { read(item.items) }, beside: self,
      area: strip(showing: openTitle).spans[openTitle],
      sideways: false, highlighting: highlighting, in: scene)
  }

  private func openLevel(
    _ items: [MenuItem], beside anchor: View, area: Rect?, sideways: Bool, highlighting: Bool,
    in scene: Scene
  ) {
    if items.isEmpty { return }
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
    scene.input.keyInterceptor = self
    setNeedsDraw()
  }

  override var openPopUps: OpenPopUps? {
    isOpen ? OpenPopUps(title: openTitle, panes: levels.map(\.pane.look)) : nil
  }

  override func reopen(_ popUps: OpenPopUps) {
    open(popUps.title, highlighting: false)
    for (depth, look) in popUps.panes.enumerated() {
      guard depth < levels.count else { return }
      let pane = levels[depth].pane
      pane.look = look
      if depth + 1 < popUps.panes.count, let highlighted = pane.highlighted,
        levels[depth].items.indices.contains(highlighted)
      {
        // What opens beside a pane needs that in its place.
        scene?.layOut()
        openItems(of: highlighted, in: depth, highlighting: false)
      }
    }
  }

  func closeAll() { levels.first?.pane.close() }

  private func closed(from depth: Int) {
    while levels.count > depth {
      let level = levels.removeLast()
      if level.pane.isOpen { level.pane.close() }
    }
    if levels.isEmpty, scene?.input.keyInterceptor === self { scene?.input.keyInterceptor = nil }
    setNeedsDraw()
  }

  public override func focusChanged(_ isFocused: Bool) {
    if !isFocused { closeAll() }
    setNeedsDraw()
  }

  // MARK: Taking items

  private func pointed(at index: Int, in depth: Int) {
    guard depth < levels.count else { return }
    if depth + 1 < levels.count { levels[depth + 1].pane.close() }
    if levels[depth].items[index].hasItems { openItems(of: index, in: depth, highlighting: false) }
  }

  private func openItems(of index: Int, in depth: Int, highlighting: Bool = true) {
    guard let scene, depth < levels.count else { return }
    let level = levels[depth]
    guard level.items[index].isEnabled else { return }
    if depth + 1 < levels.count { levels[depth + 1].pane.close() }
    openLevel(
      graph.untracked { read(level.items[index].items) }, beside: level.pane,
      area: level.pane.area(of: index), sideways: true, highlighting: highlighting, in: scene)
  }

  func take(_ index: Int, in depth: Int, _ key: Key?) {
    guard depth < levels.count, levels[depth].items.indices.contains(index) else { return }
    let item = levels[depth].items[index]
    if !item.isEnabled || item.isSeparator { return }
    if item.hasItems {
      if depth + 1 == levels.count { openItems(of: index, in: depth) }
      return
    }
    closeAll()
    perform(item, index, key)
  }

  /// Executes an item's command and sends `didSelect`.
  func perform(_ item: MenuItem, _ index: Int, _ key: Key?) {
    do {
      switch item.command {
      case .null: break
      case .object(let command as any Command): try command.execute(self)
      default: try execute?(item.command, item.value, self)
      }
    } catch {
      report(error)
    }
    send(Event("didSelect", sender: self, key: key, index: index, value: item.value))
  }

  // MARK: Input

  /// A key that no view took: that of an item, or F10.
  func act(onShortcut key: Key) -> Bool {
    guard let scene, isUsable, !scene.floats.isBlocked(self) else { return false }
    if key == Key(.function(10)) && !top.isEmpty {
      open(0)
      return isOpen
    }
    guard let (item, index) = graph.untracked({ find(key, in: top, depth: 0) }) else {
      return false
    }
    if item.isEnabled { perform(item, index, key) }
    return true
  }

  private func find(_ key: Key, in items: [MenuItem], depth: Int) -> (MenuItem, Int)? {
    for (index, item) in items.enumerated() {
      if item.key == key { return (item, index) }
      // Items that contain themselves have no end.
      if item.hasItems && depth < 20, item.isEnabled,
        let found = find(key, in: read(item.items), depth: depth + 1)
      {
        return found
      }
    }
    return nil
  }

  public override func handle(_ key: Key) -> Bool {
    guard let level = levels.last else {
      guard flag(.focused), [Key(.enter), Key(.space), Key(.down)].contains(key) else {
        return false
      }
      open(0)
      return true
    }
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
      if depth > 0 { pane.close() } else if !isButton { step(by: -1) }
    case Key(.right):
      if let highlighted = pane.highlighted, level.items[highlighted].hasItems {
        openItems(of: highlighted, in: depth)
      } else if !isButton {
        step(by: 1)
      }
    case Key(.tab), Key(.tab, modifiers: .shift):
      closeAll()
      return false
    default:
      if let character = key.text {
        if let found = level.find(character) { pane.highlight(found) }
        return true
      }
      // A key of an item works while the menu is open as it does otherwise.
      closeAll()
      return act(onShortcut: key)
    }
    return true
  }

  /// Goes to the next title that has items.
  private func step(by step: Int) {
    var index = openTitle
    for _ in top.indices {
      index = (index + step + top.count) % top.count
      if top[index].hasItems && top[index].isEnabled { return open(index) }
    }
  }

  public override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left):
      if isButton {
        open(0, highlighting: false)
        return true
      }
      guard let index = strip().title(at: mouse.position) else { return false }
      guard top[index].isEnabled else { return true }
      if top[index].hasItems {
        open(index, highlighting: false)
      } else {
        perform(top[index], index, nil)
      }
    case .drag(.left), .release(.left): break
    default: return false
    }
    return true
  }
}
