import TideBindings
import TideGraph

/// The colours and attributes of a view, from its properties and styles; subviews inherit them.
struct Look: Equatable {
  var foreground: Color?
  var background: Color?
  var attributes: CellStyle.Attributes = []
  /// Inherited attributes that are switched off.
  private var removed: CellStyle.Attributes = []
  /// The states for which its styles define a look, so that the class does not.
  private(set) var states = States()

  struct States: OptionSet {
    let rawValue: UInt8
    static let selected = States(rawValue: 1)
    static let focused = States(rawValue: 2)
    static let disabled = States(rawValue: 4)
  }

  init() {}

  /// Throws `badColor` for an invalid colour that a binding wrote without the property's check, and
  /// `badArgument` for a style that no longer exists.
  init(_ view: View, _ sheet: StyleSheet) throws {
    if view.parent == nil, view.viewClass.inherits(from: .window) {
      apply(sheet.definition(.window))
    }
    let style = view.peek(.style, as: Value.self)
    if style != .null { try apply(sheet.names(in: style, of: view.label), of: view, sheet) }
    if view.flag(.bold) { attributes.insert(.bold) }
    if view.flag(.italic) { attributes.insert(.italic) }
    if view.flag(.underline) { attributes.insert(.underline) }
    if !view.flag(.enabled), !states.contains(.disabled) { attributes.insert(.dim) }
    if view.flag(.isStale) { apply(sheet.definition(.stale)) }
    if view.peek(.error, as: String?.self) != nil { apply(sheet.definition(.error)) }
    if let name = view.peek(.backgroundColor, as: String?.self) { background = try Color(name) }
    if let name = view.peek(.textColor, as: String?.self) { foreground = try Color(name) }
  }

  /// The look for a result of `rowStyle`: names of styles, or an object with properties of a look.
  ///
  /// Throws `wrongType`, `badArgument`, `badColor` or `unknownProperty` for anything else.
  init(ofRow value: Value, of view: String, _ sheet: StyleSheet) throws {
    guard case .object(let object as DataObject) = value, !(object is any ListObject) else {
      try applyRowStyles(value, of: view, sheet)
      return
    }
    for property in object.shape.properties {
      let value = object[property.name]
      switch property.name {
      case "style": try applyRowStyles(value, of: view, sheet)
      case "textColor": foreground = try value.text.map { try Color($0) }
      case "backgroundColor": background = try value.text.map { try Color($0) }
      case "bold": if value == true { attributes.insert(.bold) }
      case "italic": if value == true { attributes.insert(.italic) }
      case "underline": if value == true { attributes.insert(.underline) }
      default:
        throw TideError(
          .unknownProperty,
          "\(view).rowStyle gives a table with \"\(property.name.inMessage)\", which is none of "
            + "\(StyleDefinition.rowNames.joined(separator: ", "))"
            + NearestName.hint(for: property.name, in: StyleDefinition.rowNames))
      }
    }
  }

  private mutating func applyRowStyles(
    _ value: Value, of view: String, _ sheet: StyleSheet
  ) throws {
    for name in try sheet.names(in: value, of: view, property: "rowStyle") {
      if let definition = sheet.definition(name) { apply(definition) }
    }
  }

  /// The look of a part of rich text with styles.
  init(styles: [String], _ sheet: StyleSheet) {
    for name in styles {
      if let definition = sheet.definition(name) { apply(definition) }
    }
  }

  /// Applies all styles first, and then their definitions for the current states.
  private mutating func apply(_ names: [String], of view: View, _ sheet: StyleSheet) {
    let definitions = names.compactMap { sheet.definition($0) }
    for definition in definitions { apply(definition) }
    for state in StyleDefinition.State.allCases {
      let parts = definitions.compactMap { $0.states[state] }
      if parts.isEmpty { continue }
      states.insert(state.mark)
      guard view.isIn(state) else { continue }
      for part in parts { apply(part) }
      // Removes the dim attribute inherited from a disabled superview.
      if state == .disabled, !attributes.contains(.dim) { removed.insert(.dim) }
    }
  }

  mutating func apply(_ definition: StyleDefinition) {
    if let color = definition.foreground { foreground = color }
    if let color = definition.background { background = color }
    attributes.formUnion(definition.added)
    attributes.subtract(definition.removed)
    removed.subtract(definition.added)
    removed.formUnion(definition.removed)
  }

  /// The style of a view that inherits `style`.
  func over(_ style: CellStyle) -> CellStyle {
    var style = style
    var own = attributes
    if style.attributes.contains(.reverse), !removed.contains(.reverse) {
      // In a selected row, dimmed or coloured text would leave patches.
      own.remove(.dim)
    } else if let foreground {
      style.foreground = foreground
    }
    if let background { style.background = background }
    style.attributes.subtract(removed)
    style.attributes.formUnion(own)
    return style
  }
}

extension StyleDefinition.State {
  fileprivate var mark: Look.States {
    switch self {
    case .selected: .selected
    case .focused: .focused
    case .disabled: .disabled
    }
  }
}

extension View {
  fileprivate func isIn(_ state: StyleDefinition.State) -> Bool {
    switch state {
    case .focused: return flag(.focused)
    case .selected:
      return peek(.selected, as: Value.self) == true || peek(.isOn, as: Value.self) == true
    case .disabled:
      var current: View? = self
      while let view = current {
        if !view.flag(.enabled) { return true }
        current = view.parent
      }
      return false
    }
  }

  /// The style that indicates the focus: that of the view's styles, if they define one.
  final func withFocus(_ style: CellStyle) -> CellStyle {
    layout.look.states.contains(.focused) ? style : style.focused
  }
}
