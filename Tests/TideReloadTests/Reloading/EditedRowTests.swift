import Testing
import TideBindings
import TideScript

@testable import TideReload

@Suite struct `A row that is edited, and a reload` {
  private static let derived = """
    m = model "m" { rows = list { { name = "a", done = false }, { name = "b", done = false } } }
    return view.list { id = "l", height = 4,
      items = m.rows:filter(function(row) return not row.done end):sorted("name"),
      cell = function()
        return view.cell { view.checkbox { bindTo = { isOn = "<> dataObject.done" } } }
      end }
    """

  @Test func `it stays in a list that leaves it out`() throws {
    let text = Self.derived
    let app = try ReloadedApp(["app.lua": text])
    try app.press("Tab Tab Space")
    #expect(try app.value("m.rows[1].done") == "true")
    app.save(["app.lua": text + "\n"])
    try app.press("Space")
    #expect(try app.value("m.rows[1].done") == "false")
    #expect(try app.value("m.rows[2].done") == "false")
  }

  @Test func `it stays where another row is selected, and that stays selected`() throws {
    let text = """
      local m = model "m" { rows = list { { name = "a", done = false }, { name = "b", done = false },
        { name = "c", done = false } } }
      c = controller.list { name = "c", content = m.rows,
        filter = function(row) return not row.done end }
      return view.list { id = "l", height = 4,
        bindTo = { items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" },
        cell = function()
          return view.cell { view.checkbox { bindTo = { isOn = "<> dataObject.done" } } }
        end }
      """
    let app = try ReloadedApp(["app.lua": text])
    try app.press("Tab Tab")
    try app.run("c.selectionIndex = 3")
    try app.press("Space")
    #expect(try app.value("models.m.rows[1].done") == "true")
    app.save(["app.lua": text + "\n"])
    #expect(try app.value("c.selectionIndex .. #c.arrangedObjects") == "33")
    try app.press("Space")
    #expect(try app.value("models.m.rows[1].done") == "false")
    #expect(try app.value("models.m.rows[2].done") == "false")
  }
}
