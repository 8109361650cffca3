import TideBindings

// The classes that give subviews their places.
extension ViewClass {
  static let containers: [ViewClass] = [.column, .row, .box, .window]

  public static let column = stack("column", .vertical)
  public static let row = stack("row", .horizontal)

  public static let box = ViewClass(
    "box", inheriting: .view, properties: [.of(.title, .string, .string(""))], axis: .vertical,
    border: 1, make: { BoxView(viewClass: $0) })

  public static let window = ViewClass(
    "window", inheriting: .view,
    properties: [.of(.title, .string, .string("")), .of(.modal, .boolean, .boolean(false))],
    events: ["close"], axis: .vertical, make: { View(viewClass: $0) })

  private static func stack(_ name: String, _ axis: Axis) -> ViewClass {
    ViewClass(name, inheriting: .view, axis: axis, make: { View(viewClass: $0) })
  }
}
