import TideBindings
import TideGraph

/// Shows its items below each other, with a mark at the selected one.
///
/// ```swift
/// let size = try ViewClasses().make("radio")
/// size[.items] = .object(ValueList(["small", "medium", "large"]))
/// ```
///
/// Up and Down (or Left and Right), Home and End and a click select an item; typing selects the
/// next item with that prefix. Space and Enter select the first item if nothing is selected. A view
/// with fewer rows than items shows those around the selected one.
public final class RadioView: ChoosingView {
  private var first = 0

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    guard let old = old as? RadioView else { return }
    first = old.first
  }

  /// A row for each item, as wide as the longest of the first 200.
  package override func naturalSize() -> Size {
    followItems()
    var width = 0
    for index in 0..<min(count, 200) { width = max(width, CharacterWidth.of(title(index))) }
    return Size(width: width + 4, height: min(count, 10_000))
  }

  package override func draw(in canvas: Canvas) {
    let area = canvas.content
    if area.isEmpty { return }
    let cursor = selection ?? 0
    if cursor < first { first = cursor }
    if cursor >= first + area.height { first = cursor - area.height + 1 }
    first = max(0, min(first, count - area.height))
    for y in canvas.shown(area).rows.lazy.map({ $0 - area.y }) where first + y < count {
      let index = first + y
      let isHighlighted = flag(.focused) && index == cursor
      let mark = index == selection ? canvas.symbols.chosen : canvas.symbols.unchosen
      canvas.write(
        mark, x: area.x, y: area.y + y,
        style: isHighlighted ? withFocus(canvas.style) : canvas.style,
        within: area)
      let fitting = TextLines.truncated(
        title(index), width: area.width - 4, ellipsis: canvas.symbols.ellipsis)
      canvas.write(fitting, x: area.x + 4, y: area.y + y, within: area)
    }
  }

  package override func handle(_ key: Key) -> Bool {
    followItems()
    let last = count - 1
    if last < 0 { return false }
    switch key {
    case Key(.up), Key(.left): choose(max(0, (selection ?? count) - 1), key)
    case Key(.down), Key(.right): choose(min(last, (selection ?? -1) + 1), key)
    case Key(.home): choose(0, key)
    case Key(.end): choose(last, key)
    case Key(.space), Key(.enter):
      guard selection == nil else { return key == Key(.space) }
      choose(0, key)
    default:
      guard let character = key.text, let found = find(character, from: selection) else {
        return false
      }
      choose(found, key)
      return true
    }
    endTyping()
    return true
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left):
      let row = mouse.position.y - insets.top
      guard row >= 0 else { return true }
      choose(first + row, nil)
    case .drag(.left), .release(.left): break
    default: return false
    }
    return true
  }
}
