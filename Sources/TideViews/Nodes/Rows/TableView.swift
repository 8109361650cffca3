import TideBindings
package import TideGraph

/// Shows the rows of a list in columns, below headings that do not scroll.
///
/// ```lua
/// view.table { items = stock, sort = "-price", columns = {
///   { title = "Fruit", path = "name" },
///   { title = "Price", path = "price | format('%.2f')", width = 10 },
///   { title = "Ripe", width = 6, cell = function()
///     return view.checkbox { bindTo = { isOn = "<> dataObject.ripe" } }
///   end },
/// } }
/// ```
///
/// A column has `title`, `path` (from the row's object, optionally with transformers), `cell` (a
/// function of a row's object and index that returns a view to show instead of a label), `width`,
/// `minWidth`, `maxWidth`, `grow`, `align`, `null` (the text for nil), `key` and `sort`. The name
/// of a property also makes a column. Columns without a width share the remaining space; if there
/// is not enough, the table scrolls sideways. Numbers are right-aligned by default; text that does
/// not fit ends with `…`.
///
/// **Sorting**: `sort` is the key of a column, with a leading `-` for descending order, or nil for
/// the list's own order. When the user changes it, the event `sort` is sent. A column is sorted by
/// its path, or by another path or a function (of one row for its key, of two rows to compare them)
/// given as the column's `sort`, or not at all with `sort = false`. If a list controller arranges
/// the rows, its `sort` is set. Otherwise the table shows a sorted copy of the list, and
/// `selectedIndex` and the `index` of events refer to the sorted rows. The user cannot move sorted
/// rows.
///
/// **Keys**, in addition to those of `RowsView`: Left and Right select a heading; then Space and
/// Enter sort by it, `<` and `>` make the column narrower and wider, and Escape returns to the
/// rows. **Mouse**: a click on a heading sorts, dragging its right edge resizes the column, and the
/// wheel with Shift scrolls sideways.
public final class TableView: RowsView {
  /// The columns, from the left.
  public var columns: [TableColumn] = [] {
    didSet { columnsChanged() }
  }
  /// The horizontal spans of the columns, relative to the left end of the rows.
  var spans: [Range<Int>] = []
  /// The horizontal scroll position.
  var offsetX = 0
  /// Widths set by the user, by the columns' keys.
  var ownWidths: [String: Int] = [:]
  /// The selected heading, which keys act on.
  var current: Int?
  var resizing: (column: Int, x: Int, width: Int)?
  /// Whether a column's values are numbers; nil if no value has been seen yet.
  var isNumeric: [Bool?] = []
  /// Owns the cells' bindings.
  var context: BindingContext?
  /// The controller that sorts the rows, and the observer of its order.
  weak var controller: ListController?
  var controllerSort: Effect?
  private var readColumns: Value = .null
  /// The declared `sort`.
  private var declaredSort: String?
  var isSorting = false

  package override init(viewClass: ViewClass) {
    super.init(viewClass: viewClass)
    observe(.columns) { $0.followColumns() }
    observe(.sort) { $0.followSort() }
  }

  package override func addHeld(to meter: inout MemoryMeter) {
    super.addHeld(to: &meter)
    for column in columns { meter.add(Self.columnBytes + column.textBytes) }
  }

  /// The size of a column in bytes, including functions it was made with.
  private static let columnBytes = 600

  override var headHeight: Int { columns.isEmpty ? 0 : 1 }
  override var allowsMoving: Bool { peek(.sort, as: String?.self) == nil }

  override func stateChanged() {
    followColumns()
    super.stateChanged()
  }

  /// As wide as the columns, and as high as the heading and up to ten rows.
  package override func naturalSize() -> Size {
    let size = super.naturalSize()
    return Size(width: max(size.width, basicWidth), height: size.height)
  }

  override func makeSource(_ items: Value) -> (any RowSource)? { makeSortedSource(items) }

  override func prepare(_ rows: Range<Int>) {
    findNumbers(rows)
    arrangeColumns()
  }

  override func makeRowCell(
    _ object: Value, _ row: Int, _ errors: inout [any Error]
  ) throws -> CellView? {
    columns.isEmpty
      ? try super.makeRowCell(object, row, &errors) : makeRow(object, row, &errors)
  }

  package override func draw(in canvas: Canvas) {
    drawHead(on: canvas)
    super.draw(in: canvas)
  }

  package override func handle(_ key: Key) -> Bool { actOnColumns(key) || super.handle(key) }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    handleHeader(mouse) || super.handle(mouse)
  }

  override func describe(_ description: inout ViewDescription) {
    super.describe(&description)
    let sort = peek(.sort, as: String?.self)
    description.columns = columns.indices.map { index in
      let column = columns[index]
      let isSorted = Self.key(of: sort) == column.key && column.sorting != nil
      return ViewDescription.Column(
        title: column.title, alignment: alignment(of: index),
        width: isSized(index) ? basis(index) : nil, hasLeastWidth: hasLeastWidth(index),
        mostWidth: column.maxWidth,
        grow: grow(index), canBeSorted: column.sorting != nil,
        isAscending: isSorted ? sort?.hasPrefix("-") == false : nil)
    }
  }

  override func perform(_ action: ViewAction) -> Bool {
    guard case .sort(let column) = action else { return super.perform(action) }
    guard columns.indices.contains(column), columns[column].sorting != nil else { return false }
    sortByHand(column)
    return true
  }

  override func noteDeclared() {
    super.noteDeclared()
    declaredSort = peek(.sort, as: String?.self)
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    if let old = old as? TableView {
      ownWidths = old.ownWidths
      offsetX = old.offsetX
      current = old.current.flatMap { columns.indices.contains($0) ? $0 : nil }
      resizing = old.resizing
      if columns.count == old.columns.count { isNumeric = old.isNumeric }
      let sort = old.peek(.sort, as: String?.self)
      // A controller keeps its own order, unless `sort` is bound.
      if controller == nil || isBound(.sort),
        sort == nil || columns.contains(where: { $0.key == Self.key(of: sort) })
      {
        adopt(.sort, of: old, ifDeclaredAlike: declaredSort == old.declaredSort, reconciliation)
      }
      columnsMoved()
    }
    super.adoptState(of: old, reconciliation)
  }

  // MARK: Columns

  /// Parses the columns set by a property or a binding.
  private func followColumns() {
    let value = peek(.columns, as: Value.self)
    if value == readColumns { return }
    readColumns = value
    do { columns = try Self.columns(from: value) } catch { report(error) }
  }

  /// Sets columns that cannot be described by values alone, and the value that scripts read for
  /// them.
  package func setColumns(_ columns: [TableColumn], as value: Value) {
    readColumns = value
    put(.columns, value)
    self.columns = columns
  }

  private static func columns(from value: Value) throws -> [TableColumn] {
    switch value {
    case .null: return []
    case .object(let list as any ListObject):
      return try (0..<list.trackedCount).map {
        try TableColumn(list.trackedElement(at: $0) ?? .null)
      }
    default:
      throw TideError(
        .wrongType, "columns are a list of tables, not \(value.typeAndPreview)")
    }
  }

  private func columnsChanged() {
    isNumeric = Array(repeating: nil, count: columns.count)
    if let current, current >= columns.count { self.current = nil }
    context = nil
    discardCells()
    followSort()
  }

  private func makeRow(_ object: Value, _ row: Int, _ errors: inout [any Error]) -> CellView {
    let cell = TableRowView(viewClass: .tableRow)
    let context = context ?? BindingContext("table", in: .of(graph))
    self.context = context
    for (index, column) in columns.enumerated() {
      do {
        try cell.add(view(for: column, index, object, row, context))
      } catch {
        errors.append(error)
        try? cell.add(LabelView())
      }
    }
    return cell
  }

  private func view(
    for column: TableColumn, _ index: Int, _ object: Value, _ row: Int, _ context: BindingContext
  ) throws -> View {
    if let makeCell = column.makeCell {
      let view = try makeCell(object, row + 1) ?? LabelView()
      if view.parent != nil {
        throw TideError(
          .badTree, "the column's cell function gave a view that is in use; it makes a new one")
      }
      if let align = column.align { view.put(.align, .string(align)) }
      return view
    }
    let label = LabelView()
    label.put(.align, .string(alignment(of: index)))
    if flexible != nil { label.put(.wrap, true) }
    var expression = column.expression ?? ViewExpression(path: Path(steps: []))
    expression.arrow = .right
    if case .property? = expression.path.steps.first {
      expression.path = Path(steps: [.property("dataObject")] + expression.path.steps)
    } else if expression.path.steps.isEmpty {
      expression.path = Path(steps: [.property("dataObject")])
    }
    var options = BindingOptions()
    options.location = column.location
    options.null = column.null.map { .string($0) }
    try context.bind(
      expression.binding(to: "text"), text: column.pathText.map { "text: \($0)" } ?? "text: row",
      label, label, options)
    return label
  }

  /// The alignment of a column's text.
  func alignment(of column: Int) -> String {
    columns[column].align ?? (isNumeric[column] == true ? "end" : "start")
  }

  /// Determines from the visible rows which columns contain numbers.
  private func findNumbers(_ rows: Range<Int>) {
    for index in columns.indices where isNumeric[index] == nil && columns[index].align == nil {
      for row in rows.isEmpty ? 0..<min(count, 20) : rows.prefix(20) {
        let value = graph.untracked { columns[index].value(of: content?.row(row) ?? .null) }
        switch value {
        case .null: continue
        case .integer, .number: isNumeric[index] = true
        default: isNumeric[index] = false
        }
        break
      }
      guard isNumeric[index] == true, columns[index].makeCell == nil else { continue }
      // Updates rows that were made before the type was known.
      for cell in cells + pool.spare where index < cell.children.count {
        cell.children[index].put(.align, "end")
      }
    }
  }
}
