public import TideBindings
import TideGraph

/// Shows a tree of objects as rows that expand and collapse.
///
/// ```lua
/// view.tree { items = folders, childrenPath = "folders", cell = function()
///   return view.cell { view.label { bindTo = { text = "dataObject.name" } } }
/// end }
/// ```
///
/// `items` are the objects at the top level: a list, a tree controller, or its `arrangedObjects`.
/// An object's children are the list at `childrenPath` (`children` by default), or the result of a
/// function given as `children`. A row is indented by its depth, with `▸` or `▾` before it if it
/// has children. `selectedIndex` counts the visible rows, and `selectedObject` is the selected
/// object. The rows of a controller show its selection, and a selection in the view is made in the
/// controller.
///
/// The expanded state belongs to the object: an object that is moved, or removed and added again,
/// keeps it. Only expanded rows need memory, and each edit of a list of children is an edit of the
/// rows.
///
/// **Keys**, in addition to those of `RowsView`: Right expands a row, then moves to its first
/// child; Left collapses it, then moves to its parent; Space toggles it; Enter toggles it and sends
/// `didSelect`; `*` expands all descendants, up to a million rows. **Mouse**: a click on the
/// triangle toggles the row. **Events**, in addition to those of `RowsView`: `didExpand` and
/// `didCollapse`, with the row's object.
public final class TreeView: RowsView {
  /// Returns an object's children, instead of `childrenPath`.
  public var childrenOf: ((_ object: Value) throws -> ValueList?)? {
    didSet { if content != nil { replaceSource() } }
  }
  /// The expanded objects of the previous source, for the next one.
  private var openMarks = OpenMarks()
  private var childrenSteps: [PathStep]?
  private var pathCheck = RowPathCheck()
  /// The errors of rows whose children could not be read.
  private var childFailures: [ContentKey: FunctionFailure] = [:]
  /// The location at which a script set the path to the children.
  package var pathLocation: SourceLocation?
  /// Observes which visible rows have children.
  private var triangles: Effect?
  private let sight: Signal<Int>
  private(set) var canOpen: [Bool] = []
  weak var controller: TreeController?
  var isSelecting = false
  /// Whether rows are being removed because their parent is collapsed.
  private var isClosing = false

  package override init(viewClass: ViewClass) {
    sight = Graph.current.signal(0)
    super.init(viewClass: viewClass)
    observe(.childrenPath) { $0.childrenPathChanged() }
    triangles = graph.effect { [unowned self] in followTriangles() }
  }

  deinit { triangles?.cancel() }

  var rows: TreeRows? { content as? TreeRows }

  override var rowController: Controller? { controller }

  /// If a parent is collapsed, it is selected instead of its descendant; a controller makes its own
  /// selection.
  override var goesOnAfterLost: Bool { controller == nil && !isClosing }

  override func holdEditedRows() {
    // A controller holds its rows itself.
    guard flag(.holdsEditedRow), controller == nil, let rows else { return }
    BindingTable.of(graph).recordsToEdit.addCompanions { rows.holdRow(of: $0) }
  }

  // MARK: Rows

  override func makeSource(_ items: Value) -> (any RowSource)? {
    if let rows { openMarks = rows.marks }
    childFailures = [:]
    var list: ValueList?
    var found: TreeController?
    switch items {
    case .object(let controller as TreeController):
      found = controller
      list = controller.arrangedObjects
    case .object(let given as ValueList):
      list = given
      if case .object(let node as TreeNode)? = given[0] { found = node.controller }
    case .null: break
    default:
      report(
        TideError(
          .wrongType,
          "a tree's items are a list or a tree controller, not \(items.typeAndPreview)"))
    }
    follow(found)
    let rows = TreeRows(
      list, in: graph, marks: openMarks, children: { [unowned self] in children(of: $0) },
      changed: { [unowned self] in
        dropChildFailures($0)
        rowsChanged($0)
      })
    return rows
  }

  private func childrenPathChanged() {
    childrenSteps = nil
    if content != nil { replaceSource() }
  }

  /// Throws if `childrenPath` begins with a property that no row at the top level has. The error
  /// has the location at which a script set the path. Reads are tracked.
  package func checkChildrenPath() throws {
    let items: Value = self[.items]
    let path: String? = self[.childrenPath]
    guard childrenOf == nil, case .object(let rows as ValueList) = items, let path else { return }
    // A copy, because reading the rows may run functions of scripts.
    var check = pathCheck
    defer { pathCheck = check }
    do {
      try check.check(path, givenAs: "childrenPath", of: rows, isGiven: path != "children")
    } catch var error as TideError {
      error.location = pathLocation
      throw error
    }
  }

  /// The children of an element; nil if they cannot be read, which is listed as an error.
  private func children(of element: Value) -> ValueList? {
    if case .object(let node as TreeNode) = element {
      return node.isLeaf ? nil : node.children
    }
    do {
      let found = try findChildren(of: element)
      if !childFailures.isEmpty { childFailures[ContentKey(element)] = nil }
      return found
    } catch {
      graph.untracked { list(error, ofChildrenOf: element) }
      return nil
    }
  }

  private func findChildren(of element: Value) throws -> ValueList? {
    if let childrenOf { return try childrenOf(element) }
    guard case .object(let object as DataObject) = element, !(object is ValueList) else {
      return nil
    }
    let path = peek(.childrenPath, as: String?.self) ?? "children"
    let steps = try childrenSteps ?? Path(path).steps
    childrenSteps = steps
    return try ChildrenPath.read(steps, of: object)
  }

  private func list(_ error: any Error, ofChildrenOf element: Value) {
    // A read that ran out of time is tried again.
    if (error as? any PassingFailure)?.isPassing == true { return report(error) }
    let key = ContentKey(element)
    let failure = childFailures[key] ?? FunctionFailure(in: .of(graph))
    childFailures[key] = failure
    var error = TideError(wrapping: error, graph: graph, code: .observer)
    if error.location == nil { error.location = pathLocation }
    report(error, of: failure, at: failureSite(ofRow: rows?.row(of: element), element))
  }

  override func leftScene() { childFailures = [:] }

  /// Removes the errors of rows that no longer exist.
  private func dropChildFailures(_ edits: [RowEdit]) {
    if childFailures.isEmpty { return }
    let haveGone = edits.contains {
      switch $0 {
      case .removal, .replacement: true
      case .insertion, .move: false
      }
    }
    if !haveGone { return }
    childFailures = childFailures.filter { rows?.index(of: $0.key.value) != nil }
  }

  /// Expands or collapses a row, from 0.
  public func setOpen(_ isOpen: Bool, row: Int) {
    followItems()
    guard let rows, row >= 0, row < count else { return }
    let isInside = !isOpen && selection.map { isBelow($0, row) } ?? false
    isClosing = !isOpen
    defer { isClosing = false }
    guard rows.setOpen(isOpen, row: row) else { return }
    // A selection in the collapsed rows moves to their parent.
    let present = index(of: row) {
      if isInside, mode == .many {
        var rows = marks.rows
        rows.insert(row..<row + 1)
        mark(rows, current: row, anchor: row)
      } else if isInside {
        choose(row, nil)
      }
    }
    if let present { send(event(isOpen ? "didExpand" : "didCollapse", present)) }
  }

  /// Expands a row, from 0, and all its descendants, up to a million rows.
  public func openAll(row: Int) {
    followItems()
    guard let rows, row >= 0, row < count else { return }
    rows.openAll(row: row)
  }

  /// Whether a row, from 0, is expanded.
  public func isOpen(row: Int) -> Bool {
    row >= 0 && rows?.entry(row)?.open != nil
  }

  private func isBelow(_ row: Int, _ ancestor: Int) -> Bool {
    guard let open = rows?.entry(ancestor)?.open else { return false }
    return row > ancestor && row <= ancestor + open.rowCount
  }

  // MARK: Rows

  override func prepare(_ range: Range<Int>) {
    rows?.look(at: range)
    sight.value &+= 1
  }

  override func columns(ofRow row: Int) -> Range<Int> {
    let indent = gutter(ofRow: row)
    return indent..<max(indent, bodyWidth)
  }

  /// The indentation of a row's cell: two cells for each level and two for the triangle, limited to
  /// leave space for the cell.
  func gutter(ofRow row: Int) -> Int {
    let depth = rows?.entry(row)?.depth ?? 0
    return max(0, min(2 * min(depth, 10_000) + 2, bodyWidth - min(8, bodyWidth / 2)))
  }

  /// Updates which visible rows have children, whenever that changes.
  private func followTriangles() {
    _ = sight.value
    guard let rows else { return }
    var found: [Bool] = []
    for row in graph.untracked({ linesInSight }) {
      guard let entry = graph.untracked({ rows.entry(row) }) else { break }
      found.append(rows.hasChildren(entry))
    }
    if found == canOpen { return }
    canOpen = found
    graph.untracked { setNeedsDraw() }
  }

  package override func draw(in canvas: Canvas) {
    for cell in cells {
      let indent = gutter(ofRow: cell.row)
      let lines = span(ofRow: cell.row)
      let style = cell.decorated(canvas.style)
      let clip = Rect(x: body.x, y: lines.lowerBound, width: indent, height: lines.count)
        .intersection(body)
      if style != canvas.style { canvas.fill(clip, style: style) }
      let index = cell.row - firstRow
      guard canOpen.indices.contains(index), canOpen[index], indent >= 2,
        body.rows.contains(lines.lowerBound)
      else { continue }
      let isOpen = rows?.entry(cell.row)?.open != nil
      canvas.put(
        isOpen ? canvas.symbols.opened : canvas.symbols.closed, x: body.x + indent - 2,
        y: lines.lowerBound,
        style: style)
    }
    super.draw(in: canvas)
  }

  override func showSelection() {
    super.showSelection()
    setNeedsDraw()
  }

  override func selectionChanged() { selectInController() }

  override func describe(_ description: inout ViewDescription) {
    super.describe(&description)
    guard let rows else { return }
    description.rows?.branches = cells.map { cell in
      guard let entry = rows.entry(cell.row) else { return (0, nil) }
      return (entry.depth, rows.hasChildren(entry) ? entry.open != nil : nil)
    }
  }

  override func perform(_ action: ViewAction) -> Bool {
    guard case .setOpen(let isOpen, let row) = action else { return super.perform(action) }
    setOpen(isOpen, row: row)
    return true
  }

  package override func handle(_ key: Key) -> Bool { handleTreeKey(key) ?? super.handle(key) }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    if case .press(.left) = mouse.kind, toggle(at: mouse.position) { return true }
    return super.handle(mouse)
  }

  // MARK: Reload

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    if let old = old as? TreeView {
      followItems()
      if let rows, let oldRows = old.rows { rows.reopen(as: oldRows) }
    }
    super.adoptState(of: old, reconciliation)
  }
}
