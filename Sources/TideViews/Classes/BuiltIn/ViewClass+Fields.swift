import TideBindings
import TideGraph

// The classes for entering values, and the form that groups them.
extension ViewClass {
  static let fields: [ViewClass] = [.numberField, .datePicker, .form]

  /// A field for a number; ``NumberFieldView``.
  public static let numberField = ViewClass(
    "numberField", "A field for a number.", inheriting: .view,
    properties: valueProperties + [
      .of(.minimum, .number), .of(.maximum, .number), .of(.step, .number, .number(1)),
      .of(.decimals, .integer), .of(.grouped, .boolean, .boolean(false)),
    ], events: valueEvents, keyHelp: .editingNumber, make: { NumberFieldView(viewClass: $0) })

  /// A date field with a pop-up calendar, or an inline calendar; ``DatePickerView``.
  public static let datePicker = ViewClass(
    "datePicker", "A field for a date, with a calendar.", inheriting: .view,
    properties: valueProperties + [
      .of(.minimum, .number), .of(.maximum, .number), datePattern,
      .of(.showsTime, .boolean, .boolean(false)), .of(.utc, .boolean, .boolean(false)),
      .word(.display, "popUp", of: ["popUp", "inline"]),
    ], events: valueEvents, keyHelp: .editingDate, make: { DatePickerView(viewClass: $0) })

  /// A column of fields with their labels beside them; ``FormView``.
  public static let form = ViewClass(
    "form", "Fields that are submitted or reset together.", inheriting: .view,
    properties: [validProperty, errorsProperty], events: ["submit"],
    arrangement: FormRows(), keyHelp: .submitting, make: { FormView(viewClass: $0) })

  private static let valueEvents = [
    "editingDidBegin", "editingChanged", "editingDidEnd", "editingDidEndOnExit", "valueChanged",
  ]

  private static var valueProperties: [PropertyDescription] {
    [
      .of(.focusable, .boolean, .boolean(true)), .of(.value, .number),
      .of(.text, .string, .string("")), .of(.placeholder, .string, .string("")),
      .of(.allowsEmpty, .boolean, .boolean(true)), .shared(.editable, true, .and),
    ]
  }

  /// The date pattern, checked when it is written.
  private static var datePattern: PropertyDescription {
    var description = PropertyDescription.of(.pattern, .string)
    description.validate = { view, value in
      guard case .string(let text) = value else { return value }
      do throws(TideError) {
        try CalendarMoment.check(pattern: text)
      } catch {
        throw TideError(
          .badArgument,
          "\(view.label).pattern is one of os.date's, such as \"%d.%m.%Y\"; \(error.message)")
      }
      return value
    }
    return description
  }

  private static var validProperty: PropertyDescription {
    var description = PropertyDescription.readOnly(.valid, .boolean, .boolean(true))
    description.derive = { ValidBody($0) }
    return description
  }

  private static var errorsProperty: PropertyDescription {
    var description = PropertyDescription.readOnly(.errors, .list)
    description.derive = { FormErrorsBody($0) }
    return description
  }
}
