/// The names of the built-in styles.
///
/// ```lua
/// view.label { style = "muted", text = "3 of 12" }
/// view.label { style = { "title", "accent" }, text = "Inbox" }
/// ```
package enum StyleName: String, CaseIterable, Sendable {
  case title, heading, muted, accent, success, warning, error, stale
  case bold, italic, underline, reverse, dim
  /// Applied to every window, and inherited by its views.
  case window

  /// The default definition, if neither the app nor its theme defines the style.
  package var definition: StyleDefinition {
    switch self {
    case .bold, .heading, .title: StyleDefinition(adding: .bold)
    case .italic: StyleDefinition(adding: .italic)
    case .underline: StyleDefinition(adding: .underline)
    case .reverse: StyleDefinition(adding: .reverse)
    case .dim, .muted: StyleDefinition(adding: .dim)
    // Visible without colours as well.
    case .stale: StyleDefinition(adding: [.dim, .italic])
    case .error: StyleDefinition(foreground: .ansi(1))
    case .success: StyleDefinition(foreground: .ansi(2))
    case .warning: StyleDefinition(foreground: .ansi(3))
    case .accent: StyleDefinition(foreground: .ansi(4))
    case .window: StyleDefinition()
    }
  }
}
