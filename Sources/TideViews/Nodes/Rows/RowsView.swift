import TideBindings
public import TideGraph

/// The base class of lists, tables, trees and collections: rows with a selection and scrolling,
/// where only visible rows have cells.
///
/// ```swift
/// list[.items] = .object(fruits)
/// list.scroll(toRow: 100)
/// list.firstRow   // the first in sight
/// ```
///
/// Scrolling assigns another `dataObject` and `index` to a cell, so a million rows cost no more
/// than a screenful. The selection stays on its object when rows are inserted, removed and moved,
/// and the visible rows stay in place when rows above them are inserted or removed.
///
/// With `selectionMode` `many`, any rows may be selected, and one row, selected or not, is current:
/// keys start from it. `selectedIndex` and `selectedObject` are those of the first selected row.
///
/// **Keys**: Up, Down, PageUp, PageDown, Home and End select. Letters select the next row whose
/// text begins with the typed text; a pause of a second, or any other key, starts a new search.
/// Ctrl-F opens a bar that finds a text in all rows. Enter opens the selected row, Delete requests
/// its deletion, and Alt-Up and Alt-Down request a move. Tab moves on into the cells; focusing a
/// cell selects its row. With multiple selection, Shift with a navigation key extends the
/// selection, Ctrl with one only moves the current row, Space toggles the current row, and Ctrl-A
/// selects all.
///
/// **Mouse**: a click selects, a click on the selected row opens it, dragging a row requests a
/// move, and the wheel and the scroll bar scroll.
///
/// **Events**: `didSelect` when the user selects a row, and again when the user opens the selected
/// row; `delete`; `move`, with the row's `index` and the `target` index. The view does not edit the
/// list: the handlers of `delete` and `move` do. `willDisplay` and `didEndDisplaying` report rows
/// that become visible and hidden.
///
/// With `rowHeight` `"auto"`, each row is as high as its content at the current width. Rows are
/// measured when they become visible. A row higher than the view shows its beginning first;
/// PageDown and PageUp scroll within it before they move on.
///
/// With `followsEnd`, the view scrolls to rows added at the end, until the user scrolls up or
/// selects an earlier row; returning to the end resumes it.
///
/// A row that the user is editing, in its cell or in a view of the selected object, keeps its
/// position until the edit ends, whatever list the view shows; with `holdsEditedRow` set to false
/// it moves to its position in the list.
///
/// A focused cell whose row is scrolled out of view stays unchanged until its edit has ended, so
/// that the input goes to the object it belongs to; the view itself takes the focus.
public class RowsView: View, ItemChoice {
  /// Returns the look of a row, counted from 0: names of styles, or a data object with `style`,
  /// `textColor`, `backgroundColor`, `bold`, `italic` or `underline`. It is called again when a
  /// value that it read has changed.
  public final var rowStyle: ((_ object: Value, _ index: Int) throws -> Value)? {
    didSet { discardCells() }
  }
  /// Makes a cell for a row, counted from 0; the cell is reused for other rows. A view that is not
  /// a cell is wrapped in one.
  public final var makeCell: ((_ object: Value, _ index: Int) throws -> View?)? {
    didSet { discardCells() }
  }
  /// Identifies rows: rows with equal keys count as the same row. Nil without a key function.
  package final var keyOfItem: ((_ item: Value) throws -> Value)? {
    didSet { keyFailure = nil }
  }
  final var keyFailure: (failure: FunctionFailure, item: Value)?
  final var content: (any RowSource)?
  final var shownItems: Value = .null
  /// The first visible row, from 0.
  public final internal(set) var firstRow = 0
  /// The state of rows with individual heights; nil if all rows have the same height.
  final var flexible: FlexibleRows?
  final var pool = CellPool()
  /// Rows that another renderer shows in addition to the visible ones, as in a scrolled page. They
  /// have cells too.
  package final var rowsElsewhere: [Range<Int>] = [] {
    didSet { if rowsElsewhere != oldValue { scene?.layout.needsArrange(self) } }
  }
  /// The row that renderers which scroll by themselves should scroll to.
  final var soughtRow: SoughtRow?

  /// A row to scroll to, and whether the reason is its selection.
  package struct SoughtRow: Equatable {
    package let row: Int
    package let isSelection: Bool
  }

  /// Whether to scroll to the selected row before the next frame.
  final var revealsSelection = false
  /// The visible part after the last layout.
  final var lastSight = RowSight()
  /// The selected row that the view has processed; with multiple selection the current row, which
  /// need not be selected.
  final var selection: Int?
  /// The number of rows that can be selected.
  final var mode = SelectionMode.one
  /// The selected rows in multiple selection.
  final var marks = RowMarks()
  final var isSyncing = false
  /// Whether the user has scrolled away from the end that the view followed.
  final var hasLeftEnd = false
  final var drag = RowDrag.none
  final var search = RowSearch()
  /// Observes the selection of the rows' controller.
  final var controllerSelection: Effect?
  final weak var followedController: ListController?
  /// The rows selected in the declaration.
  private final var declaredRows = RowSet()
  final let observers: PropertyObservers

  package override init(viewClass: ViewClass) {
    observers = PropertyObservers(.current)
    super.init(viewClass: viewClass)
    observeChoice()
    observe(.selectionMode) { $0.followSelectionMode() }
    observe(.selectedIndexes) { $0.followSelected(.selectedIndexes) }
    observe(.selectedObjects) { $0.followSelected(.selectedObjects) }
    observe(.rowHeight) { $0.followRowHeight() }
  }

  /// True: the rows' cells are subviews.
  override var scrolls: Bool { true }
  public override var takesSubviews: Bool { true }

  override var makesSubviews: Bool { !pool.isAdding }

  /// 20 cells wide, and as high as up to ten rows.
  package override func naturalSize() -> Size {
    followItems()
    return Size(width: 20, height: headHeight + height(ofFirst: min(count, 10)))
  }

  deinit { controllerSelection?.cancel() }

  override func stateChanged() {
    followItems()
    followSelectingController()
  }

  package override func addHeld(to meter: inout MemoryMeter) {
    super.addHeld(to: &meter)
    if let flexible { meter.add(flexible.heights.heldBytes) }
  }

  /// Rows with individual heights may be partly visible.
  override func reveal(_ area: Rect) {
    if flexible != nil { revealFlexibly(area) }
  }

  override func arrangeSubviews(in content: Rect, by layout: Layout) { arrangeCells(by: layout) }

  package override func draw(in canvas: Canvas) { bar.draw(on: canvas) }

  package override func handle(_ key: Key) -> Bool { act(on: key) }

  package override func handle(_ mouse: MouseEvent) -> Bool { act(on: mouse) }

  override func describe(_ description: inout ViewDescription) {
    followItems()
    description.subviews = []
    description.rows = ViewDescription.Rows(
      count: count, height: flexible == nil ? rowHeight : nil, cells: cells,
      canBeMoved: allowsMoving && hasListener("move"))
  }

  override func perform(_ action: ViewAction) -> Bool { act(on: action) }

  package override func focusChanged(_ isFocused: Bool) { redrawSelection() }

  override func focusWithinChanged(keepsSelection: Bool) {
    followFocus(keepsSelection: keepsSelection)
  }

  override func noteDeclared() {
    super.noteDeclared()
    followItems()
    declaredRows = selectedRows
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    guard let old = old as? RowsView else { return }
    followItems()
    takeHeldRows(of: old)
    takeSelection(of: old)
    firstRow = old.firstRow
    takePosition(of: old)
    rowsElsewhere = old.rowsElsewhere
    pool.foundSize = pool.foundSize ?? old.pool.foundSize
    revealsSelection = old.revealsSelection
    search = old.search
    drag = old.drag
    hasLeftEnd = old.hasLeftEnd
    pool.shownBefore = Set(old.cells.map(\.row))
    reconciliation.atEnd { [unowned self] in
      pool.shownBefore = []
      // The first layout may have happened before all content was shown, such as an error below a
      // field.
      if firstRow != old.firstRow || revealsSelection != old.revealsSelection {
        firstRow = old.firstRow
        takePosition(of: old)
        revealsSelection = old.revealsSelection
        scene?.layout.needsArrange(self)
      }
    }
  }

  /// Scrolls the first row as far as in the view that this one replaces.
  private func takePosition(of old: RowsView) {
    guard let position = old.flexible else { return }
    flexible?.window.skipped = position.window.skipped
    flexible?.heights.takeAverage(of: position.heights)
  }

  override func stateRestorer() -> (() -> Void)? {
    let (row, first, count, marks) = (selection, firstRow, count, marks)
    let skipped = flexible?.window.skipped ?? 0
    let object = peek(.selectedObject, as: Value.self)
    let reveals = revealsSelection
    return { [weak self] in
      guard let self else { return }
      followItems()
      guard self.count == count else { return }
      if mode == .many {
        if self.marks.rows != marks.rows { mark(marks.rows, current: row, anchor: marks.anchor) }
      } else if selection != row, row.map({ self.content?.row($0) == object }) ?? true {
        select(row)
      }
      firstRow = first
      flexible?.window.skipped = skipped
      revealsSelection = reveals
    }
  }

  private func takeSelection(of old: RowsView) {
    if isSelectionBound {
      // A bound selection takes precedence, unless the binding has no value.
      if !selectedRows.isEmpty || old.selectedRows.isEmpty { return }
    } else if declaredRows != old.declaredRows {
      return
    }
    if mode == .many { return takeMarks(of: old) }
    let object = old.peek(.selectedObject, as: Value.self)
    let row = object == .null ? nil : graph.untracked { content?.index(of: object) }
    let wanted = row ?? old.firstSelected
    if wanted != selection { select(wanted) }
  }

  // MARK: For subclasses

  /// The number of lines above the rows that do not scroll.
  var headHeight: Int { 0 }

  /// Whether the user may move rows; false if the order is determined otherwise.
  var allowsMoving: Bool { true }

  /// The number of rows side by side.
  var perLine: Int { 1 }

  /// Makes the row source for a value of `items`.
  func makeSource(_ items: Value) -> (any RowSource)? { following(items) }

  /// Called when the user begins to edit a row, which must keep its position.
  func holdEditedRows() { holdListedRows() }

  /// Whether the view selects another row after the selected one was removed.
  var goesOnAfterLost: Bool { true }

  /// The controller of the rows, if it cannot be found from their list.
  var rowController: Controller? { nil }

  /// Makes the cell of a row. Errors in a part of the cell are appended to `errors`.
  func makeRowCell(_ object: Value, _ row: Int, _ errors: inout [any Error]) throws -> CellView? {
    guard let makeCell else { return .plain(wraps: flexible != nil) }
    guard let view = try makeCell(object, row) else { return nil }
    if view.parent != nil {
      throw TideError(
        .badTree, "the cell function gave a view that is in use; it makes a new one each time")
    }
    if let cell = view as? CellView { return cell }
    let cell = CellView(viewClass: .cell)
    try cell.add(view)
    return cell
  }

  /// Called before rows are arranged.
  func prepare(_ rows: Range<Int>) {}

  /// The columns of a row's cell, relative to the left edge of the body.
  func columns(ofRow row: Int) -> Range<Int> { 0..<max(0, bodyWidth) }

  /// Updates `selected` of the cells.
  func showSelection() {
    for cell in cells { cell.put(.selected, .boolean(isSelected(cell.row))) }
  }

  /// Called when the user or the program has selected a row.
  func selectionChanged() {}

  /// The row that a key selects; nil for keys that do not move the selection.
  func target(of key: Key) -> Int? {
    switch key {
    case Key(.up): selection.map { $0 - perLine } ?? count - 1
    case Key(.down): selection.map { $0 + perLine } ?? 0
    case Key(.pageUp): row(selection ?? firstRow, pages: -1)
    case Key(.pageDown): selection.map { row($0, pages: 1) } ?? lastRow
    case Key(.home): 0
    case Key(.end): count - 1
    default: nil
    }
  }
}
