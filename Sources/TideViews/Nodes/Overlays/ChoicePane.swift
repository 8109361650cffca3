import TideBindings
import TideGraph

/// A pop-up with rows of text, one of them highlighted. Only visible rows are drawn, so a picker of
/// a million items opens at once.
final class ChoicePane: PopUpView {
  /// The content of a row.
  struct Row {
    var title = ""
    /// Text at the right edge, such as a key.
    var detail = ""
    var isEnabled = true
    var isSeparator = false
    /// Opens a submenu.
    var hasMore = false
    var isTicked = false
  }

  var count = 0
  var row: (Int) -> Row = { _ in Row() }
  /// Called when the user chooses a row with the mouse, or highlights another one.
  var onChoose: (Int) -> Void = { _ in }
  var onHighlight: (Int) -> Void = { _ in }
  private(set) var highlighted: Int?
  private var first = 0
  private var reveals = false
  private var grip: Int?

  /// The maximum number of rows shown without scrolling.
  private static let rowLimit = 12
  /// The maximum number of rows that are measured.
  private static let measuredRows = 200

  init(count: Int, row: @escaping (Int) -> Row) {
    super.init(viewClass: PopUpView.popUpClass)
    self.count = count
    self.row = row
  }

  override func naturalSize() -> Size {
    var title = 0
    var detail = 0
    var extra = 0
    for index in 0..<min(count, Self.measuredRows) {
      let row = row(index)
      title = max(title, CharacterWidth.of(row.title))
      detail = max(detail, CharacterWidth.of(row.detail))
      if row.hasMore || row.isTicked { extra = 2 }
    }
    return Size(
      width: min(10_000, title + (detail > 0 ? detail + 2 : 0) + extra + 2),
      height: max(1, min(count, Self.rowLimit)))
  }

  /// The highlighted row and the scroll position.
  struct Look {
    fileprivate let highlighted: Int?
    fileprivate let first: Int
    fileprivate let reveals: Bool
  }

  var look: Look {
    get { Look(highlighted: highlighted, first: first, reveals: reveals) }
    set {
      highlight(newValue.highlighted)
      first = newValue.first
      reveals = newValue.reveals
      setNeedsDraw()
    }
  }

  func highlight(_ index: Int?) {
    let index = index.map { max(0, min($0, count - 1)) }
    if index == highlighted || count == 0 { return }
    highlighted = index
    reveals = true
    setNeedsDraw()
  }

  /// The next selectable row from an index, in the direction of the step; nil if there is none.
  func next(from index: Int, by step: Int) -> Int? {
    var index = index
    while index >= 0 && index < count {
      let row = row(index)
      if !row.isSeparator { return index }
      index += step
    }
    return nil
  }

  func move(by step: Int) {
    guard count > 0 else { return }
    let from = highlighted.map { max(0, min($0 + step, count - 1)) } ?? (step > 0 ? 0 : count - 1)
    let direction = step > 0 ? 1 : -1
    highlight(next(from: from, by: direction) ?? next(from: from, by: -direction))
  }

  /// The number of visible rows.
  var page: Int { max(1, layout.rect.height - 2) }

  /// The rectangle of a row, relative to the pane's own corner.
  func area(of index: Int) -> Rect {
    Rect(x: 0, y: 1 + index - first, width: layout.rect.width, height: 1)
  }

  /// Scrolls to the highlighted row if it has changed, and clamps the scroll position.
  private func settleFirst(_ rows: Int) {
    if reveals, let highlighted {
      if highlighted < first { first = highlighted }
      if highlighted >= first + rows { first = highlighted - rows + 1 }
    }
    reveals = false
    first = max(0, min(first, count - max(1, rows)))
  }

  private func bar(_ area: Rect) -> ScrollBar {
    ScrollBar(
      axis: .vertical, origin: Point(x: area.maxX, y: area.y), length: area.height, total: count,
      shown: area.height, offset: first)
  }

  override func draw(in canvas: Canvas) {
    canvas.drawBorder()
    let area = canvas.content
    settleFirst(area.height)
    for y in 0..<area.height where first + y < count {
      draw(row(first + y), isHighlighted: first + y == highlighted, at: area.y + y, area, canvas)
    }
    bar(area).draw(on: canvas)
  }

  private func draw(_ row: Row, isHighlighted: Bool, at y: Int, _ area: Rect, _ canvas: Canvas) {
    let symbols = canvas.symbols
    if row.isSeparator {
      for x in 0..<area.width {
        canvas.put(symbols.border[0], x: area.x + x, y: y, style: canvas.style.hint)
      }
      return
    }
    var style = row.isEnabled ? canvas.style : canvas.style.with(.dim)
    if isHighlighted { style = style.chosen }
    let line = Rect(x: area.x, y: y, width: area.width, height: 1)
    canvas.fill(line, style: style)
    var right = area.maxX - 1
    if row.hasMore {
      right -= 1
      canvas.put(symbols.moreRight, x: right, y: y, style: style)
      right -= 1
    } else if row.isTicked {
      right -= 1
      canvas.put(symbols.tick, x: right, y: y, style: style)
      right -= 1
    }
    if !row.detail.isEmpty {
      right -= CharacterWidth.of(row.detail)
      canvas.write(row.detail, x: right, y: y, style: style.with(.dim), within: line)
      right -= 1
    }
    let title = TextLines.truncated(
      row.title, width: right - area.x - 1, ellipsis: symbols.ellipsis)
    canvas.write(title, x: area.x + 1, y: y, style: style, within: line)
  }

  override func handle(_ mouse: MouseEvent) -> Bool {
    let area = Rect(layout.rect.size).inset(by: insets)
    let bar = bar(area)
    switch mouse.kind {
    case .press(.left) where bar.contains(mouse.position):
      grip = bar.grip(at: mouse.position)
      scroll(to: bar.offset(pressedAt: mouse.position))
    case .drag(.left) where grip != nil:
      scroll(to: bar.offset(draggedTo: mouse.position, grip: grip ?? 0))
    case .press(.left), .drag(.left):
      if let index = index(at: mouse.position, area) {
        highlight(index)
        onHighlight(index)
      }
    case .release(.left):
      let isScrolling = grip != nil || bar.contains(mouse.position)
      grip = nil
      if !isScrolling, let index = index(at: mouse.position, area) { onChoose(index) }
    case .scroll(let rows): scroll(to: first + max(-100, min(rows, 100)))
    default: break
    }
    return true
  }

  private func index(at point: Point, _ area: Rect) -> Int? {
    guard area.contains(point) else { return nil }
    let index = first + point.y - area.y
    return index < count && !row(index).isSeparator ? index : nil
  }

  private func scroll(to offset: Int) {
    first = max(0, min(offset, count - page))
    setNeedsDraw()
  }
}
