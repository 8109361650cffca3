import TideBindings
import TideGraph

/// A menu: a bar of titles that open lists of items, or, with a `title` of its own, a button that
/// opens one list.
///
/// ```lua
/// view.menu { items = {
///   { title = "File", items = {
///     { title = "Save", key = "Ctrl-S", command = save },
///     "-",
///     { title = "Quit", command = function() app.quit = true end } } } } }
/// ```
///
/// An item has a `title` and optionally a `key`, a `command` (an object or a function), and `items`
/// for a submenu. It is disabled by `enabled` or the command's `canExecute`, and ticked by
/// `selected`. A title of `-` is a dividing line. Choosing an item executes its command and sends
/// `didSelect` with the item. An item's key does the same from anywhere, if no view handles the
/// key.
///
/// F10 opens the first menu, and a click opens any menu. Up, Down, Home and End move through the
/// items, Left and Right through the titles and into and out of submenus, and a letter moves to the
/// next item that begins with it. Enter and Space choose an item, and Escape closes one level. A
/// bar does not take the focus: it receives the keys while it is open. A button is a stop in the
/// tab order.
public final class MenuView: View {
  private var effect: Effect?
  /// The items of the bar, or those that the button opens.
  private(set) var top: [MenuItem] = []
  /// The open part of the menu; created on first use.
  private var opened: OpenMenu?
  /// The index of the title whose items are open.
  private(set) var openTitle = 0
  /// The errors in keys that were already reported.
  private var reported: Set<String> = []
  /// Executes a command that is not a Swift `Command`.
  package var execute: CommandExecutor?

  /// Whether the menu is open.
  public var isOpen: Bool { opened?.isOpen == true }

  var levels: [MenuLevel] { opened?.levels ?? [] }

  var isButton: Bool { !text(.title).isEmpty }

  override var isFocusStop: Bool { flag(.focusable) || isButton }

  package override init(viewClass: ViewClass) {
    super.init(viewClass: viewClass)
    effect = graph.effect { [weak self] in
      guard let self else { return }
      top = read(self[.items])
      scene?.layout.needsMeasure(self)
      setNeedsDraw()
    }
  }

  /// Parses items; reads are tracked.
  func read(_ value: Value) -> [MenuItem] {
    MenuItem.items(value) { error in
      if reported.insert("\(error)").inserted { report(error) }
    }
  }

  // MARK: The bar

  /// One row: all titles of a bar, or the title of a button.
  package override func naturalSize() -> Size {
    if isButton { return Size(width: CharacterWidth.of(text(.title)) + 6, height: 1) }
    return Size(width: top.reduce(0) { $0 + CharacterWidth.of($1.title) + 2 }, height: 1)
  }

  package override func draw(in canvas: Canvas) {
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

  /// Opens the items of a title, from 0; a button has a single list.
  func open(_ index: Int, highlighting: Bool = true) {
    guard scene != nil, !top.isEmpty else { return }
    closeAll()
    if isButton {
      openTitle = 0
      return menu.open(top, at: nil, highlighting: highlighting)
    }
    openTitle = (index % top.count + top.count) % top.count
    let item = top[openTitle]
    guard item.hasItems else { return setNeedsDraw() }
    menu.open(
      graph.untracked { read(item.items) }, at: strip(showing: openTitle).spans[openTitle],
      highlighting: highlighting)
  }

  private var menu: OpenMenu {
    if let opened { return opened }
    let made = OpenMenu(of: self) { [unowned self] in read($0) }
    made.onChange = { [weak self] in self?.setNeedsDraw() }
    made.onPerform = { [weak self] in self?.perform($0, $1, $2) }
    made.onStep = { [weak self] in self?.step(by: $0) }
    made.onOtherKey = { [weak self] in self?.act(onShortcut: $0) ?? false }
    opened = made
    return made
  }

  override var openPopUps: OpenPopUps? {
    isOpen ? OpenPopUps(title: openTitle, panes: menu.looks) : nil
  }

  override func reopen(_ popUps: OpenPopUps) {
    open(popUps.title, highlighting: false)
    opened?.restore(popUps.panes)
  }

  func closeAll() { opened?.close() }

  package override func focusChanged(_ isFocused: Bool) {
    if !isFocused { closeAll() }
    setNeedsDraw()
  }

  // MARK: Taking items

  func take(_ index: Int, in depth: Int, _ key: Key?) { opened?.take(index, in: depth, key) }

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

  /// Handles a key that no view handled: the key of an item, or F10.
  func act(onShortcut key: Key) -> Bool {
    guard let scene, isUsable, !scene.floats.isBlocked(self) else { return false }
    if key == Key(.function(10)) && !top.isEmpty {
      open(0)
      return isOpen
    }
    guard let (item, index) = graph.untracked({ MenuItem.find(key, in: top, read) }) else {
      return false
    }
    if item.isEnabled { perform(item, index, key) }
    return true
  }

  override func describe(_ description: inout ViewDescription) {
    description.menu = top.map { ViewDescription.MenuEntry($0, read) }
  }

  override func perform(_ action: ViewAction) -> Bool {
    guard case .pick(let path) = action else { return false }
    return graph.untracked {
      guard let (item, index) = MenuItem.find(path, in: top, read) else { return false }
      perform(item, index, nil)
      return true
    }
  }

  package override func handle(_ key: Key) -> Bool {
    if isOpen { return menu.handle(key) }
    guard flag(.focused), [Key(.enter), Key(.space), Key(.down)].contains(key) else {
      return false
    }
    open(0)
    return true
  }

  /// Opens the next title that has items.
  private func step(by step: Int) {
    if isButton { return }
    var index = openTitle
    for _ in top.indices {
      index = (index + step + top.count) % top.count
      if top[index].hasItems && top[index].isEnabled { return open(index) }
    }
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
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
