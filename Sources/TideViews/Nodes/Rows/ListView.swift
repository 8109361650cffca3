import TideBindings
public import TideGraph

/// Shows the rows of a list, with cells for those alone that are in sight.
///
/// ```swift
/// let list = ListView(viewClass: .list)
/// list.makeCell = { object, index in LabelView("row \(index)") }
/// list[.items] = .object(fruits)
/// ```
///
/// Scrolling gives a cell another `dataObject` and `index`; a million rows cost what a screen full
/// of them does. The selection stays with its object when rows come, go and move. Arrow keys, paging
/// keys, Home, End and a click select and send `didSelect`, and so does Enter.
public final class ListView: View {
  /// Makes a cell for a row; it is used for other rows later. A view that is no cell is put in one.
  public var makeCell: ((_ object: Value, _ index: Int) throws -> View?)? {
    didSet { discardCells() }
  }
  var content: ListFollowing?
  private var shownItems: Value = .null
  /// The first row in sight, from 0.
  public internal(set) var firstRow = 0
  /// The cells in sight, in order, of the rows from `cellsStart` on.
  var cells: [CellView] = []
  var cellsStart = 0
  /// Cells out of sight, ready for other rows.
  var spareCells: [CellView] = []
  /// The height of a row when no property says it, found from the first cell.
  var foundRowHeight: Int?
  /// Scroll to the selected row before the next frame.
  var revealsSelection = false
  /// What is selected, from 0, as far as the list has acted on it.
  var selection: Int?
  private var observers: [Slot] = []
  private var isSyncing = false

  public override init(viewClass: ViewClass) {
    super.init(viewClass: viewClass)
    observe(.items) { $0.followItems() }
    observe(.selectedIndex) { $0.followSelectedIndex() }
    observe(.selectedObject) { $0.followSelectedObject() }
  }

  deinit {
    for observer in observers { graph.dispose(observer) }
  }

  private func observe(_ property: ViewProperty, _ body: @escaping (ListView) -> Void) {
    guard let index = viewClass.index(of: property) else { return }
    let function = ObserverFunction { [unowned self] _, _ in body(self) }
    observers.append(graph.makeObserver(of: slot(index), function))
  }

  public override var takesSubviews: Bool { true }

  public override func naturalSize() -> Size {
    followItems()
    return Size(width: 20, height: min(content?.count ?? 0, 10) * rowHeight)
  }

  var rowHeight: Int {
    max(1, BoxStyle.cells(peek(.rowHeight, as: Double?.self)) ?? foundRowHeight ?? 1)
  }

  override func stateChanged() { followItems() }

  override func arrangeSubviews(in content: Rect, by layout: Layout) {
    arrangeCells(in: content, by: layout)
  }

  public override func draw(in canvas: Canvas) { drawScrollBar(on: canvas) }
  public override func handle(_ key: Key) -> Bool { act(on: key) }
  public override func handle(_ mouse: MouseEvent) -> Bool { act(on: mouse) }

  override func takeState(of old: View) {
    guard let old = old as? ListView else { return }
    followItems()
    firstRow = old.firstRow
    if selection != nil { return }
    let object = old.peek(.selectedObject, as: Value.self)
    let row = object == .null ? nil : graph.untracked { content?.index(of: object) }
    select(row ?? old.selection)
  }

  // MARK: The rows

  /// Takes over another list in `items`.
  func followItems() {
    let items = peek(.items, as: Value.self)
    if items == shownItems { return }
    shownItems = items
    let object = peek(.selectedObject, as: Value.self)
    content = ListFollowing(items) { [unowned self] in rowsChanged($0) }
    firstRow = 0
    if object != .null {
      select(graph.untracked { content?.index(of: object) })
    } else {
      let index = peek(.selectedIndex, as: Int?.self)
      select(index.map { $0 - 1 })
    }
    setNeedsLayout()
  }

  private func rowsChanged(_ changes: [ListChange]) {
    if firstRow > 0 {
      for change in changes { firstRow = change.newPlace(of: firstRow) ?? firstRow }
    }
    setNeedsLayout()
    if isSelectionOfController { return select(wantedRow) }
    let object = peek(.selectedObject, as: Value.self)
    var isReplaced = false
    for change in changes {
      if change.kind == .replacement, let selection, change.indexes.contains(selection + 1),
        !change.objects.contains(object)
      {
        isReplaced = true
      }
      selection = selection.flatMap { change.newPlace(of: $0) }
    }
    if !isReplaced, object != .null, selection.map({ content?.row($0) != object }) ?? true {
      // Taken out and put back elsewhere, as a new order may be reported.
      selection = content?.index(of: object)
    }
    select(selection)
  }

  // MARK: The selection

  /// Whether a controller, whose rows these are, knows what is selected: then the view does not
  /// decide what is to be selected when rows go.
  private var isSelectionOfController: Bool {
    content?.list is FollowingList
      && (isBound(.selectedIndex) || isBound(.selectedObject))
  }

  private func isBound(_ property: ViewProperty) -> Bool {
    guard let index = viewClass.index(of: property) else { return false }
    return !graph.dependencies(of: slot(index)).isEmpty
  }

  /// The row, from 0, that the bound property asks for.
  private var wantedRow: Int? {
    if isBound(.selectedIndex) { return peek(.selectedIndex, as: Int?.self).map { $0 - 1 } }
    let object = peek(.selectedObject, as: Value.self)
    return object == .null ? nil : graph.untracked { content?.index(of: object) }
  }

  /// Makes both properties of the selection tell of a row, from 0; nil for none.
  func select(_ row: Int?) {
    let count = content?.count ?? 0
    let row = row.flatMap { $0 >= 0 && $0 < count ? $0 : nil }
    selection = row
    isSyncing = true
    graph.batch {
      put(.selectedIndex, row.map { .integer($0 + 1) } ?? .null)
      put(.selectedObject, row.flatMap { content?.row($0) } ?? .null)
    }
    if isSelectionOfController, wantedRow != row {
      // The controller does not let go of what is being edited.
      selection = wantedRow
      graph.batch {
        put(.selectedIndex, selection.map { .integer($0 + 1) } ?? .null)
        put(.selectedObject, selection.flatMap { content?.row($0) } ?? .null)
      }
    }
    isSyncing = false
    showSelection()
  }

  private func showSelection() {
    for (offset, cell) in cells.enumerated() {
      cell.put(.selected, .boolean(cellsStart + offset == selection))
    }
  }

  private func followSelectedIndex() {
    if isSyncing { return }
    followItems()
    let row = peek(.selectedIndex, as: Int?.self).map { $0 - 1 }
    if row == selection { return }
    select(row)
    revealsSelection = true
    setNeedsLayout()
  }

  private func followSelectedObject() {
    if isSyncing { return }
    followItems()
    let object = peek(.selectedObject, as: Value.self)
    if let selection, content?.row(selection) == object { return }
    if object == .null && selection == nil { return }
    select(object == .null ? nil : graph.untracked { content?.index(of: object) })
    revealsSelection = true
    setNeedsLayout()
  }
}

extension ListChange {
  /// Where a row, from 0, is after this change; nil when it was removed.
  func newPlace(of row: Int) -> Int? {
    let number = row + 1
    switch kind {
    case .insertion:
      var moved = number
      for index in indexes where index <= moved { moved += 1 }
      return moved - 1
    case .removal:
      var before = 0
      for index in indexes {
        if index == number { return nil }
        if index < number { before += 1 }
      }
      return row - before
    case .replacement: return row
    case .move:
      guard indexes.count == 2 else { return row }
      let (from, to) = (indexes[0], indexes[1])
      if number == from { return to - 1 }
      if from < number && number <= to { return row - 1 }
      if to <= number && number < from { return row + 1 }
      return row
    }
  }
}
