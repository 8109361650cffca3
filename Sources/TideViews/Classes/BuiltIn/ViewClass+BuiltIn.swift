import TideBindings

extension ViewClass {
  /// The root class: the properties and events common to all views, and a column of subviews.
  public static let view = ViewClass(
    "view", "Shows its subviews below each other.", inheriting: nil, properties: commonProperties,
    events: [
      "willAppear", "didDisappear", "focus", "blur", "key", "click", "doubleClick", "hover",
      "willShowContextMenu",
    ], arrangement: Column(),
    make: { View(viewClass: $0) })

  /// All built-in classes.
  static let builtIn: [ViewClass] =
    [.view] + containers + texts + fields + controls + rows + pictures

  /// Listed in the order of `ViewProperty`.
  private static var commonProperties: [PropertyDescription] {
    [
      idProperty, .of(.tag, .integer), .of(.key, .any), .readOnly(.class, .string),
      .readOnly(.superview, .object), subviewsProperty, .readOnly(.window, .object),
      dataObjectProperty, .shared(.hidden, false, .or),
      .shared(.enabled, true, .and), .of(.error, .string), .of(.tooltip, .string),
      .of(.focusable, .boolean, .boolean(false)),
      .readOnly(.focused, .boolean, .boolean(false)), .style, .size(.width),
      .size(.height), .size(.minWidth), .size(.maxWidth),
      .of(.grow, .number, .integer(0)), .sides(.padding), .sides(.margin),
      .word(.align, "stretch", of: ["start", "center", "end", "stretch"]), .color(.textColor),
      .color(.backgroundColor), .of(.bold, .boolean, .boolean(false)),
      .of(.italic, .boolean, .boolean(false)), .of(.underline, .boolean, .boolean(false)),
      .special(.keys), .of(.autofocus, .boolean, .boolean(false)), .of(.order, .number),
      .menuItems(.contextMenu), boundsProperty, .of(.aspect, .number), .of(.label, .string),
      .readOnly(.isStale, .boolean, .boolean(false)),
      .of(.concurrent, .boolean, .boolean(false)),
      .of(.spacing, .number, .integer(0)),
    ]
  }

  private static var idProperty: PropertyDescription {
    var property = PropertyDescription.of(.id, .string)
    property.aliases = ["restorationIdentifier"]
    return property
  }

  private static var subviewsProperty: PropertyDescription {
    var property = PropertyDescription.readOnly(.subviews, .list)
    property.derive = { SubviewsBody($0) }
    return property
  }

  private static var boundsProperty: PropertyDescription {
    var property = PropertyDescription.readOnly(.bounds, .object)
    property.derive = { BoundsBody($0) }
    return property
  }

  private static var dataObjectProperty: PropertyDescription {
    var property = PropertyDescription.of(.dataObject, .any)
    property.derive = { InheritedObjectBody($0) }
    property.assign = { view, value in (view as? View)?.setOwnDataObject(value) }
    return property
  }
}
