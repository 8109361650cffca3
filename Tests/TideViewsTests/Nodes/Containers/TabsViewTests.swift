import Testing
import TideBindings
import TideGraph
import TideViews

@Suite struct TabsViewTests {
  private func tabs(_ titles: String...) throws -> TabsView {
    let tabs = TabsView(viewClass: .tabs)
    for title in titles { try tabs.add(LabelView("in \(title)")) }
    tabs[.titles] = .object(ValueList(titles.map { .string($0) }))
    return tabs
  }

  @Test func `one subview shows under a strip of titles`() throws {
    let tabs = try tabs("One", "Two")
    let shown = try ShownView(tabs, 12, 3)
    #expect(try shown.lines == [" One  Two", "━━━━━───────", "in One"])
    tabs.selected = 1
    #expect(try shown.lines == [" One  Two", "─────━━━━━──", "in Two"])
  }

  @Test func `keys choose in the strip and from inside`() throws {
    let tabs = try tabs("One", "Two", "Three")
    let button = ButtonView("OK")
    try tabs.subviews[1].superview?.add(button, at: 1)
    tabs[.titles] = .object(ValueList(["One", "Button", "Two", "Three"]))
    let shown = try ShownView(tabs, 40, 3)
    var values: [Value] = []
    try tabs.on(.valueChanged) { _, event in values.append(event.value) }
    try shown.press("Tab Right")
    #expect(try shown.lines[2] == "[ OK ]")
    try shown.press("Tab")
    #expect(shown.scene.focused === button)
    try shown.press("Ctrl-PageDown")
    #expect(try shown.lines[2] == "in Two")
    #expect(shown.scene.focused === tabs, "what has gone out of sight has lost the focus")
    try shown.press("End Home Ctrl-PageUp")
    #expect(tabs.selected == 3)
    #expect(values == [2, 3, 4, 1, 4])
  }

  @Test func `a click on a title chooses it`() throws {
    let tabs = try tabs("One", "Two")
    let shown = try ShownView(tabs, 12, 3)
    shown.click(7, 0)
    #expect(try shown.lines[2] == "in Two")
    shown.click(1, 1)
    #expect(try shown.lines[2] == "in One")
  }

  @Test func `a strip that is too narrow shows the titles around the chosen one`() throws {
    let tabs = try tabs("One", "Two", "Three", "Four")
    let shown = try ShownView(tabs, 12, 3)
    #expect(try shown.lines[0] == " One  Two  ›")
    tabs.selected = 2
    #expect(try shown.lines[0] == "‹ Three    ›")
    tabs.selected = 3
    #expect(try shown.lines[0].contains("Four"))
    for width in 0..<9 {
      shown.scene.resize(Size(width: width, height: 3))
      _ = try shown.text
    }
  }

  @Test func `views out of sight get no focus and are not found by the mouse`() throws {
    let tabs = TabsView(viewClass: .tabs)
    for title in ["a", "b"] { try tabs.add(ButtonView(title)) }
    let shown = try ShownView(tabs, 12, 4)
    #expect(shown.scene.focusOrder.count == 2)
    #expect(!tabs.subviews[1].focus())
    #expect(tabs.subviews[0].focus())
    tabs.selected = 1
    _ = try shown.text
    #expect(tabs.subviews[1].focus())
  }

  @Test func `a subview goes by its own title, its id or its number`() throws {
    let box = ViewClass.box.make()
    box[ViewKey<String>("title")] = "Box"
    let named = LabelView("x")
    named[.id] = "named"
    let tabs = TabsView(viewClass: .tabs)
    for view in [box, named, LabelView("y")] { try tabs.add(view) }
    #expect(try ShownView(tabs, 30, 3).lines[0] == " Box  named  3")
  }

  @Test func `a number out of range shows the nearest`() throws {
    let tabs = try tabs("One", "Two")
    let shown = try ShownView(tabs, 12, 3)
    tabs.selected = 98
    #expect(try shown.lines[2] == "in Two")
    tabs.selected = Int.min
    #expect(try shown.lines[2] == "in One")
    tabs.removeSubviews()
    #expect(try shown.lines[2] == "")
    try shown.press("Tab Right Left Home End Ctrl-PageUp")
  }
}
