import TideBindings
import TideGraph

/// Shows the selected item, and opens a list to select another.
///
/// ```swift
/// let picker = try ViewClasses().make("picker")
/// picker[.items] = .object(ValueList(["red", "green"]))
/// picker[.selectedIndex] = 1
/// ```
///
/// Enter, Space, Up, Down and a click open the list above the other views. In the list, Up, Down,
/// PageUp, PageDown, Home and End move, typing finds the next item with that prefix, Enter, Space
/// and a click select, and Escape, Tab and a click elsewhere close it without a selection. While
/// the list is closed, Left and Right select the neighbour, and typing selects the next item with
/// that prefix. `placeholder` is shown while nothing is selected.
public final class PickerView: ChoosingView {
  private var pane: ChoicePane?

  /// Whether its list of items is open.
  public var isOpen: Bool { pane != nil }

  /// One row, as wide as the longest of the first 200 items, between 10 and 44 cells.
  package override func naturalSize() -> Size {
    followItems()
    var width = CharacterWidth.of(shownPlaceholder)
    for index in 0..<min(count, 200) { width = max(width, CharacterWidth.of(title(index))) }
    if let selection { width = max(width, CharacterWidth.of(title(selection))) }
    return Size(width: max(6, min(width, 40)) + 4, height: 1)
  }

  package override func draw(in canvas: Canvas) {
    let area = canvas.content
    if area.isEmpty { return }
    var style = canvas.style
    if flag(.focused) { style = withFocus(style) }
    let line = Rect(x: area.x, y: area.y, width: area.width, height: 1)
    canvas.fill(line, style: style)
    let shown = selection.map { title($0) } ?? shownPlaceholder
    let textStyle = selection == nil ? style.hint : style
    let fitting = TextLines.truncated(
      shown, width: area.width - 4, ellipsis: canvas.symbols.ellipsis)
    if area.width >= 2 {
      canvas.write("[", x: area.x, y: area.y, style: style)
      canvas.write("]", x: area.maxX - 1, y: area.y, style: style)
    }
    canvas.write(fitting, x: area.x + 1, y: area.y, style: textStyle, within: line)
    if area.width >= 3 {
      canvas.put(canvas.symbols.moreBelow, x: area.maxX - 2, y: area.y, style: style)
    }
  }

  // MARK: The list

  /// Opens the list, unless it is empty.
  public func open() {
    followItems()
    // The selection applies to the record shown now, so the edit begins here.
    guard let scene, pane == nil, count > 0, beginsEdit() else { return }
    let pane = ChoicePane(count: count) { [weak self] index in
      ChoicePane.Row(title: self?.title(index) ?? "", isTicked: index == self?.selection)
    }
    pane.onChoose = { [weak self] index in
      self?.close()
      self?.choose(index, nil)
    }
    pane.onClose = { [weak self] in self?.closed() }
    self.pane = pane
    endTyping()
    pane.open(at: self, in: scene)
    pane.highlight(selection ?? 0)
    setNeedsDraw()
  }

  /// Closes its list of items; the selection stays.
  public func close() { pane?.close() }

  override var openPopUps: OpenPopUps? { pane.map { OpenPopUps(panes: [$0.look]) } }

  override func reopen(_ popUps: OpenPopUps) {
    open()
    if let look = popUps.panes.first { pane?.look = look }
  }

  private func closed() {
    pane = nil
    endTyping()
    setNeedsDraw()
  }

  override func itemsChanged() {
    guard let pane else { return }
    if count == 0 { return close() }
    pane.count = count
    pane.highlight(pane.highlighted)
    pane.setNeedsLayout()
  }

  package override func focusChanged(_ isFocused: Bool) {
    if !isFocused { close() }
  }

  // MARK: Input

  package override func handle(_ key: Key) -> Bool {
    if let pane { return handle(key, with: pane) }
    switch key {
    case Key(.enter), Key(.space), Key(.down), Key(.up):
      open()
      return count > 0
    case Key(.left), Key(.right):
      guard count > 0 else { return false }
      let step = key == Key(.left) ? -1 : 1
      choose(max(0, min((selection ?? (step > 0 ? -1 : count)) + step, count - 1)), key)
      return true
    default:
      guard let character = key.text, character != " ",
        let found = find(character, from: selection)
      else { return false }
      choose(found, key)
      return true
    }
  }

  private func handle(_ key: Key, with pane: ChoicePane) -> Bool {
    switch key {
    case Key(.up): pane.move(by: -1)
    case Key(.down): pane.move(by: 1)
    case Key(.pageUp): pane.move(by: -pane.page)
    case Key(.pageDown): pane.move(by: pane.page)
    case Key(.home): pane.highlight(0)
    case Key(.end): pane.highlight(count - 1)
    case Key(.enter), Key(.space):
      let highlighted = pane.highlighted
      close()
      if let highlighted { choose(highlighted, key) }
      return true
    case Key(.escape):
      close()
      return true
    case Key(.tab), Key(.tab, modifiers: .shift):
      close()
      return false
    default:
      guard let character = key.text else { return false }
      if let found = find(character, from: pane.highlighted) { pane.highlight(found) }
      return true
    }
    endTyping()
    return true
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left): open()
    case .drag(.left), .release(.left): break
    default: return false
    }
    return true
  }
}
