import TideBindings
import TideGraph

// The classes that arrange subviews.
extension ViewClass {
  static let containers: [ViewClass] = [
    .column, .row, .grid, .scroll, .box, .tabs, .split, .window, .dialog,
  ]

  /// Arranges subviews in a column, from top to bottom.
  public static let column = stack("column", "Places its subviews below each other.", Column())
  /// Arranges subviews in a row, from left to right.
  public static let row = stack("row", "Places its subviews side by side.", Row())

  /// Arranges subviews in rows of `columns` columns; see `GridTrack` for the values of `columns`.
  public static let grid = ViewClass(
    "grid", "Places its subviews in rows of columns.", inheriting: .view,
    properties: [columnsProperty], arrangement: Grid(),
    make: { View(viewClass: $0) })

  /// A column of any length, shown through a scrollable viewport; ``ScrollView``.
  public static let scroll = ViewClass(
    "scroll", "A column of any length, of which a part shows.", inheriting: .view,
    properties: [
      .of(.grow, .number), .of(.scrollX, .number, .integer(0)),
      .of(.scrollY, .number, .integer(0)),
    ], arrangement: Scrolling(), keyHelp: .scrolling, make: { ScrollView(viewClass: $0) })

  /// A column with a border and a title; ``BoxView``.
  public static let box = ViewClass(
    "box", "A column with a border and a title.", inheriting: .view,
    properties: [.of(.title, .string, .string(""))],
    arrangement: Column(), border: Sides(all: 1), make: { BoxView(viewClass: $0) })

  /// Shows one subview at a time, with titles above; ``TabsView``.
  public static let tabs = ViewClass(
    "tabs", "Shows one of its subviews at a time, with titles above.", inheriting: .view,
    properties: [
      .of(.focusable, .boolean, .boolean(true)), .texts(.titles),
      .of(.selected, .integer, .integer(1)),
    ], events: ["valueChanged"], arrangement: Stacked(), keyHelp: .changingTabs,
    border: Sides(top: 2), make: { TabsView(viewClass: $0) })

  /// Panes with a divider that can be moved; ``SplitView``.
  public static let split = ViewClass(
    "split", "Panes with a divider that can be moved.", inheriting: .view,
    properties: [
      .of(.grow, .number), .of(.position, .number),
      .word(.axis, "horizontal", of: ["horizontal", "vertical"]),
    ], arrangement: Panes(), keyHelp: .splitting, make: { SplitView(viewClass: $0) })

  /// Fills the screen.
  public static let window = ViewClass(
    "window", "Covers the whole screen.", inheriting: .view, properties: titled, events: ["close"],
    arrangement: Filling(),
    make: { View(viewClass: $0) })

  /// A framed column above everything else; ``DialogView``.
  public static let dialog = ViewClass(
    "dialog", "A frame above everything else.", inheriting: .view, properties: titled,
    events: ["close"], arrangement: Column(),
    keyHelp: .closing, border: Sides(top: 1, right: 2, bottom: 1, left: 2),
    make: { DialogView(viewClass: $0) })

  private static func stack(
    _ name: String, _ summary: String, _ arrangement: any Arrangement
  ) -> ViewClass {
    ViewClass(
      name, summary, inheriting: .view, arrangement: arrangement, make: { View(viewClass: $0) })
  }

  private static var titled: [PropertyDescription] {
    [.of(.title, .string, .string("")), .of(.modal, .boolean, .boolean(false))]
  }

  private static var columnsProperty: PropertyDescription {
    var description = PropertyDescription.of(.columns, .any)
    description.validate = { view, value in
      if GridTrack.list(value) != nil { return value }
      let wrong = GridTrack.firstWrong(in: value).map {
        "; number \($0.index) of the list is \($0.item.typeAndPreview)"
      }
      throw TideError(
        .wrongType,
        "\(view.label).columns is a number of columns, or a list with a width in cells, \"auto\" or "
          + "a share such as \"*\" or \"2*\" for each"
          + (wrong ?? ", not \(value.typeAndPreview)"))
    }
    return description
  }
}
