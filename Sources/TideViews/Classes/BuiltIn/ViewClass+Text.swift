import TideBindings

// The classes that show and edit text.
extension ViewClass {
  static let texts: [ViewClass] = [.label, .field, .textArea]

  /// Shows text; ``LabelView``.
  public static let label = ViewClass(
    "label", "Shows text.", inheriting: .view,
    properties: [
      .styledText, .of(.wrap, .boolean, .boolean(false)),
      .of(.truncate, .boolean, .boolean(true)), .of(.null, .string),
    ], make: { LabelView(viewClass: $0) })

  /// A line of text that can be edited; ``FieldView``.
  public static let field = ViewClass(
    "field", "A line of text that can be edited.", inheriting: .view, properties: inputProperties,
    events: editingEvents,
    keyHelp: .editingLine, make: { FieldView(viewClass: $0) })

  /// Several lines of text that can be edited; ``TextAreaView``.
  public static let textArea = ViewClass(
    "textArea", "Several lines of text that can be edited.", inheriting: .view,
    properties: inputProperties + [.of(.wrap, .boolean, .boolean(true))], events: editingEvents,
    keyHelp: .editingText, make: { TextAreaView(viewClass: $0) })

  private static var inputProperties: [PropertyDescription] {
    [
      .of(.focusable, .boolean, .boolean(true)), .of(.text, .string, .string("")),
      .of(.placeholder, .string, .string("")), .of(.secure, .boolean, .boolean(false)),
      .of(.maxLength, .integer), .shared(.editable, true, .and), .of(.null, .string),
    ]
  }

  private static let editingEvents = [
    "editingDidBegin", "editingChanged", "editingDidEnd", "editingDidEndOnExit",
  ]
}
