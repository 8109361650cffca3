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
