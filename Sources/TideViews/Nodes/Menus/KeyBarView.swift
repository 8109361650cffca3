import TideBindings

/// A line of the keys that currently have a titled action, and the key that quits the app.
///
/// ```lua
/// view.column { keys = { F2 = { title = "New", run = add } }, tasks, view.keyBar {} }
/// ```
///
/// It shows the keys of the focused view and its superviews, the innermost first, and follows the
/// focus. A click on an entry acts like the key. Entries that do not fit are dropped from the right
/// and replaced by an ellipsis; the key that quits the app always stays.
public final class KeyBarView: View {
  /// The entries, as the scene found them before the last frame.
  private var entries: [KeyTitle] = [.quit]
  /// The entry on which the mouse button was pressed.
  private var pressed: Int?

  private static let gap = 2

  /// Updates the entries; returns whether they have changed.
  func refresh() -> Bool {
    guard let found = scene?.keyTitles else { return false }
    if found == entries { return false }
    entries = found
    pressed = nil
    return true
  }

  override func describe(_ description: inout ViewDescription) {
    // A page is quit by closing it.
    description.menu = entries.filter { $0 != .quit }.map { entry in
      ViewDescription.MenuEntry(
        title: entry.title, key: entry.key.description, isEnabled: true, isTicked: false,
        entries: nil)
    }
  }

  private static func width(of entry: KeyTitle) -> Int {
    CharacterWidth.of(entry.key.description) + 1 + CharacterWidth.of(entry.title)
  }

  /// One row, as wide as all entries.
  package override func naturalSize() -> Size {
    let width = entries.reduce(0) { $0 + Self.width(of: $1) + Self.gap }
    return Size(width: max(0, width - Self.gap), height: 1)
  }

  /// The columns of the entries that fit; the last entry quits the app.
  private func spans(_ area: Rect) -> (spans: [(entry: Int, x: Int)], ellipsis: Int?) {
    guard let last = entries.indices.last else { return ([], nil) }
    let widths = entries.map(Self.width)
    var x = area.x
    var spans: [(entry: Int, x: Int)] = []
    var ellipsis: Int?
    for entry in entries.indices.dropLast() {
      let rest = widths[(entry + 1)..<last].reduce(0) { $0 + $1 + Self.gap }
      // The space for the ellipsis and the last entry.
      let reserved = (rest > 0 ? 1 + Self.gap : 0) + widths[last]
      let fitsAll = x + widths[entry] + Self.gap + rest + widths[last] <= area.maxX
      guard fitsAll || x + widths[entry] + Self.gap + reserved <= area.maxX else {
        if x + 1 + Self.gap + widths[last] <= area.maxX {
          ellipsis = x
          x += 1 + Self.gap
        }
        break
      }
      spans.append((entry, x))
      x += widths[entry] + Self.gap
    }
    spans.append((last, x))
    return (spans, ellipsis)
  }

  package override func draw(in canvas: Canvas) {
    let area = canvas.content
    if area.isEmpty { return }
    let (spans, ellipsis) = spans(area)
    for (index, x) in spans {
      let entry = entries[index]
      let isPressed = pressed == index
      let end = canvas.write(
        entry.key.description, x: x, y: area.y,
        style: isPressed ? canvas.style.with([.bold, .reverse]) : canvas.style.with(.bold),
        within: area)
      let style = isPressed ? canvas.style.with(.reverse) : canvas.style
      let title = TextLines.truncated(
        " " + entry.title, width: area.maxX - end, ellipsis: canvas.symbols.ellipsis)
      canvas.write(title, x: end, y: area.y, style: style, within: area)
    }
    if let ellipsis {
      canvas.put(canvas.symbols.ellipsis, x: ellipsis, y: area.y, style: canvas.style.hint)
    }
  }

  private func entry(at point: Point) -> Int? {
    let area = Rect(layout.rect.size).inset(by: insets)
    guard area.contains(point) else { return nil }
    return spans(area).spans.first {
      point.x >= $0.x && point.x < $0.x + Self.width(of: entries[$0.entry])
    }?
    .entry
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left):
      guard let entry = entry(at: mouse.position) else { return false }
      pressed = entry
    case .drag(.left): break
    case .release(.left):
      let chosen = pressed
      pressed = nil
      if let chosen, chosen == entry(at: mouse.position) { run(entries[chosen]) }
    default: return false
    }
    setNeedsDraw()
    return true
  }

  private func run(_ entry: KeyTitle) {
    guard let scene else { return }
    guard let view = entry.view else { return scene.host.quit?() ?? () }
    if view.scene === scene, view.isUsable, !scene.floats.isBlocked(view) {
      _ = view.deliver(entry.key)
    }
  }
}
