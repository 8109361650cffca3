import TideBindings

extension ViewClass {
  /// What every view has, and a column of subviews.
  public static let view = ViewClass(
    "view", inheriting: nil, properties: commonProperties,
    events: ["willAppear", "didDisappear", "focus", "blur", "key"], axis: .vertical,
    make: { View(viewClass: $0) })

  public static let column = stack("column", .vertical)
  public static let row = stack("row", .horizontal)

  public static let box = ViewClass(
    "box", inheriting: .view, properties: [.of(.title, .string, .string(""))], axis: .vertical,
    border: 1, make: { BoxView(viewClass: $0) })

  public static let window = ViewClass(
    "window", inheriting: .view,
    properties: [.of(.title, .string, .string("")), .of(.modal, .boolean, .boolean(false))],
    events: ["close"], axis: .vertical, make: { View(viewClass: $0) })

  public static let label = ViewClass(
    "label", inheriting: .view,
    properties: [
      .of(.text, .string, .string("")), .of(.wrap, .boolean, .boolean(false)),
      .of(.truncate, .boolean, .boolean(true)),
    ], make: { LabelView(viewClass: $0) })

  public static let field = ViewClass(
    "field", inheriting: .view,
    properties: [
      .of(.focusable, .boolean, .boolean(true)), .of(.text, .string, .string("")),
      .of(.placeholder, .string, .string("")), .of(.secure, .boolean, .boolean(false)),
      .of(.maxLength, .integer), .shared(.editable, true, .and),
    ],
    events: ["editingDidBegin", "editingChanged", "editingDidEnd", "editingDidEndOnExit"],
    make: { FieldView(viewClass: $0) })

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

  public static let chart = ViewClass(
    "chart", inheriting: .view,
    properties: [
      .of(.values, .list), .word(.kind, "spark", of: ["spark", "line", "bar"]),
      .of(.minimum, .number), .of(.maximum, .number),
    ], make: { ChartView(viewClass: $0) })

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

  /// Takes the room that others leave.
  public static let spacer = ViewClass(
    "spacer", inheriting: .view, properties: [.of(.grow, .number, .integer(1))],
    make: { View(viewClass: $0) })

  public static let divider = ViewClass(
    "divider", inheriting: .view, make: { DividerView(viewClass: $0) })

  /// All of them, by name.
  static let builtIn: [ViewClass] = [
    .view, .column, .row, .box, .window, .label, .field, .button, .toggle, .checkbox, .progress,
    .chart, .list, .cell, .spacer, .divider,
  ]

  private static func stack(_ name: String, _ axis: Axis) -> ViewClass {
    ViewClass(name, inheriting: .view, axis: axis, make: { View(viewClass: $0) })
  }

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

  /// In the order of `ViewProperty`.
  private static var commonProperties: [PropertyDescription] {
    [
      .of(.id, .string), .of(.tag, .integer), .of(.key, .any), .readOnly(.class, .string),
      .readOnly(.superview, .object), subviewsProperty, .readOnly(.window, .object),
      dataObjectProperty, .shared(.hidden, false, .or),
      .shared(.enabled, true, .and), .of(.error, .string), .of(.tooltip, .string),
      .of(.focusable, .boolean, .boolean(false)),
      .readOnly(.focused, .boolean, .boolean(false)), .of(.style, .any), .of(.width, .number),
      .of(.height, .number), .of(.minWidth, .number), .of(.maxWidth, .number),
      .of(.grow, .number, .integer(0)), .sides(.padding), .sides(.margin),
      .word(.align, "stretch", of: ["start", "center", "end", "stretch"]), .color(.textColor),
      .color(.backgroundColor), .of(.bold, .boolean, .boolean(false)),
      .of(.italic, .boolean, .boolean(false)), .of(.underline, .boolean, .boolean(false)),
      .of(.keys, .any), .of(.spacing, .number, .integer(0)),
    ]
  }

  private static var subviewsProperty: PropertyDescription {
    var property = PropertyDescription.readOnly(.subviews, .list)
    property.derive = { SubviewsBody($0) }
    return property
  }

  private static var dataObjectProperty: PropertyDescription {
    var property = PropertyDescription.of(.dataObject, .any)
    property.derive = { InheritedObjectBody($0) }
    property.assign = { view, value in (view as? View)?.setOwnDataObject(value) }
    return property
  }
}
