import TideBindings

// The classes that are looked at.
extension ViewClass {
  static let pictures: [ViewClass] = [
    .chart, .image, .divider, .spacer, .spinner,
  ]

  public static let chart = ViewClass(
    "chart", inheriting: .view,
    properties: [
      .chartValues, .word(.kind, "spark", of: ["spark", "line", "bar"]),
      .of(.minimum, .number), .of(.maximum, .number), .of(.labels, .list),
      .of(.scale, .boolean), .of(.points, .integer),
    ], make: { ChartView(viewClass: $0) })

  public static let image = ViewClass(
    "image", inheriting: .view, properties: [.of(.source, .string)],
    make: { ImageView(viewClass: $0) })

  public static let spinner = ViewClass(
    "spinner", inheriting: .view, properties: [.of(.isAnimating, .boolean, .boolean(true))],
    stretches: false, make: { SpinnerView(viewClass: $0) })

  public static let divider = ViewClass(
    "divider", inheriting: .view, make: { DividerView(viewClass: $0) })

  /// Takes the room that others leave, or as much as its `width` or `height` says.
  public static let spacer = ViewClass(
    "spacer", inheriting: .view, properties: [.of(.grow, .number)],
    make: { View(viewClass: $0) })
}
