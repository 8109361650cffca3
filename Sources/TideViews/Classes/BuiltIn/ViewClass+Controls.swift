import TideBindings

// The interactive classes: buttons, switches, sliders, choices and menus.
extension ViewClass {
  static let controls: [ViewClass] = [
    .button, .toggle, .checkbox, .progress, .slider, .stepper, .picker, .radio, .menu, .keyBar,
  ]

  /// Sends `touchUpInside` when it is pressed; ``ButtonView``.
  public static let button = ViewClass(
    "button", "Sends touchUpInside when it is pressed.", inheriting: .view,
    properties: [
      .of(.focusable, .boolean, .boolean(true)), .of(.title, .string, .string("")),
      .of(.selected, .boolean, .boolean(false)), .readOnly(.busy, .boolean, .boolean(false)),
      .word(.role, "none", of: ["none", "submit", "reset"]),
    ], events: ["touchUpInside"], keyHelp: .pressing, stretches: false,
    make: { ButtonView(viewClass: $0) })

  /// A switch with a title; ``ToggleView``.
  public static let toggle = switching("toggle", "A switch that is on or off.")
  /// A toggle drawn as a check box; ``ToggleView``.
  public static let checkbox = switching("checkbox", "A box that is on or off.")

  /// A progress bar; ``ProgressView``.
  public static let progress = ViewClass(
    "progress", "Shows how much of something is done.", inheriting: .view,
    properties: progressProperties, events: ["valueChanged"],
    make: { ProgressView(viewClass: $0) })

  /// A knob on a line, for a number; ``SliderView``.
  public static let slider = ViewClass(
    "slider", "A number that is chosen between two bounds.", inheriting: .view,
    properties: [focusableAtOnce] + rangeProperties,
    events: ["valueChanged"], keyHelp: .sliding, make: { SliderView(viewClass: $0) })

  /// A number that is raised and lowered in steps; ``StepperView``.
  public static let stepper = ViewClass(
    "stepper", "A number that is changed by steps.", inheriting: .view,
    properties: [
      focusableAtOnce, .of(.value, .number, .number(0)), .of(.minimum, .number, .number(0)),
      .of(.maximum, .number, .number(100)), .of(.step, .number, .number(1)),
    ], events: ["valueChanged"], keyHelp: .stepping, stretches: false,
    make: { StepperView(viewClass: $0) })

  /// A choice of one item from a pop-up list; ``PickerView``.
  public static let picker = ViewClass(
    "picker", "One of some items, chosen from a list that opens.", inheriting: .view,
    properties: choiceProperties + [.of(.placeholder, .string, .string(""))],
    events: ["valueChanged"], keyHelp: .picking, stretches: false,
    make: { PickerView(viewClass: $0) })

  /// A choice of one item, with all items visible; ``RadioView``.
  public static let radio = ViewClass(
    "radio", "One of some items, all of which are shown.", inheriting: .view,
    properties: choiceProperties, events: ["valueChanged"],
    keyHelp: .choosing, stretches: false, make: { RadioView(viewClass: $0) })

  /// A menu bar, or, with a title, a button that opens a menu; ``MenuView``.
  public static let menu = ViewClass(
    "menu", "Commands that are chosen from a list that opens.", inheriting: .view,
    properties: [.of(.items, .list), .of(.title, .string, .string(""))], events: ["didSelect"],
    keyHelp: .opening, make: { MenuView(viewClass: $0) })

  /// A line that lists the keys available at present; ``KeyBarView``.
  public static let keyBar = ViewClass(
    "keyBar", "Shows which keys do something.", inheriting: .view,
    make: { KeyBarView(viewClass: $0) })

  private static var focusableAtOnce: PropertyDescription {
    .of(.focusable, .boolean, .boolean(true))
  }

  private static var choiceProperties: [PropertyDescription] {
    [
      focusableAtOnce, .of(.items, .list), .of(.selectedIndex, .integer),
      .of(.selectedObject, .any), .of(.selectedValue, .any),
      .of(.missing, .string, .string("")),
    ]
  }

  private static func switching(_ name: String, _ summary: String) -> ViewClass {
    ViewClass(
      name, summary, inheriting: .view,
      properties: [
        .of(.focusable, .boolean, .boolean(true)), .of(.isOn, .boolean, .boolean(false)),
        .of(.title, .string, .string("")),
      ], events: ["valueChanged"], keyHelp: .switching, stretches: false,
      make: { ToggleView(viewClass: $0) })
  }

  /// The value of a progress bar may be null, which means unknown.
  private static var progressProperties: [PropertyDescription] {
    rangeProperties.map { property in
      var property = property
      property.isNullable = property.isNullable || property.name == ViewProperty.value.name
      return property
    }
  }

  private static var rangeProperties: [PropertyDescription] {
    [
      .of(.value, .number, .number(0)), .of(.minimum, .number, .number(0)),
      .of(.maximum, .number, .number(1)), .of(.step, .number, .number(0)),
    ]
  }
}
