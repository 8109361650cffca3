import CTideTerminal

/// The capabilities of a terminal.
///
/// ```swift
/// let capabilities = TerminalCapabilities.detect { environment[$0] }
/// ```
///
/// It respects `COLORTERM`, `NO_COLOR` and the locale variables. A locale other than UTF-8 means
/// ASCII only; without a locale, UTF-8 is assumed.
package struct TerminalCapabilities: Hashable, Sendable {
  package var colors: ColorDepth
  /// Whether attributes such as bold may be sent, and terminal modes be changed.
  package var hasAttributes: Bool
  package var isUnicode: Bool
  /// Whether the terminal supports, or safely ignores, the protocol that encodes each key
  /// distinctly.
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

/// The number of colours of a terminal.
package enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
  case none
  case ansi8
  case ansi16
  case palette256
  case trueColor

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The colour support of a terminal according to the system's terminfo database.
package struct Terminfo: Sendable {
  package var colors: Int
  package var hasRGB: Bool

  package init(colors: Int, hasRGB: Bool = false) {
    self.colors = colors
    self.hasRGB = hasRGB
  }

  /// Returns nil for an unknown terminal.
  package static func find(_ name: String) -> Terminfo? {
    var hasRGB = false
    let colors = tide_terminfo_colors(name, &hasRGB)
    return colors < 0 ? nil : Terminfo(colors: Int(colors), hasRGB: hasRGB)
  }
}

extension TerminalCapabilities {
  /// `variable` returns the value of an environment variable.
  package static func detect(
    terminfo: (String) -> Terminfo? = Terminfo.find, _ variable: (String) -> String?
  ) -> TerminalCapabilities {
    let name = variable("TERM") ?? ""
    let isDumb = name.isEmpty || name == "dumb" || name == "unknown"
    var colors = isDumb ? .none : depth(of: name, variable, terminfo)
    if variable("NO_COLOR").map({ !$0.isEmpty }) ?? false { colors = .none }
    return TerminalCapabilities(
      colors: colors, hasAttributes: !isDumb, isUnicode: isUnicode(variable),
      hasKeyProtocol: modern.contains { name.hasPrefix($0) })
  }

  private static let trueColorNames = [
    "xterm-kitty", "alacritty", "foot", "wezterm", "xterm-ghostty", "contour",
  ]
  private static let modern = trueColorNames + ["xterm", "tmux", "konsole", "vte"]

  private static func depth(
    of name: String, _ variable: (String) -> String?, _ terminfo: (String) -> Terminfo?
  ) -> ColorDepth {
    // GNU screen passes on the outer terminal's COLORTERM, but does not support true colour.
    if variable("STY") != nil { return name.hasSuffix("256color") ? .palette256 : .ansi16 }
    let found = terminfo(name)
    // `COLORTERM` is inherited, so a terminal without any colours takes precedence.
    if found?.colors == 0 { return .none }
    let colorTerm = variable("COLORTERM") ?? ""
    if colorTerm == "truecolor" || colorTerm == "24bit" { return .trueColor }
    // tmux accepts true colour from programs and converts it for its own terminal.
    let isInTmux = variable("TMUX") != nil && (name.hasPrefix("tmux") || name.hasPrefix("screen"))
    if isInTmux { return .trueColor }
    if found?.hasRGB ?? name.hasSuffix("-direct") { return .trueColor }
    if isKnownForTrueColor(name, variable) { return .trueColor }
    switch found?.colors ?? (name.hasSuffix("256color") ? 256 : 8) {
    case 256...: return .palette256
    case 16...: return .ansi16
    // The description of plain `xterm` predates its bright colours.
    case 8...: return name.hasPrefix("xterm") ? .ansi16 : .ansi8
    default: return .none
    }
  }

  /// Terminals with long-standing true colour support that do not always set `COLORTERM`.
  private static func isKnownForTrueColor(
    _ name: String, _ variable: (String) -> String?
  ) -> Bool {
    if trueColorNames.contains(where: { name.hasPrefix($0) }) { return true }
    guard name.hasPrefix("xterm") else { return false }
    if let version = variable("VTE_VERSION").flatMap({ Int($0) }) { return version >= 3600 }
    if variable("WT_SESSION") != nil || variable("KONSOLE_VERSION") != nil { return true }
    return ["iTerm.app", "WezTerm", "vscode", "ghostty"].contains(variable("TERM_PROGRAM") ?? "")
  }

  private static func isUnicode(_ variable: (String) -> String?) -> Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let locale = variable(name)?.lowercased(), !locale.isEmpty else { continue }
      return locale.contains("utf-8") || locale.contains("utf8")
    }
    return true
  }
}
