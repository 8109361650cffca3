import TideBindings

// The classes that a person turns, presses and chooses with.
extension ViewClass {
  static let controls: [ViewClass] = [.button, .toggle, .checkbox, .progress]

  public static let button = ViewClass(
    "button", inheriting: .view,
    properties: [
      .of(.focusable, .boolean, .boolean(true)), .of(.title, .string, .string("")),
      .of(.selected, .boolean, .boolean(false)),
    ], events: ["touchUpInside"], stretches: false, make: { ButtonView(viewClass: $0) })

  public static let toggle = switching("toggle")
  public static let checkbox = switching("checkbox")

  public static let progress = ViewClass(
    "progress", inheriting: .view, properties: rangeProperties, events: ["valueChanged"],
    make: { ProgressView(viewClass: $0) })

  private static func switching(_ name: String) -> ViewClass {
    ViewClass(
      name, inheriting: .view,
      properties: [
        .of(.focusable, .boolean, .boolean(true)), .of(.isOn, .boolean, .boolean(false)),
        .of(.title, .string, .string("")),
      ], events: ["valueChanged"], stretches: false, make: { ToggleView(viewClass: $0) })
  }

  private static var rangeProperties: [PropertyDescription] {
    [
      .of(.value, .number, .number(0)), .of(.minimum, .number, .number(0)),
      .of(.maximum, .number, .number(1)), .of(.step, .number, .number(0)),
    ]
  }
}
