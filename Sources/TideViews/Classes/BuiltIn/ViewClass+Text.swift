import TideBindings

// The classes that show text and have it edited.
extension ViewClass {
  static let texts: [ViewClass] = [.label, .field]

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
}
