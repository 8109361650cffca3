import TideBindings
public import TideGraph

/// What lists, tables, trees and collections have in common: rows, of which those in sight alone
/// have cells, a selection, and scrolling.
///
/// ```swift
/// list[.items] = .object(fruits)
/// list.scroll(toRow: 100)
/// list.firstRow   // the first in sight
/// ```
///
/// Scrolling gives a cell another `dataObject` and `index`; a million rows cost what a screen full
/// of them does. The selection stays with its object when rows come, go and move, and so do the
/// rows in sight when others come or go above them.
///
/// With `selectionMode` `many` any rows may be selected, and one of them or another one is current:
/// it is what keys start from. `selectedIndex` and `selectedObject` are those of the first.
///
/// **Keys**: Up, Down, PageUp, PageDown, Home and End select. Letters jump to the next row whose
/// text begins with what was typed; a pause of a second, or any other key, begins anew. Ctrl-F
/// opens a bar that finds a text anywhere in all rows. Enter opens the selected row, Delete asks
/// for it to be deleted, Alt-Up and Alt-Down for it to be moved. Tab goes on into the cells;
/// focusing a cell selects its row. Where many may be selected, Shift with a key that selects
/// extends the selection, Ctrl with it only moves, Space adds the current row or takes it out, and
/// Ctrl-A selects all.
///
/// **Mouse**: a click selects, a click on the selected row opens it, dragging a row asks for it to
/// be moved, the wheel and the scroll bar scroll.
///
/// **Events**: `didSelect` when a person selects a row, and again, for the row that is selected
/// already, when it is opened; `delete`; `move`, with the row's `index` and the `target` where it
/// is to be. The view changes no list by itself: the handlers of `delete` and `move` do.
/// `willDisplay` and `didEndDisplaying` tell of rows that come into sight and leave it.
///
/// With `rowHeight` `"auto"` each row is as high as its content at this width. Rows are measured when
/// they come into sight; of one that is higher than the view the beginning shows, and PageDown and
/// PageUp scroll in it before they go on.
///
/// With `followsEnd` the last row is kept in sight as rows come, until a person scrolls or selects
/// further up; who comes to the end again, follows it again.
///
/// A row that a person is changing, in its cell or by a view that shows what is selected, stays
/// where it is until that is over, whatever list the view shows; with `holdsEditedRow` set to false
/// it goes where the list has it.
///
/// A cell with the focus whose row leaves the sight is left alone until it has lost the focus, so
/// what is being edited goes to the object that it belongs to; the view takes the focus over.
public class RowsView: View, ItemChoice {
  /// Gives the look of a row, which counts from 0: names of styles, or a data object with `style`,
  /// `textColor`, `backgroundColor`, `bold`, `italic` or `underline`. It is called again when what
  /// it read has changed.
  public final var rowStyle: ((_ object: Value, _ index: Int) throws -> Value)? {
    didSet { discardCells() }
  }
  /// Makes a cell for a row, which counts from 0; it is used for other rows later. A view that is
  /// no cell is put in one.
  public final var makeCell: ((_ object: Value, _ index: Int) throws -> View?)? {
    didSet { discardCells() }
  }
  /// What makes two rows the same, where a function says it.
  package final var keyOfItem: ((_ item: Value) throws -> Value)?
  final var content: (any RowSource)?
  final var shownItems: Value = .null
  /// The first row in sight, from 0.
  public final internal(set) var firstRow = 0
  /// Where rows stand that are each as high as their content; nil where all have one height.
  final var flexible: FlexibleRows?
  final var pool = CellPool()
  /// Rows that a renderer shows beside those in sight, as in a page that has been scrolled: they
  /// have cells too.
  package final var rowsElsewhere: [Range<Int>] = [] {
    didSet { if rowsElsewhere != oldValue { scene?.layout.needsArrange(self) } }
  }
  /// The row that was to be scrolled into sight last, for renderers that scroll by themselves.
  final var soughtRow: SoughtRow?

  /// A row to be scrolled into sight, and whether it is because it is selected.
  package struct SoughtRow: Equatable {
    package let row: Int
    package let isSelection: Bool
  }

  /// Scroll to the selected row before the next frame.
  final var revealsSelection = false
  /// What was in sight after the last layout.
  final var lastSight = RowSight()
  /// The selected row, as far as the view has acted on it; where many may be selected, the current
  /// one, which need not be selected.
  final var selection: Int?
  /// How many rows may be selected.
  final var mode = SelectionMode.one
  /// The selected rows, where many may be.
  final var marks = RowMarks()
  final var isSyncing = false
  /// Whether a person has left the end that the view followed.
  final var hasLeftEnd = false
  final var drag = RowDrag.none
  final var search = RowSearch()
  /// Follows what is selected in the controller of the rows.
  final var controllerSelection: Effect?
  final weak var followedController: ListController?
  /// What was selected at first.
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

  /// 20 cells wide, with room for ten rows at most.
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

  /// Rows may be partly in sight where each has its own height.
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
      // It was laid out before all that was to be shown was there, such as an error below a field.
      if firstRow != old.firstRow || revealsSelection != old.revealsSelection {
        firstRow = old.firstRow
        takePosition(of: old)
        revealsSelection = old.revealsSelection
        scene?.layout.needsArrange(self)
      }
    }
  }

  /// Has as much of the first row above the sight as the view that this one replaces.
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
      // What is bound says it, unless it has nothing to say.
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

  /// Lines above the rows that stay when these scroll.
  var headHeight: Int { 0 }

  /// Whether rows may be moved by hand: not where something else puts them in order.
  var allowsMoving: Bool { true }

  /// How many rows stand side by side.
  var perLine: Int { 1 }

  /// The rows of what was given as `items`.
  func makeSource(_ items: Value) -> (any RowSource)? { following(items) }

  /// A person begins to edit a row, which is to stay.
  func holdEditedRows() { holdListedRows() }

  /// Whether the view itself chooses a row where the chosen one has gone.
  var goesOnAfterLost: Bool { true }

  /// The controller that arranges its rows, where their list does not tell it.
  var rowController: Controller? { nil }

  /// Makes the cell of a row. What fails in a part of it is added to the errors.
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

  /// Called with the rows that are about to be arranged.
  func prepare(_ rows: Range<Int>) {}

  /// The columns of a row's cell, from the left of the body.
  func columns(ofRow row: Int) -> Range<Int> { 0..<max(0, bodyWidth) }

  /// Updates `selected` of the cells.
  func showSelection() {
    for cell in cells { cell.put(.selected, .boolean(isSelected(cell.row))) }
  }

  /// Called when a person or the program selected a row.
  func selectionChanged() {}

  /// Where a key leads the selection; nil for keys that do not move it.
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
