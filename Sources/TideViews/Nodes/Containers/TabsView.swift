import TideBindings
public import TideGraph

/// Shows one of its subviews at a time, below a strip of titles.
///
/// ```swift
/// let tabs = try ViewClass.tabs.make([general, advanced])
/// tabs[.titles] = .object(ValueList(["General", "Advanced"]))
/// tabs[.selectedTab] = 1
/// ```
///
/// `selected` is the visible subview, counted from 0 in Swift and from 1 in scripts. A subview
/// without a title in `titles` shows its own `title`, its `id` or its number, whichever exists
/// first. The view is as large as its largest subview, so that switching tabs does not move
/// anything else.
///
/// Left, Right, Home and End select a tab while the strip has the focus, a click on a title always,
/// and Ctrl-PageUp and Ctrl-PageDown from anywhere inside. A selection by the user sends
/// `valueChanged`. A strip that is too narrow shows the titles around the selected one.
public final class TabsView: View {
  private var content: ListFollowing?
  private var shownTitles: Value = .null
  /// The first visible title, as a position among the tabs.
  private var first = 0
  private let observers: PropertyObservers
  private var isChoosing = false

  package override init(viewClass: ViewClass) {
    observers = PropertyObservers(.current)
    super.init(viewClass: viewClass)
    observers.observe(.selected, of: self) { [unowned self] in selectInController() }
  }

  /// Selects in the controller the tab that the program has selected, if `selected` is bound to the
  /// selection of a controller.
  private func selectInController() {
    guard !isChoosing, let slot = viewClass.index(of: .selected).map({ slot($0) }),
      let source = BindingTable.of(graph).sourceObject(of: slot), !source.isTwoWay,
      source.property == "selectionIndex", let controller = source.object as? ListController,
      let number = peek(.selected, as: Int?.self), number > 0
    else { return }
    let rows = RowSet(number.position..<number.position + 1)
    graph.untracked {
      if controller.selectedRows == rows { return }
      do { try controller.selectRows(rows) } catch { report(error) }
    }
  }

  /// The index of the visible subview, from 0; nil if there are no subviews.
  public var selected: Int? {
    get { index < 0 ? nil : index }
    set { put(.selected, newValue.map { .integer($0.number) } ?? .null) }
  }

  /// The selected index within bounds; -1 if there are no subviews.
  private var index: Int {
    let wanted = peek(.selected, as: Int?.self) ?? 1
    return max(1, min(wanted, children.count)) - 1
  }

  override func hidesSubview(_ subview: View) -> Bool {
    !children.indices.contains(index) || children[index] !== subview
  }

  /// The subview of the selected tab, unless that is hidden.
  var shownTab: View? {
    guard children.indices.contains(index), children[index].layout.isInFlow else { return nil }
    return children[index]
  }

  override var declaredProperties: [ViewProperty] { [.selected] }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    guard let old = old as? TabsView else { return }
    first = old.first
    adopt(.selected, of: old, reconciliation)
  }

  override func stateChanged() {
    let titles = peek(.titles, as: Value.self)
    if titles == shownTitles { return }
    shownTitles = titles
    content = ListFollowing(titles) { [unowned self] edits in
      reportNonText(of: .titles, in: content, edits)
      setNeedsLayout()
    }
    setNeedsDraw()
  }

  private func title(_ index: Int) -> String {
    if let content, index < content.count, let text = content.row(index).text { return text }
    guard children.indices.contains(index) else { return "" }
    let view = children[index]
    for text in [view.text(.title), view.text(.id)] where !text.isEmpty { return text }
    return "\(index + 1)"
  }

  /// The indexes of the subviews that are not hidden.
  private var tabs: [Int] { children.indices.filter { children[$0].layout.isInFlow } }

  // MARK: The strip

  private struct Strip {
    var spans: [(index: Int, x: Int, width: Int)] = []
    var hasMoreBefore = false
    var hasMoreAfter = false
  }

  /// The cells between two titles.
  private static let gap = 2

  override var leastWidth: Int {
    let widths = tabs.map { CharacterWidth.of(title($0)) + Self.gap }
    return widths.reduce(0, +) + layout.box.padding.horizontal
  }

  /// The positions of the titles in a strip of the given width.
  private func strip(_ width: Int) -> Strip {
    let tabs = tabs
    let widths = tabs.map { CharacterWidth.of(title($0)) + Self.gap }
    let chosen = tabs.firstIndex(of: index) ?? 0
    var strip = Strip()
    if widths.isEmpty || width <= 0 { return strip }
    if widths.reduce(0, +) <= width {
      first = 0
    } else {
      first = max(0, min(first, chosen))
      // One cell at each side marks that there are more titles.
      while first < chosen, widths[first...chosen].reduce(0, +) > width - 2 { first += 1 }
    }
    var x = first > 0 ? 1 : 0
    strip.hasMoreBefore = first > 0
    for position in first..<tabs.count {
      let isLast = position == tabs.count - 1
      let room = width - x - (isLast ? 0 : 1)
      if widths[position] > room && position > chosen && !(isLast && room > Self.gap + 2) {
        strip.hasMoreAfter = true
        break
      }
      let own = min(widths[position], max(0, room))
      strip.spans.append((tabs[position], x, own))
      x += own
    }
    return strip
  }

  package override func draw(in canvas: Canvas) {
    let area = Rect(
      x: layout.box.padding.left, y: layout.box.padding.top,
      width: canvas.size.width - layout.box.padding.horizontal, height: 2)
    let symbols = canvas.symbols
    let line = canvas.style.line
    if canvas.size.height > 2 {
      for x in canvas.shown(area).columns {
        canvas.put(symbols.border[0], x: x, y: area.y + 1, style: line.hint)
      }
    }
    let strip = strip(area.width)
    if strip.hasMoreBefore { canvas.put(symbols.moreLeft, x: area.x, y: area.y) }
    if strip.hasMoreAfter { canvas.put(symbols.moreRight, x: area.maxX - 1, y: area.y) }
    for span in strip.spans {
      let isChosen = span.index == index
      var style = canvas.style
      if isChosen { style = flag(.focused) ? style.with(.bold).focused : style.with(.bold) }
      let room = span.width - Self.gap
      let shown = TextLines.truncated(title(span.index), width: room, ellipsis: symbols.ellipsis)
      let padding = String(repeating: " ", count: max(0, room - CharacterWidth.of(shown)))
      canvas.write(
        " \(shown)\(padding) ", x: area.x + span.x, y: area.y, style: style, within: area)
      guard isChosen, canvas.size.height > 2 else { continue }
      let mark = Rect(x: area.x + span.x, y: area.y + 1, width: span.width, height: 1)
      for x in canvas.shown(mark).columns {
        canvas.put(symbols.heavyLine, x: x, y: area.y + 1, style: line)
      }
    }
  }

  // MARK: Choosing

  /// Selects a tab on behalf of the user.
  func choose(_ index: Int) { _ = choose(index, nil) }

  private func choose(_ index: Int?, _ key: Key?) -> Bool {
    guard let index else { return false }
    if index == self.index { return true }
    if let refused = refusedEntry {
      refused.takeFocusForEntry()
      return true
    }
    isChoosing = true
    selected = index
    isChoosing = false
    // Scripts see the value, so it counts from 1.
    send(.valueChanged, key: key, value: .integer(index.number))
    return true
  }

  /// The view in the current tab whose input was refused; the tab cannot be left until it is valid.
  private var refusedEntry: View? {
    children.indices.contains(index) ? children[index].enterAndFindRefused() : nil
  }

  /// The tab at a distance from the current one, which stops at the ends or wraps around.
  private func neighbour(_ step: Int, wraps: Bool) -> Int? {
    let tabs = tabs
    guard !tabs.isEmpty else { return nil }
    let position = (tabs.firstIndex(of: index) ?? 0) + step
    if wraps { return tabs[(position + tabs.count) % tabs.count] }
    return tabs[max(0, min(position, tabs.count - 1))]
  }

  override func describe(_ description: inout ViewDescription) {
    description.titles = children.indices.map(title)
    description.selected = selected
  }

  override func perform(_ action: ViewAction) -> Bool {
    guard case .choose(let index) = action, tabs.contains(index) else { return false }
    return choose(index, nil)
  }

  package override func handle(_ key: Key) -> Bool {
    switch key {
    case Key(.pageUp, modifiers: .control): return choose(neighbour(-1, wraps: true), key)
    case Key(.pageDown, modifiers: .control): return choose(neighbour(1, wraps: true), key)
    default: break
    }
    guard flag(.focused) else { return false }
    switch key {
    case Key(.left): return choose(neighbour(-1, wraps: false), key)
    case Key(.right): return choose(neighbour(1, wraps: false), key)
    case Key(.home): return choose(tabs.first, key)
    case Key(.end): return choose(tabs.last, key)
    default: return false
    }
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    let padding = layout.box.padding
    let row = mouse.position.y - padding.top
    switch mouse.kind {
    case .press(.left):
      guard row == 0 || row == 1 else { return false }
      let x = mouse.position.x - padding.left
      let strip = strip(layout.rect.width - padding.horizontal)
      if let span = strip.spans.first(where: { x >= $0.x && x < $0.x + $0.width }) {
        return choose(span.index, nil)
      }
      if strip.hasMoreBefore && x == 0 { return choose(neighbour(-1, wraps: false), nil) }
      if strip.hasMoreAfter { return choose(neighbour(1, wraps: false), nil) }
      return true
    case .scroll(let rows):
      guard row == 0 || row == 1 else { return false }
      return choose(neighbour(rows > 0 ? 1 : -1, wraps: false), nil)
    default: return false
    }
  }
}

extension ViewKey where Content == Int? {
  /// The `selected` of tabs, from 0. Scripts count from 1.
  public static var selectedTab: Self { Self(.selected, isPosition: true) }
}
