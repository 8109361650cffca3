import TideBindings
import TideGraph

/// A view's own colours and attributes, read from its properties; subviews inherit them.
struct Look: Equatable {
  var foreground: Color?
  var background: Color?
  var attributes: CellStyle.Attributes = []

  init() {}

  /// Throws `badColor` for a colour that came past the property's check, by a plain binding.
  init(_ view: View) throws {
    for name in Self.names(view.peek(.style, as: Value.self)) { apply(style: name) }
    if view.flag(.bold) { attributes.insert(.bold) }
    if view.flag(.italic) { attributes.insert(.italic) }
    if view.flag(.underline) { attributes.insert(.underline) }
    if !view.flag(.enabled) { attributes.insert(.dim) }
    if view.peek(.error, as: String?.self) != nil { foreground = .ansi(1) }
    if let name = view.peek(.backgroundColor, as: String?.self) { background = try Color(name) }
    if let name = view.peek(.textColor, as: String?.self) { foreground = try Color(name) }
  }

  private static func names(_ value: Value) -> [String] {
    switch value {
    case .string(let names): names.split(separator: " ").map(String.init)
    case .object(let list as any ListObject):
      (0..<list.trackedCount).compactMap {
        list.trackedElement(at: $0).flatMap(String.make)
      }
    default: []
    }
  }

  private mutating func apply(style: String) {
    switch style {
    case "bold", "heading", "title": attributes.insert(.bold)
    case "italic": attributes.insert(.italic)
    case "underline": attributes.insert(.underline)
    case "reverse": attributes.insert(.reverse)
    case "dim", "muted": attributes.insert(.dim)
    case "error": foreground = .ansi(1)
    case "success": foreground = .ansi(2)
    case "warning": foreground = .ansi(3)
    case "accent": foreground = .ansi(4)
    default: break
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
