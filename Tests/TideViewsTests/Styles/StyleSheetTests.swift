import TideBindings
import Testing

@testable import TideViews

@Suite struct `Styles of views` {
  private let label = LabelView("x")
  private let sheet: StyleSheet
  private let shown: ShownView

  init() throws {
    sheet = StyleSheet.of(label.graph)
    shown = try ShownView(label, 4, 1)
  }

  private func define(
    _ name: String, _ properties: KeyValuePairs<String, Value>,
    _ states: KeyValuePairs<StyleDefinition.State, StyleDefinition> = [:]
  ) throws -> StyleSheet.Definition {
    var definition = StyleDefinition()
    for (name, value) in properties { try definition.set(name, value, of: "the style") }
    for (state, part) in states { definition.set(state, part) }
    return sheet.define(name, definition)
  }

  private func style() throws -> CellStyle {
    try shown.commit()
    return shown.scene.frame[0, 0].style
  }

  @Test func `a defined style gives colours and attributes`() throws {
    let made = try define(
      "danger", ["textColor": "red", "backgroundColor": "#000", "bold": true])
    defer { sheet.remove(made) }
    try label.set("style", "danger")
    #expect(
      try style()
        == CellStyle(
          foreground: .ansi(1), background: .rgb(red: 0, green: 0, blue: 0), attributes: .bold))
  }

  @Test func `what the view says itself wins, and later names win over earlier ones`() throws {
    let made = [
      try define("danger", ["textColor": "red", "bold": true]),
      try define("calm", ["textColor": "green", "bold": false]),
    ]
    defer { for definition in made { sheet.remove(definition) } }
    try label.set("style", "danger calm")
    #expect(try style() == CellStyle(foreground: .ansi(2)))
    try label.set("style", "calm danger")
    #expect(try style() == CellStyle(foreground: .ansi(1), attributes: .bold))
    label[.textColor] = "blue"
    #expect(try style().foreground == .ansi(4))
  }

  @Test func `another definition draws the views again that have the style`() throws {
    let first = try define("danger", ["textColor": "red"])
    try label.set("style", "danger")
    #expect(try style().foreground == .ansi(1))
    let second = try define("danger", ["textColor": "green"])
    #expect(shown.scene.needsFrame)
    #expect(try style().foreground == .ansi(2))
    #expect(!shown.scene.needsFrame)
    sheet.setEnabled(false, second)
    #expect(try style().foreground == .ansi(1))
    sheet.remove(second)
    sheet.remove(first)
    #expect(throws: TideError.self) { try label.set("style", "danger") }
  }

  @Test func `a style has a look for the focus, which then is no reversal`() throws {
    let made = try define(
      "key", [:], [.focused: StyleDefinition(background: .ansi(3), adding: .underline)])
    defer { sheet.remove(made) }
    let button = ButtonView("OK")
    let shown = try ShownView(button, 6, 1)
    try button.set("style", "key")
    button.focus()
    try shown.commit()
    #expect(
      shown.scene.frame[0, 0].style
        == CellStyle(background: .ansi(3), attributes: .underline))
    shown.scene.focus(nil)
    try shown.commit()
    #expect(shown.scene.frame[0, 0].style == .plain)
  }

  @Test func `a style has a look for what cannot be used, also for a view above`() throws {
    let made = try define("key", [:], [.disabled: StyleDefinition(adding: .italic)])
    defer { sheet.remove(made) }
    let inner = LabelView("x")
    let column = try ViewClass.column.make([inner])
    let shown = try ShownView(column, 4, 1)
    try inner.set("style", "key")
    try shown.commit()
    #expect(shown.scene.frame[0, 0].style == .plain)
    column[.enabled] = false
    try shown.commit()
    #expect(shown.scene.frame[0, 0].style == CellStyle(attributes: .italic))
    column[.enabled] = true
    try shown.commit()
    #expect(shown.scene.frame[0, 0].style == .plain)
  }

  @Test func `a style has a look for what is selected`() throws {
    let made = try define("key", [:], [.selected: StyleDefinition(foreground: .ansi(2))])
    defer { sheet.remove(made) }
    let toggle = ViewClass.toggle.make()
    let shown = try ShownView(toggle, 4, 1)
    try toggle.set("style", "key")
    toggle[.isOn] = true
    try shown.commit()
    #expect(shown.scene.frame[0, 0].style.foreground == .ansi(2))
    toggle[.isOn] = false
    try shown.commit()
    #expect(shown.scene.frame[0, 0].style.foreground == .standard)
  }

  @Test func `a theme dresses the window and the built-in styles`() throws {
    defer { sheet.use(.standard) }
    try label.set("style", "accent")
    let before = try style()
    sheet.use(Theme("dark"))
    let dark = try style()
    #expect(dark.background != .standard && dark.foreground != before.foreground)
    sheet.use(Theme("light"))
    #expect(try style().background != dark.background)
    sheet.use(.standard)
    #expect(try style() == before)
  }

  @Test func `a theme's file wins over definitions, these over a built-in theme`() throws {
    let made = try define("accent", ["textColor": "red"])
    defer {
      sheet.remove(made)
      sheet.use(.standard)
    }
    sheet.use(Theme("dark"))
    try label.set("style", "accent")
    #expect(try style().foreground == .ansi(1))
    sheet.use(Theme("dark", file: ["accent": StyleDefinition(foreground: .ansi(2))]))
    #expect(try style().foreground == .ansi(2))
  }
}
