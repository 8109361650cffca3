import Testing
import TideBindings
import TideScript
import TideViews

@testable import TideReload

@Suite struct `A selection and a reload` {
  @Test(arguments: ["name = 'c', ", ""])
  func `of a list controller is kept, with its rows`(name: String) throws {
    let text = """
      local m = model "m" { rows = { { n = 3 }, { n = 1 }, { n = 2 } } }
      c = controller.list { \(name)content = m.rows, sort = "n" }
      """
    let app = try ReloadedApp(["app.lua": text])
    try app.run("c.selectionIndexes = { 2, 3 }")
    app.save(["app.lua": text + "\n"])
    #expect(try app.value("c.selectedObjects[1].n .. c.selectedObjects[2].n") == "23")
    try app.run("c.sort = '-n' c.selectionIndexes = {}")
    app.save(["app.lua": text + "\n\n"])
    #expect(try app.value("c.sort .. #c.selectionIndexes") == "-n0")
    app.save(["app.lua": text.replacing("sort = \"n\"", with: "sort = nil")])
    #expect(try app.value("c.sort") == "nil")
  }

  @Test(arguments: [["app", "part"], ["part", "app"], ["part", "new"], ["new", "app"]])
  func `of a controller with a name is kept where another file makes it`(ways: [String]) throws {
    func files(making maker: String) -> [String: String] {
      let make = "controller.list { name = 'c', content = 'm.rows' } "
      func text(_ name: String) -> String { name == maker ? make : "" }
      return [
        "app.lua": "model 'm' { rows = { { n = 1 }, { n = 2 }, { n = 3 } } } " + text("app")
          + "require 'part' " + (maker == "new" ? "require 'new'" : ""),
        "part.lua": text("part") + "return true", "new.lua": text("new") + "return true",
      ]
    }
    let app = try ReloadedApp(files(making: ways[0]))
    try app.run("models.c.selectionIndex = 2")
    #expect(app.save(files(making: ways[1])).error == nil)
    #expect(try app.value("models.c.selectionIndex") == "2")
  }

  @Test func `of a tree controller is kept`() throws {
    let text = """
      local m = model "m" { rows = { { name = "a", children = { { name = "b" } } } } }
      c = controller.tree { content = m.rows }
      """
    let app = try ReloadedApp(["app.lua": text])
    try app.run("c:setSelectionIndexPath { 1, 1 }")
    app.save(["app.lua": text + "\n"])
    #expect(try app.value("c.selectedObjects[1].name") == "b")
  }

  @Test func `is as it was after a version that is no good has taken the rows away`() throws {
    let text = """
      local m = model "m" { rows = { { n = 1 }, { n = 2 }, { n = 3 } } }
      c = controller.list { name = "c", content = "m.rows" }
      return view.column { view.list { id = "own", items = m.rows },
        view.list { id = "bound", bindTo = { items = "c.arrangedObjects",
          selectedIndex = "<> c.selectionIndex" } } }
      """
    let app = try ReloadedApp(["app.lua": text])
    try app.run("c.selectionIndex = 3 views.own.selectedIndex = 2")
    app.save([
      "app.lua": text.replacing("return", with: "m.rows:clear() error 'no' return")
    ])
    let selected = "views.own.selectedIndex .. views.bound.selectedIndex .. c.selectionIndex"
    #expect(try app.value(selected) == "233")
  }

  @Test func `through a controller is told of`() throws {
    let app = try ReloadedApp([
      "app.lua": """
      seen = 0
      local m = model "m" { rows = { { n = 1 }, { n = 2 } } }
      c = controller.list { content = m.rows }
      o = controller.object { content = m.rows[1] }
      observe(c, "selection", function(new) seen = seen + new.n end)
      observe(o, "selection", function(new) seen = seen + 10 * new.n end)
      """
    ])
    try app.run("c.selectionIndex = 2")
    #expect(try app.value("seen") == "2")
    try app.run("c.selectionIndex = 2 o.content = models.m.rows[2]")
    #expect(try app.value("seen") == "22")
  }

  @Test func `of views without a model is kept, unless the new version declares another`() throws {
    let text = """
      local about = view.dialog { id = "about", hidden = true, view.label { text = "x" } }
      return view.column { about,
        view.toggle { id = "toggle", isOn = true }, view.slider { id = "slider", value = 3 },
        view.list { id = "list", items = { "a", "b", "c" }, selectedIndex = 1 },
        view.tabs { id = "tabs", selected = 2, view.label { text = "1" }, view.label { text = "2" } },
        view.split { id = "split", position = 5, view.label { text = "1" }, view.label { text = "2" } },
      }
      """
    let app = try ReloadedApp(["app.lua": text])
    try app.run(
      """
      views.toggle.isOn = false views.slider.value = 7 views.list.selectedIndex = 3
      views.tabs.selected = 1 views.split.position = 9 views.about.hidden = false
      """)
    app.save(["app.lua": text + "\n"])
    let state = """
      tostring(views.toggle.isOn) .. views.slider.value .. views.list.selectedIndex ..
      views.tabs.selected .. views.split.position .. tostring(views.about.hidden)
      """
    #expect(try app.value(state).replacing(".0", with: "") == "false7319false")
    app.save(["app.lua": text.replacing("value = 3", with: "value = 4")])
    #expect(try app.value(state).replacing(".0", with: "") == "false4319false")
  }

  @Test func `of a menu stays open`() throws {
    let text = """
      return view.column { view.menu { id = "menu", items = { { title = "File", items = {
        { title = "New" }, { title = "Open", items = { { title = "Recent" } } } } } } } }
      """
    let app = try ReloadedApp(["app.lua": text])
    try app.press("F10 Down Right")
    let picture = try app.picture()
    #expect(picture.contains("Recent"))
    app.save(["app.lua": text + "\n"])
    #expect(try app.picture() == picture)
    app.save(["app.lua": text + "\nerror 'no'"])
    #expect(try app.picture() == picture)
  }
}
