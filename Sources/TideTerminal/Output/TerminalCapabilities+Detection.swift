extension TerminalCapabilities {
  /// `variable` gives the value of an environment variable.
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
    // GNU screen passes the outer terminal's COLORTERM on, and does not understand true colour.
    if variable("STY") != nil { return name.hasSuffix("256color") ? .palette256 : .ansi16 }
    let found = terminfo(name)
    // `COLORTERM` is inherited; a terminal that has no colours at all knows better.
    if found?.colors == 0 { return .none }
    let colorTerm = variable("COLORTERM") ?? ""
    if colorTerm == "truecolor" || colorTerm == "24bit" { return .trueColor }
    // tmux takes true colour from any program and translates it for its own terminal.
    let isInTmux = variable("TMUX") != nil && (name.hasPrefix("tmux") || name.hasPrefix("screen"))
    if isInTmux { return .trueColor }
    if found?.hasRGB ?? name.hasSuffix("-direct") { return .trueColor }
    if isKnownForTrueColor(name, variable) { return .trueColor }
    switch found?.colors ?? (name.hasSuffix("256color") ? 256 : 8) {
    case 256...: return .palette256
    case 16...: return .ansi16
    // The description of plain `xterm` is from before its bright colours.
    case 8...: return name.hasPrefix("xterm") ? .ansi16 : .ansi8
    default: return .none
    }
  }

  /// Terminals that have had true colour for years and don't set `COLORTERM` everywhere.
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
