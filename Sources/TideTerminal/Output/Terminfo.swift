import CTideTerminal

/// What the system's description of a terminal says about colours.
package struct Terminfo: Sendable {
  package var colors: Int
  package var hasRGB: Bool

  package init(colors: Int, hasRGB: Bool = false) {
    self.colors = colors
    self.hasRGB = hasRGB
  }

  /// Nil for a terminal that the system does not know.
  package static func find(_ name: String) -> Terminfo? {
    var hasRGB = false
    let colors = tide_terminfo_colors(name, &hasRGB)
    return colors < 0 ? nil : Terminfo(colors: Int(colors), hasRGB: hasRGB)
  }
}
