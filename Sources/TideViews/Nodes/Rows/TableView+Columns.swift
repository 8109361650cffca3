import TideBindings
import TideGraph

extension TableView {
  /// The cells between two columns; the gap is the draggable right edge of the left column.
  static let gap = 1

  /// The width of a column before it grows.
  func basis(_ index: Int) -> Int {
    ownWidths[columns[index].key] ?? basis(of: columns[index])
  }

  private func basis(of column: TableColumn) -> Int {
    let least = max(1, column.minWidth ?? 0)
    let most = max(least, column.maxWidth ?? .max)
    let title = CharacterWidth.of(column.title) + (column.sorting == nil ? 0 : 2)
    return max(least, min(column.width ?? max(4, title), most))
  }

  /// Whether the app or the user has set a size for the column.
  func isSized(_ index: Int) -> Bool {
    hasLeastWidth(index) || columns[index].maxWidth != nil || columns[index].grow != nil
  }

  /// Whether the app or the user has set a minimum width for the column.
  func hasLeastWidth(_ index: Int) -> Bool {
    let column = columns[index]
    return ownWidths[column.key] != nil || column.width != nil || column.minWidth != nil
  }

  /// The column's share of the remaining space.
  func grow(_ index: Int) -> Double {
    let column = columns[index]
    if ownWidths[column.key] != nil { return 0 }
    return min(column.grow ?? (column.width == nil ? 1 : 0), 1e6)
  }

  /// The width of all columns before they grow, including widths set by the user: the table keeps
  /// its natural width while a column is resized.
  var basicWidth: Int {
    columns.reduce(0) { $0 + basis(of: $1) } + Self.gap * max(0, columns.count - 1)
  }

  /// Distributes the width among the columns.
  func arrangeColumns() {
    var items = columns.indices.map { index in
      Distribution.Item(
        basis: basis(index), minimum: basis(index), maximum: columns[index].maxWidth ?? .max,
        grow: grow(index))
    }
    let free = bodyWidth - Self.gap * max(0, items.count - 1)
    Distribution.share(max(free, items.reduce(0) { $0 + $1.basis }), among: &items)
    var x = 0
    let found = items.map { item in
      defer { x += item.size + Self.gap }
      return x..<x + item.size
    }
    let offset = max(0, min(offsetX, (found.last?.upperBound ?? 0) - bodyWidth))
    if found == spans && offset == offsetX { return }
    if found != spans, flexible != nil {
      // Texts wrap at other positions now.
      forgetHeights()
      for cell in cells + pool.spare { cell.layout.knownWidth = -1 }
    }
    spans = found
    offsetX = offset
    for cell in cells + pool.spare where cell.scene != nil { scene?.layout.needsArrange(cell) }
    setNeedsDraw()
  }

  /// Arranges the columns and rows again.
  func columnsMoved() {
    scene?.layout.needsArrange(self)
    setNeedsDraw()
  }

  var widestOffset: Int { max(0, (spans.last?.upperBound ?? 0) - bodyWidth) }

  func scrollSideways(by columns: Int) {
    let limit = widestOffset
    scroll(toColumnAt: offsetX + max(-limit, min(columns, limit)))
  }

  private func scroll(toColumnAt x: Int) {
    let x = max(0, min(x, widestOffset))
    if x == offsetX { return }
    offsetX = x
    for cell in cells { scene?.layout.needsArrange(cell) }
    setNeedsDraw()
  }

  private func reveal(column: Int) {
    guard spans.indices.contains(column) else { return }
    let span = spans[column]
    if span.upperBound > offsetX + bodyWidth { scroll(toColumnAt: span.upperBound - bodyWidth) }
    if span.lowerBound < offsetX { scroll(toColumnAt: span.lowerBound) }
  }

  // MARK: Keys and mouse

  func actOnColumns(_ key: Key) -> Bool {
    if columns.isEmpty || scene?.focused !== self && scene?.focused != nil { return false }
    switch key {
    case Key(.left), Key(.right):
      let step = key == Key(.right) ? 1 : -1
      let next = current.map { $0 + step } ?? (step > 0 ? 0 : columns.count - 1)
      endSearch()
      current = max(0, min(next, columns.count - 1))
    case Key(.escape) where current != nil: current = nil
    case Key(.space), Key(.enter):
      guard let current, search.typed.isEmpty, columns[current].sorting != nil else { return false }
      sortByHand(current)
    case Key(Character("<")), Key(Character(">")):
      guard let current, spans.indices.contains(current) else { return false }
      // Several keys may arrive within one frame.
      let width = ownWidths[columns[current].key] ?? spans[current].count
      resize(current, to: width + (key == Key(Character(">")) ? 1 : -1))
    default: return false
    }
    setNeedsDraw()
    if let current { reveal(column: current) }
    return true
  }

  private func resize(_ index: Int, to width: Int) {
    let column = columns[index]
    let least = max(1, column.minWidth ?? 1)
    ownWidths[column.key] = max(least, min(width, max(least, column.maxWidth ?? 1000)))
    columnsMoved()
  }

  func handleHeader(_ mouse: MouseEvent) -> Bool {
    let area = Rect(layout.rect.size).inset(by: insets)
    let x = mouse.position.x - area.x + offsetX
    switch mouse.kind {
    case .press(.left):
      guard headHeight > 0, area.contains(mouse.position), mouse.position.y == area.y else {
        return false
      }
      if let edge = edge(at: x) {
        resizing = (edge, mouse.position.x, spans[edge].count)
      } else if let index = spans.firstIndex(where: { $0.contains(x) }) {
        current = index
        if columns[index].sorting != nil { sortByHand(index) }
        setNeedsDraw()
      }
      return true
    case .drag(.left):
      guard let resizing, columns.indices.contains(resizing.column) else { return false }
      resize(resizing.column, to: resizing.width + mouse.position.x - resizing.x)
      return true
    case .release(.left):
      defer { resizing = nil }
      return resizing != nil
    case .scroll(let columns) where mouse.modifiers.contains(.shift):
      return scrollByWheel(columns)
    case .scrollSideways(let columns): return scrollByWheel(columns)
    default: return false
    }
  }

  private func scrollByWheel(_ columns: Int) -> Bool {
    if widestOffset == 0 { return false }
    scrollSideways(by: max(-1000, min(columns, 1000)) * 4)
    return true
  }

  /// The column whose right edge, the gap after it, is at a position.
  private func edge(at x: Int) -> Int? {
    spans.firstIndex { x >= $0.upperBound && x < $0.upperBound + Self.gap }
  }

  // MARK: The headings

  func drawHead(on canvas: Canvas) {
    let area = canvas.content
    if headHeight == 0 || area.isEmpty { return }
    let symbols = canvas.symbols
    let style = canvas.style.heading
    let width = min(area.width, max(0, bodyWidth))
    let clip = Rect(x: area.x, y: area.y, width: width, height: 1)
    canvas.fill(Rect(x: area.x, y: area.y, width: area.width, height: 1), style: style)
    for (index, span) in spans.enumerated() {
      let x = area.x + span.lowerBound - offsetX
      if x >= clip.maxX { break }
      var own = style
      if index == current && flag(.focused) {
        own = own.focused
        let whole = Rect(x: x, y: area.y, width: span.count, height: 1)
        canvas.fill(whole.intersection(clip), style: own)
      }
      let arrow = arrow(of: index, symbols).map { " \($0)" } ?? ""
      let title = TextLines.truncated(
        columns[index].title, width: max(0, span.count - arrow.count), ellipsis: symbols.ellipsis)
      let text = title + arrow
      let alignment = Alignment(rawValue: alignment(of: index)) ?? .start
      let start = x + alignment.offset(CharacterWidth.of(text), in: span.count)
      canvas.write(text, x: start, y: area.y, style: own, within: clip)
      if index < spans.count - 1, clip.contains(Point(x: x + span.count, y: area.y)) {
        canvas.put(symbols.border[1], x: x + span.count, y: area.y, style: style.hint)
      }
    }
    if offsetX > 0 { canvas.put(symbols.moreLeft, x: clip.x, y: area.y, style: style) }
    if offsetX < widestOffset, width > 0 {
      canvas.put(symbols.moreRight, x: clip.maxX - 1, y: area.y, style: style)
    }
  }

  private func arrow(of index: Int, _ symbols: Symbols) -> Character? {
    guard let sort = peek(.sort, as: String?.self), Self.key(of: sort) == columns[index].key else {
      return nil
    }
    return sort.hasPrefix("-") ? symbols.descending : symbols.ascending
  }
}

extension View {
  /// The title of the table column that contains the view; nil if there is none.
  package var columnTitle: String? {
    var view = self
    while let above = view.parent {
      if let table = above.parent as? TableView {
        let index = above.children.firstIndex { $0 === view }
        guard let index, table.columns.indices.contains(index) else { return nil }
        let title = table.columns[index].title
        return title.isEmpty ? nil : title
      }
      view = above
    }
    return nil
  }
}
