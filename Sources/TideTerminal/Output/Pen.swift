import TideViews

/// The style that the terminal currently writes with, and the shortest sequences to change it.
struct Pen {
  private let capabilities: TerminalCapabilities
  /// The current style; nil while it is unknown.
  private var style: CellStyle?
  private var foreground = Ink.standard
  private var background = Ink.standard

  init(capabilities: TerminalCapabilities) { self.capabilities = capabilities }

  mutating func forget() { style = nil }

  func isSet(to style: CellStyle) -> Bool { self.style == style }

  /// Sets the plain style, regardless of the current one.
  mutating func reset(_ bytes: inout [UInt8]) {
    if capabilities.hasAttributes { bytes.append(control: "m", 1) }
    style = .plain
    foreground = .standard
    background = .standard
  }

  @inline(__always)
  mutating func set(_ wanted: CellStyle, _ bytes: inout [UInt8]) {
    if style != wanted { change(to: wanted, &bytes) }
  }

  private mutating func change(to wanted: CellStyle, _ bytes: inout [UInt8]) {
    guard capabilities.hasAttributes else {
      style = wanted
      return
    }
    if wanted == .plain || style == nil { reset(&bytes) }
    let current = style ?? .plain
    style = wanted
    let newForeground = Ink(wanted.foreground, capabilities.colors, isBackground: false)
    let newBackground = Ink(wanted.background, capabilities.colors, isBackground: true)
    var codes = Codes()
    codes.change(from: current.attributes, to: wanted.attributes, &bytes)
    if newForeground != foreground { newForeground.write(base: 30, &codes, &bytes) }
    if newBackground != background { newBackground.write(base: 40, &codes, &bytes) }
    codes.finish(&bytes)
    foreground = newForeground
    background = newBackground
  }
}
