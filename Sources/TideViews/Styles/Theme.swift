/// A set of styles that an app applies together.
package struct Theme: Equatable, Sendable {
  package let name: String
  /// The definitions of a theme that is part of Tidelock.
  let builtIn: [String: StyleDefinition]
  /// The definitions of the app's file of the same name.
  let file: [String: StyleDefinition]

  /// - Parameter file: the definitions in the app's file `themes/NAME.lua`; empty if there is none.
  package init(_ name: String, file: [String: StyleDefinition] = [:]) {
    self.name = name
    self.file = file
    var builtIn: [String: StyleDefinition] = [:]
    for (style, definition) in Self.builtIn[name] ?? [:] { builtIn[style.rawValue] = definition }
    self.builtIn = builtIn
  }

  /// The terminal's default colours.
  package static let standard = Theme("default")

  /// The names of the themes that are part of Tidelock.
  package static let names = builtIn.keys.sorted()

  private static let builtIn: [String: [StyleName: StyleDefinition]] = [
    "default": [:],
    "dark": [
      .window: StyleDefinition(
        foreground: .rgb(red: 0xD8, green: 0xDE, blue: 0xE9),
        background: .rgb(red: 0x1E, green: 0x22, blue: 0x2A)),
      .muted: StyleDefinition(foreground: .rgb(red: 0x8A, green: 0x93, blue: 0xA6)),
      .accent: StyleDefinition(foreground: .rgb(red: 0x7A, green: 0xB8, blue: 0xF5)),
      .success: StyleDefinition(foreground: .rgb(red: 0x8F, green: 0xCC, blue: 0x7D)),
      .warning: StyleDefinition(foreground: .rgb(red: 0xE8, green: 0xC3, blue: 0x6A)),
      .error: StyleDefinition(foreground: .rgb(red: 0xF0, green: 0x7A, blue: 0x78)),
    ],
    "light": [
      .window: StyleDefinition(
        foreground: .rgb(red: 0x22, green: 0x26, blue: 0x2E),
        background: .rgb(red: 0xFA, green: 0xFA, blue: 0xF7)),
      .muted: StyleDefinition(foreground: .rgb(red: 0x6B, green: 0x70, blue: 0x7B)),
      .accent: StyleDefinition(foreground: .rgb(red: 0x1B, green: 0x5F, blue: 0xB8)),
      .success: StyleDefinition(foreground: .rgb(red: 0x2B, green: 0x7A, blue: 0x2B)),
      .warning: StyleDefinition(foreground: .rgb(red: 0x8F, green: 0x62, blue: 0x00)),
      .error: StyleDefinition(foreground: .rgb(red: 0xB3, green: 0x26, blue: 0x1E)),
    ],
  ]
}
