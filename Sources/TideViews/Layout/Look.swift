import TideBindings
import TideGraph

/// A view's own colours and attributes, read from its properties; subviews inherit them.
struct Look: Equatable {
  var foreground: Color?
  var background: Color?
  var attributes: CellStyle.Attributes = []

  init() {}

  /// Throws `badColor` for a colour that came past the property's check, by a plain binding, and
  /// `badArgument` for the name of a style that was put into a list later.
  init(_ view: View) throws {
    let style = view.peek(.style, as: Value.self)
    if style != .null {
      for name in try StyleName.names(in: style, of: view.label) { apply(name) }
    }
    if view.flag(.bold) { attributes.insert(.bold) }
    if view.flag(.italic) { attributes.insert(.italic) }
    if view.flag(.underline) { attributes.insert(.underline) }
    if !view.flag(.enabled) { attributes.insert(.dim) }
    if view.peek(.error, as: String?.self) != nil { foreground = .ansi(1) }
    if let name = view.peek(.backgroundColor, as: String?.self) { background = try Color(name) }
    if let name = view.peek(.textColor, as: String?.self) { foreground = try Color(name) }
  }

  /// Of what a `rowStyle` gives: names of styles, or an object with properties of a look.
  ///
  /// Throws `wrongType`, `badArgument`, `badColor` or `unknownProperty` for anything else.
  init(ofRow value: Value, of view: String) throws {
    guard case .object(let object as DataObject) = value, !(object is any ListObject) else {
      for name in try StyleName.names(in: value, of: view, property: "rowStyle") { apply(name) }
      return
    }
    for property in object.shape.properties {
      let value = object[property.name]
      switch property.name {
      case "style":
        for name in try StyleName.names(in: value, of: view, property: "rowStyle") { apply(name) }
      case "textColor": foreground = try value.text.map { try Color($0) }
      case "backgroundColor": background = try value.text.map { try Color($0) }
      case "bold": if value == true { attributes.insert(.bold) }
      case "italic": if value == true { attributes.insert(.italic) }
      case "underline": if value == true { attributes.insert(.underline) }
      default:
        throw TideError(
          .unknownProperty,
          "\(view).rowStyle gives a table with \"\(property.name.inMessage)\", which is none of "
            + "\(Self.rowNames.joined(separator: ", "))"
            + NearestName.hint(for: property.name, in: Self.rowNames))
      }
    }
  }

  private static let rowNames = [
    "style", "textColor", "backgroundColor", "bold", "italic", "underline",
  ]

  private mutating func apply(_ style: StyleName) {
    switch style {
    case .bold, .heading, .title: attributes.insert(.bold)
    case .italic: attributes.insert(.italic)
    case .underline: attributes.insert(.underline)
    case .reverse: attributes.insert(.reverse)
    case .dim, .muted: attributes.insert(.dim)
    case .error: foreground = .ansi(1)
    case .success: foreground = .ansi(2)
    case .warning: foreground = .ansi(3)
    case .accent: foreground = .ansi(4)
    }
  }

  /// How a view looks that inherits `style`.
  func over(_ style: CellStyle) -> CellStyle {
    var style = style
    var own = attributes
    if style.attributes.contains(.reverse) {
      // In a chosen row muted text would leave pale patches, and colours coloured ones.
      own.remove(.dim)
    } else if let foreground {
      style.foreground = foreground
    }
    if let background { style.background = background }
    style.attributes.formUnion(own)
    return style
  }
}
