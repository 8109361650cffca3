import TideBindings
import TideGraph

/// The object of a mouse drag in a view of rows.
enum RowDrag: Equatable {
  case none
  /// The scroll bar's thumb, at a distance from its beginning; nil if the bar was pressed beside
  /// it.
  case bar(grip: Int?)
  /// A row at the index that it had when it was pressed, its element, and its target index.
  case row(Int, Value, target: Int)
}

extension RowsView {
  final func act(on mouse: MouseEvent) -> Bool {
    followItems()
    switch mouse.kind {
    case .press(.left): return press(at: mouse.position, mouse.modifiers)
    case .drag(.left):
      dragged(to: mouse.position)
      return true
    case .release(.left):
      release()
      return true
    case .scroll(let lines):
      if !overflows { return false }
      scroll(by: lines)
      return true
    default: return false
    }
  }

  /// The cell at a point, relative to the view's own corner.
  private func cell(at point: Point) -> CellView? {
    guard body.contains(point) else { return nil }
    return cells.first { area(ofRow: $0.row).contains(point) }
  }

  private func press(at point: Point, _ modifiers: Key.Modifiers) -> Bool {
    endSearch()
    let bar = bar
    if bar.contains(point) {
      drag = .bar(grip: bar.grip(at: point))
      scroll(toOffset: bar.offset(pressedAt: point))
      return true
    }
    guard let cell = cell(at: point) else { return false }
    guard let row = presentRow(of: cell) else {
      scene?.refusePress(of: callName)
      return true
    }
    drag = .row(row, cell.shownObject, target: row)
    press(row, modifiers)
    return true
  }

  private func dragged(to point: Point) {
    switch drag {
    case .bar(let grip?): scroll(toOffset: bar.offset(draggedTo: point, grip: grip))
    case .row(let row, let element, _):
      guard allowsMoving, hasListener("move") else { return }
      // A drag beyond an end scrolls one line for each mouse event.
      if point.y < body.y { scrollStep(-1) }
      if point.y >= body.maxY { scrollStep(1) }
      let y = max(body.y, min(point.y, body.maxY - 1))
      let column = perLine == 1 ? 0 : (cell(at: Point(x: point.x, y: y))?.row ?? 0) % perLine
      let target = max(0, min(line(atY: y) * perLine + column, count - 1))
      drag = .row(row, element, target: target)
      for cell in cells { cell.setNeedsDraw() }
    default: break
    }
  }

  private func release() {
    let held = drag
    drag = .none
    guard case .row(let pressed, let element, let target) = held, pressed != target else { return }
    for cell in cells { cell.setNeedsDraw() }
    guard let row = row(showing: element, at: pressed) else {
      scene?.refusePress(of: callName)
      return
    }
    _ = move(row, to: min(target, count - 1), nil)
  }

  /// The row that marks the target of a dragged row.
  final var dropRow: Int? {
    if case .row(let row, _, let target) = drag, row != target { target } else { nil }
  }

  /// Whether this view or one of its superviews handles an event.
  final func hasListener(_ name: EventName) -> Bool {
    var view: View? = self
    while let current = view {
      if current.hasHandler(name) { return true }
      view = current.parent
    }
    return false
  }
}
