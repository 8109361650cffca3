import TideBindings

// The display-only classes: charts, images, lines and spacers.
extension ViewClass {
  static let pictures: [ViewClass] = [
    .chart, .image, .divider, .spacer, .spinner,
  ]

  /// Series of numbers as a sparkline, lines or bars; ``ChartView``.
  public static let chart = ViewClass(
    "chart", "Shows numbers as a line, bars or a sparkline.", inheriting: .view,
    properties: [
      .chartValues, .word(.kind, "spark", of: ["spark", "line", "bar"]),
      .of(.minimum, .number), .of(.maximum, .number), .texts(.labels),
      .of(.scale, .boolean), .of(.points, .integer),
    ], make: { ChartView(viewClass: $0) })

  /// A PNG file, two pixels to a cell; ``ImageView``.
  public static let image = ViewClass(
    "image", "Shows a picture.", inheriting: .view, properties: [.of(.source, .string)],
    make: { ImageView(viewClass: $0) })

  /// An animated activity indicator; ``SpinnerView``.
  public static let spinner = ViewClass(
    "spinner", "Shows that something is being done.", inheriting: .view,
    properties: [.of(.isAnimating, .boolean, .boolean(true))],
    stretches: false, make: { SpinnerView(viewClass: $0) })

  /// A line across its superview; ``DividerView``.
  public static let divider = ViewClass(
    "divider", "Draws a line.", inheriting: .view, make: { DividerView(viewClass: $0) })

  /// Fills the space that its siblings leave, or has the size of its `width` or `height`.
  public static let spacer = ViewClass(
    "spacer", "Takes the room that is left.", inheriting: .view, properties: [.of(.grow, .number)],
    make: { View(viewClass: $0) })
}
