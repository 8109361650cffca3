import TideBindings
import TideGraph

/// A bar that finds a text in all rows of a list, table, tree or collection, visible or not.
///
///     ┌ Find ──────────────────────────────┐
///     │ pear________  [ ↑ ] [ ↓ ] row 7,301│
///     └────────────────────────────────────┘
///
/// The search begins at the current row. Enter and Shift-Enter move to the next and the previous
/// match, and Escape closes the bar. Rows are searched in slices, so that frames and input are
/// handled in between.
package final class FindBar: DialogView {
  private weak var rows: RowsView?
  private let field = FieldView()
  private let note = LabelView()
  private var search: Search?
  private var next: (any ScheduledCall)?

  /// The state of a running search.
  private struct Search {
    let text: String
    let step: Int
    /// The next row to be searched.
    var row: Int
    /// The number of rows still to be searched.
    var left: Int
  }

  /// The number of rows searched without a pause.
  private static let slice = 500
  private static let pause = 0.001

  init(_ rows: RowsView) {
    self.rows = rows
    super.init(viewClass: .dialog)
    self[.title] = "Find"
    self[.align] = "end"
    do { try fill() } catch { report(error) }
  }

  private func fill() throws {
    field[.label] = "Find"
    field[.autofocus] = true
    field[.width] = 24
    try field.on(.editingChanged) { [weak self] _, _ in self?.find(by: 1, isNext: false) }
    field.onKey(Key(.enter)) { [weak self] _, _ in self?.find(by: 1) }
    field.onKey(Key(.enter, modifiers: .shift)) { [weak self] _, _ in self?.find(by: -1) }
    note[.width] = 14
    let row = ViewClass.row.make()
    row[.spacing] = 1
    try row.add(field)
    for (title, name, step) in [("↑", "Previous", -1), ("↓", "Next", 1)] {
      let button = ButtonView(title)
      button[.tooltip] = name
      try button.on(.touchUpInside) { [weak self] _, _ in self?.find(by: step) }
      try row.add(button)
    }
    try row.add(note)
    try add(row)
  }

  /// Placed in the corner, where it covers the fewest rows.
  override func floatingRect(on screen: Rect, by layout: Layout) -> Rect {
    var rect = super.floatingRect(on: screen, by: layout)
    rect.x = screen.maxX - rect.width
    rect.y = screen.maxY - rect.height
    return rect
  }

  private var letters: FormatLocale { BindingTable.of(graph).transformers.language.current }

  @discardableResult
  private func find(by step: Int, isNext: Bool = true) -> Bool {
    next?.cancel()
    search = nil
    let text = letters.folded(field.text)
    guard let rows, rows.scene === scene else { return true }
    note[.text] = ""
    if text.isEmpty { return true }
    let start = rows.selection ?? rows.firstRow
    search = Search(
      text: text, step: step, row: isNext ? start + step : start, left: rows.rowCount)
    goOn()
    return true
  }

  /// Searches the next slice of rows.
  private func goOn() {
    guard var search, let rows, let scene, rows.scene === scene else { return }
    var found: Int?
    let count = rows.rowCount
    scene.withinBudget {
      rows.readRows { read in
        for _ in 0..<min(Self.slice, search.left, count) {
          let row = ((search.row % count) + count) % count
          search.row = row + search.step
          search.left -= 1
          if read(row).contains(where: { letters.folded($0).contains(search.text) }) {
            found = row
            return
          }
        }
      }
    }
    self.search = search
    if let found { return show(found, of: rows) }
    if search.left <= 0 || count == 0 {
      note[.text] = "nothing"
      self.search = nil
      return
    }
    note[.text] = "\(count - min(search.left, count)) of \(count)"
    guard let clock = BindingTable.of(graph).clock else { return goOn() }
    next = clock.animate(after: Self.pause) { [weak self] in self?.goOn() }
  }

  private func show(_ row: Int, of rows: RowsView) {
    search = nil
    note[.text] = "row \(row.number)"
    if rows.mode == .none { rows.scroll(toRow: row) } else { rows.choose(row, nil) }
  }

  package override func close(by key: Key? = nil) {
    next?.cancel()
    guard let scene else { return }
    if let rows { scene.focus(rows) }
    scene.dismiss(self)
  }
}

extension Scene {
  /// Opens a bar that searches the rows around the focus, or else the first rows on the screen;
  /// false if there are none.
  func openFindBar() -> Bool {
    let focused = target
    guard let rows = rows(around: focused) ?? firstRows else { return false }
    for case let bar as FindBar in presented where floats.isForPerson(bar) { dismiss(bar) }
    let bar = FindBar(rows)
    bar.belong(to: person, whoseFocusIs: self.focused)
    present(bar)
    return true
  }

  private func rows(around view: View) -> RowsView? {
    var current: View? = view
    while let each = current {
      if let rows = each as? RowsView { return rows }
      current = each.parent
    }
    return nil
  }

  private var firstRows: RowsView? {
    var walk = TreeWalk(floats.modal ?? root ?? window)
    while let view = walk.next() {
      if view.layout.visible.isEmpty { walk.skipSubviews(of: view) }
      if let rows = view as? RowsView, isReachable(rows) { return rows }
    }
    return nil
  }
}
