/// The default colours of a frame's picture.
///
/// ```swift
/// let picture = frame.svg(theme: .light)
/// ```
public struct SVGTheme: Sendable {
  /// The background colour, `#rrggbb` like all colours here.
  public var background: String
  /// The default text colour.
  public var foreground: String
  /// The 16 ANSI colours in the order of their numbers.
  package var palette: [String]

  /// Makes a theme; colours are written as in SVG, such as `#0d1117`.
  public init(background: String, foreground: String, palette: [String]) {
    self.background = background
    self.foreground = foreground
    self.palette = palette
  }

  /// Light text on a dark background.
  public static let dark = SVGTheme(
    background: "#1a1d27", foreground: "#d3d7e3",
    palette: [
      "#2a2e3c", "#f0717b", "#9ccf7d", "#e8c47a", "#7aa6f2", "#c08ee8", "#6fc8cf", "#d3d7e3",
      "#6b7189", "#ff8f98", "#b6e49b", "#ffdc96", "#9bbdff", "#d7adff", "#8fe3ea", "#ffffff",
    ])

  /// Dark text on a light background.
  public static let light = SVGTheme(
    background: "#fbfbfd", foreground: "#2b2f3a",
    palette: [
      "#2b2f3a", "#c2313d", "#3c7d22", "#966800", "#2459b8", "#8238b5", "#1a7a82", "#c9cdd8",
      "#7d8397", "#dd4551", "#4f9a30", "#b58112", "#3b76dd", "#9d52d2", "#27969f", "#eef0f5",
    ])

  func text(of color: Color, isBackground: Bool) -> String {
    switch color {
    case .standard: isBackground ? background : foreground
    case .ansi(let number):
      palette.indices.contains(Int(number)) ? palette[Int(number)] : foreground
    case .rgb: color.description
    }
  }
}
