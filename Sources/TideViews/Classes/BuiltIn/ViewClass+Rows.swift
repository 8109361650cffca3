import TideBindings

// The classes that show a row for each object of a list.
extension ViewClass {
  static let rows: [ViewClass] = [.list, .cell]

  public static let list = ViewClass(
    "list", inheriting: .view,
    properties: [
      .of(.focusable, .boolean, .boolean(true)), .of(.grow, .number, .integer(1)),
      .of(.items, .list), .of(.cell, .any), .of(.selectedIndex, .integer),
      .of(.selectedObject, .any), .of(.rowHeight, .number),
    ],
    events: ["didSelect", "willDisplay", "didEndDisplaying", "move", "delete"],
    make: { ListView(viewClass: $0) })

  /// A row of a list; its subviews stand side by side.
  public static let cell = ViewClass(
    "cell", inheriting: .view,
    properties: [
      .of(.spacing, .number, .integer(1)), .of(.index, .integer),
      .of(.selected, .boolean, .boolean(false)),
    ], axis: .horizontal, make: { CellView(viewClass: $0) })
}
