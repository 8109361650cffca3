import Testing
import TideBindings
import TideGraph

@testable import TideViews

@Suite struct KeyHelpTests {
  @Test func `it tells of the focused view and of the views around it`() throws {
    let field = FieldView("x")
    let tabs = try ViewClass.tabs.make([try ViewClass.scroll.make([field]), LabelView("two")])
    let shown = try ShownView(ViewClass.column.make([tabs]), 40, 10)
    _ = try shown.text
    #expect(shown.scene.keyHelp.isEmpty)
    field.focus()
    let help = shown.scene.keyHelp
    #expect(help.map(\.title) == ["field", "scroll", "tabs"])
    #expect(help[0].lines.contains(KeyHelp("Ctrl-Z Ctrl-Y", "undo, redo")))
    #expect(help[2].lines.map(\.keys) == ["Ctrl-PageUp Ctrl-PageDown"], "what reaches inside")
    tabs.focus()
    #expect(shown.scene.keyHelp.map(\.title) == ["tabs"])
    #expect(shown.scene.keyHelp[0].lines.map(\.keys).contains("Left Right"))
  }

  @Test func `a modal dialog hides what is below it`() throws {
    let dialog = try ViewClass.dialog.make([ButtonView("OK")])
    dialog[.modal] = true
    let tabs = try ViewClass.tabs.make([try ViewClass.column.make([dialog])])
    let shown = try ShownView(tabs, 40, 10)
    _ = try shown.text
    #expect(shown.scene.keyHelp.map(\.title) == ["button", "dialog"])
  }

  @Test func `menus tell of their items' keys`() throws {
    let menu = MenuView(viewClass: .menu)
    let save = MenuEntry()
    try save.set("title", "Save")
    try save.set("key", "Ctrl-S")
    let refused = MenuEntry()
    try refused.set("title", "Print")
    try refused.set("key", "Ctrl-P")
    try refused.set("enabled", false)
    let file = MenuEntry()
    try file.set("title", "File")
    try file.set("items", .object(ValueList([.object(save), .object(refused), "-"])))
    menu[.items] = .object(ValueList([.object(file)]))
    let shown = try ShownView(ViewClass.column.make([menu]), 40, 10)
    _ = try shown.text
    #expect(
      shown.scene.keyHelp
        == [KeyHelp.Section("menu", [KeyHelp("F10", "open it"), KeyHelp("Ctrl-S", "Save")])])
    menu[.enabled] = false
    #expect(shown.scene.keyHelp.isEmpty)
  }

  @Test func `every class that Tab stops at says what its keys do`() {
    for viewClass in ViewClass.builtIn where viewClass.make().flag(.focusable) {
      #expect(!viewClass.keyHelp.isEmpty, "\(viewClass.name)")
    }
  }

  @Test func `a class of one's own has the lines of its superclass`() {
    #expect(ViewClass("fancy", superclass: .button).keyHelp == ViewClass.button.keyHelp)
  }
}
