import TideBindings
import TideGraph

/// Panes with movable dividers between them.
///
/// ```swift
/// let split = try ViewClass.split.make([files, text])
/// split[.position] = 24
/// ```
///
/// `axis` is `"horizontal"` for panes side by side, or `"vertical"` for panes below each other.
/// `position` is the size of the first pane, in cells, or below 1 as a fraction of the whole. With
/// nil, panes are sized by their `width` or `height`, by `grow`, or evenly. Moving the first
/// divider writes it. A pane is no narrower than its `minWidth`, and than three cells if there is
/// enough space.
///
/// Dividers can be dragged with the mouse. While the focus is inside, Alt with an arrow along the
/// axis moves the first divider. A split that is `focusable` also handles arrows without Alt, Home
/// and End, and Enter to select the next divider.
public final class SplitView: View {
  /// The sizes of the panes in the last layout.
  private var sizes: [Int] = []
  private var area = Rect.zero
  /// The sizes that the user has set for the panes between the first and the last.
  private var wanted: [Int: Int] = [:]
  private var dragged: Int?
  /// The divider that keys move.
  private var chosen = 0

  var axis: Axis { text(.axis) == "vertical" ? .vertical : .horizontal }

  /// The size of the first pane: in cells, or below 1 as a fraction of the whole.
  public var position: Double? {
    get { self[.position] }
    set { self[.position] = newValue }
  }

  override var declaredProperties: [ViewProperty] { [.position] }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    guard let old = old as? SplitView else { return }
    wanted = old.wanted
    dragged = old.dragged
    chosen = old.chosen
    adopt(.position, of: old, reconciliation)
  }

  // MARK: Sharing

  /// The sizes of the panes for a length. With the dividers they add up to at most that length.
  func shares(of panes: [View], in length: Int) -> [Int] {
    let room = max(0, length - max(0, panes.count - 1))
    var items = panes.map { pane in
      let box = pane.layout.box
      let margin = axis == .horizontal ? box.margin.horizontal : box.margin.vertical
      let fixed =
        axis == .horizontal
        ? box.width(in: length).map { box.clamped(width: $0, in: length) }
        : box.height(in: length)
      var item = Distribution.Item(basis: fixed.map { $0 + margin } ?? 0, shrinks: true)
      if axis == .horizontal {
        let most = box.maxWidth(in: length)
        item.minimum = min(box.minWidth(in: length), Int(BoxStyle.limit)) + margin
        item.maximum = most == .max ? .max : most + margin
      }
      item.grow = fixed == nil ? (box.grow > 0 ? box.grow : 1) : 0
      return item
    }
    if let first = firstSize(of: room), items.count > 1 { fix(&items[0], at: first) }
    for (index, size) in wanted where index > 0 && index < items.count - 1 {
      fix(&items[index], at: size)
    }
    // At least one pane must take the remaining space.
    if let last = items.indices.last, !items.contains(where: { $0.grow > 0 }) {
      items[last].grow = 1
    }
    for index in items.indices where items[index].grow > 0 {
      items[index].minimum = max(items[index].minimum, least(room, items.count))
      items[index].basis = max(items[index].basis, items[index].minimum)
    }
    Distribution.share(room, among: &items)
    return items.map(\.size)
  }

  private func fix(_ item: inout Distribution.Item, at size: Int) {
    item.basis = max(item.minimum, min(size, item.maximum))
    item.grow = 0
  }

  private func firstSize(of room: Int) -> Int? {
    guard let position = peek(.position, as: Double?.self), position >= 0 else { return nil }
    if position > 0 && position < 1 { return Int((position * Double(room)).rounded()) }
    return BoxStyle.cells(position)
  }

  private func least(_ room: Int, _ count: Int) -> Int { min(3, room / max(1, count)) }

  func note(_ sizes: [Int], in area: Rect) {
    self.sizes = sizes
    self.area = area
  }

  // MARK: Dividers

  private var dividerCount: Int { max(0, sizes.count - 1) }

  /// The position of a divider, relative to the view's own corner.
  private func offset(ofDivider index: Int) -> Int {
    let start = axis == .horizontal ? area.x - layout.rect.x : area.y - layout.rect.y
    return start + sizes[0...index].reduce(0, +) + index
  }

  /// Moves a divider by a number of cells, limited by the adjacent panes.
  private func move(_ divider: Int, by step: Int) -> Bool {
    guard divider < dividerCount else { return false }
    let length = axis == .horizontal ? area.width : area.height
    let least = least(length - dividerCount, sizes.count)
    let down = max(0, sizes[divider] - max(least, minimum(divider)))
    let up = max(0, sizes[divider + 1] - max(least, minimum(divider + 1)))
    let step = max(-down, min(step, up))
    if step == 0 { return false }
    // The other panes keep their sizes.
    for index in sizes.indices where index > 0 { wanted[index] = sizes[index] }
    if divider + 1 < sizes.count - 1 { wanted[divider + 1] = sizes[divider + 1] - step }
    if divider > 0 { wanted[divider] = sizes[divider] + step }
    let first = divider == 0 ? sizes[0] + step : sizes[0]
    // The next key may arrive before the next frame.
    sizes[divider] += step
    sizes[divider + 1] -= step
    put(.position, .integer(first))
    scene?.layout.needsArrange(self)
    return true
  }

  private func minimum(_ pane: Int) -> Int {
    let panes = Array(arranged)
    guard axis == .horizontal, panes.indices.contains(pane) else { return 0 }
    let box = panes[pane].layout.box
    return box.minWidth(in: area.width) + box.margin.horizontal
  }

  package override func draw(in canvas: Canvas) {
    let content = canvas.content
    for divider in 0..<dividerCount {
      let offset = offset(ofDivider: divider)
      let isHighlighted = dragged == divider || (flag(.focused) && chosen == divider)
      let style = isHighlighted ? canvas.style.focused : canvas.style.line.hint
      if axis == .horizontal {
        for y in content.y..<content.maxY {
          canvas.put(canvas.symbols.border[1], x: offset, y: y, style: style)
        }
      } else {
        for x in content.x..<content.maxX {
          canvas.put(canvas.symbols.border[0], x: x, y: offset, style: style)
        }
      }
    }
  }

  override func perform(_ action: ViewAction) -> Bool {
    guard case .setValue(let position) = action, position > 0, position.isFinite else {
      return false
    }
    self.position = position
    return true
  }

  package override func handle(_ key: Key) -> Bool {
    let (back, on): (Key.Code, Key.Code) =
      axis == .horizontal ? (.left, .right) : (.up, .down)
    switch key {
    case Key(back, modifiers: .alt): return move(min(chosen, max(0, dividerCount - 1)), by: -1)
    case Key(on, modifiers: .alt): return move(min(chosen, max(0, dividerCount - 1)), by: 1)
    default: break
    }
    guard flag(.focused) else { return false }
    switch key {
    case Key(back): _ = move(chosen, by: -1)
    case Key(on): _ = move(chosen, by: 1)
    case Key(.home): _ = move(chosen, by: -Int(BoxStyle.limit))
    case Key(.end): _ = move(chosen, by: Int(BoxStyle.limit))
    case Key(.enter):
      chosen = dividerCount == 0 ? 0 : (chosen + 1) % dividerCount
      setNeedsDraw()
    default: return false
    }
    return true
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    let at = axis == .horizontal ? mouse.position.x : mouse.position.y
    switch mouse.kind {
    case .press(.left):
      guard let divider = (0..<dividerCount).first(where: { offset(ofDivider: $0) == at }) else {
        return false
      }
      dragged = divider
      chosen = divider
    case .drag(.left):
      guard let dragged, dragged < dividerCount else { return false }
      _ = move(dragged, by: at - offset(ofDivider: dragged))
    case .release(.left): dragged = nil
    default: return false
    }
    setNeedsDraw()
    return true
  }
}
