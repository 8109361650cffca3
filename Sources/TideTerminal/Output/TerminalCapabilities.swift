/// What a terminal can show.
///
/// ```swift
/// let capabilities = TerminalCapabilities.detect { environment[$0] }
/// ```
///
/// `COLORTERM`, `NO_COLOR` and the locale's variables are respected. A locale that is set and not
/// UTF-8 gives plain ASCII; where none is set at all, UTF-8 is taken for granted.
package struct TerminalCapabilities: Hashable, Sendable {
  package var colors: ColorDepth
  /// Whether bold, underline and the like may be sent, and modes beyond the alternate screen.
  package var hasAttributes: Bool
  package var isUnicode: Bool
  /// Whether the terminal may know, or safely ignores, a way to tell all keys apart.
  package var hasKeyProtocol: Bool

  package init(
    colors: ColorDepth, hasAttributes: Bool = true, isUnicode: Bool = true,
    hasKeyProtocol: Bool = true
  ) {
    self.colors = colors
    self.hasAttributes = hasAttributes
    self.isUnicode = isUnicode
    self.hasKeyProtocol = hasKeyProtocol
  }

  package static let full = TerminalCapabilities(colors: .trueColor)
}
