import TideBindings

// The classes that show one row for each element of a list.
extension ViewClass {
  static let rows: [ViewClass] = [.list, .table, .tree, .collection, .cell]

  /// Rows of one column; ``ListView``.
  public static let list = showingRows("list", "Shows the elements of a list as rows.") {
    ListView(viewClass: $0)
  }

  /// Rows of several columns with headings; ``TableView``.
  public static let table = showingRows(
    "table", "Shows the elements of a list as rows with columns.",
    properties: [.of(.columns, .any), .of(.sort, .string)], events: ["sort"],
    keyHelp: .inTable
  ) { TableView(viewClass: $0) }

  /// Rows that expand to show their children; ``TreeView``.
  public static let tree = showingRows(
    "tree", "Shows elements and their children as rows that open.", items: .any,
    properties: [.of(.childrenPath, .string, .string("children"))],
    events: ["didExpand", "didCollapse"], keyHelp: .inTree
  ) { TreeView(viewClass: $0) }

  /// The row of a table. Scripts see its class as `cell`.
  static let tableRow = ViewClass("cell", inheriting: .cell) { TableRowView(viewClass: $0) }

  /// Items side by side, in lines; ``CollectionView``.
  public static let collection = showingRows(
    "collection", "Shows the elements of a list as cells side by side, in rows.",
    properties: [.of(.itemWidth, .number), .of(.spacing, .number, .integer(1))],
    keyHelp: .inCollection
  ) { CollectionView(viewClass: $0) }

  /// A row of a list; its subviews are arranged side by side.
  public static let cell = ViewClass(
    "cell", "A row of a list, with its number and whether it is selected.", inheriting: .view,
    properties: [
      .of(.spacing, .number, .integer(1)), .of(.index, .integer),
      .of(.selected, .boolean, .boolean(false)),
    ], arrangement: Row(), make: { CellView(viewClass: $0) })

  private static func showingRows(
    _ name: String, _ summary: String, items: ValueType = .list,
    properties: [PropertyDescription] = [],
    events: [String] = [], keyHelp: [KeyHelp] = .inRows,
    make: @escaping @Sendable (ViewClass) -> View
  ) -> ViewClass {
    ViewClass(
      name, summary, inheriting: .view,
      properties: [
        .of(.focusable, .boolean, .boolean(true)), .of(.grow, .number),
        .of(.items, items), .special(.cell), .of(.selectedIndex, .integer),
        .of(.selectedObject, .any), .of(.selectedValue, .any),
        .of(.missing, .string, .string("")), .rowHeight,
        .word(.selectionMode, "one", of: ["none", "one", "many"]), .selectedIndexes,
        .selectedObjects, .special(.rowStyle),
        .of(.followsEnd, .boolean, .boolean(false)),
        .of(.holdsEditedRow, .boolean, .boolean(true)),
      ] + properties,
      events: ["didSelect", "willDisplay", "didEndDisplaying", "move", "delete"] + events,
      keyHelp: keyHelp, make: make)
  }
}
