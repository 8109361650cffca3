import Testing
import TideBindings
import TideRun
import TideScript
import TideViews
import WebClients

@testable import TideWeb

@Suite(.serialized) struct LeaderTests {
  private static let script = """
    local lines = {}
    for number = 1, 100 do lines[number] = "line " .. number end
    log = {}
    show(view.column {
      view.field { id = "name", label = "Name" },
      view.field { id = "other", label = "Other", autofocus = true },
      view.field { id = "third", label = "Third" },
      view.scroll { id = "text", height = 5, scrollY = 3, view.label { text = table.concat(lines, "\\n") } },
      view.list { id = "rows", height = 5, items = list(lines), contextMenu = { { title = "Old" } },
        on = { willShowContextMenu = function(sender, event)
          log[#log + 1] = tostring(sender.selectedIndex)
          sender.contextMenu[1].title = "About " .. tostring(sender.selectedObject)
        end } },
    })
    """

  private func read(_ app: ServedApp, _ expression: String) throws -> Int {
    try app.runtime.evaluate(expression, as: Int.self)
  }

  private func follow(
    _ app: ServedApp, _ client: RawClient, _ page: PageMirror, until isDone: () -> Bool
  ) throws {
    while !isDone(), let message = try app.receive(client) { try page.apply(message) }
    #expect(isDone())
  }

  @Test func `scripts see the offset of the viewer who acted last`() throws {
    let app = try ServedApp(Self.script)
    let (ann, annsPage) = try app.viewer()
    let text = try annsPage.node("scroll")
    let rows = try annsPage.node("list")
    try follow(app, ann, annsPage) { annsPage.places[text] == [0, 3] }
    let (bob, bobsPage) = try app.viewer()
    ann.say("[1,\"scroll\",\(text),2,40]")
    #expect(try app.run { (try? read(app, "views.text.scrollY")) == 40 })
    #expect(try read(app, "views.text.scrollX") == 2)
    bob.say("[1,\"scroll\",\(text),0,9]")
    #expect(try app.run { (try? read(app, "views.text.scrollY")) == 9 })
    ann.say("[2,\"select\",\(rows),0,\"\"]")
    #expect(try app.run { (try? read(app, "views.text.scrollY")) == 40 })

    // What scripts write goes to Ann, who acted last.
    try app.runtime.evaluate("views.text.scrollY = 50; views.rows:scrollTo(70)", as: Value.self)
    try follow(app, ann, annsPage) {
      annsPage.places[text] == [2, 50] && annsPage.places[rows] == [69]
    }
    bob.say("[2,\"size\",0,80,24]")
    try follow(app, bob, bobsPage) { bobsPage.acknowledged == 2 }
    #expect(bobsPage.places[text] != [2, 50])
    #expect(bobsPage.places[rows] == nil)

    // Somebody uses a terminal beside the pages, which has not been scrolled.
    app.service.renderer.leaveLead()
    #expect(try read(app, "views.text.scrollY") == 3)
    ann.say("[3,\"scroll\",\(text),0,60]")
    #expect(try app.run { (try? read(app, "views.text.scrollY")) == 60 })
    app.service.renderer.leaveLead()
    #expect(try read(app, "views.text.scrollY") == 3)
  }

  @Test func `the focus that a script gives is that of the viewer who acted last`() throws {
    let app = try ServedApp(Self.script)
    let (ann, annsPage) = try app.viewer()
    let scene = try #require(app.runtime.scene)
    try follow(app, ann, annsPage) { annsPage.focus != 0 }
    let (name, other) = (try annsPage.node("field", "Name"), try annsPage.node("field", "Other"))
    #expect(annsPage.focus == other)
    ann.say("[1,\"focus\",\(name)]")
    #expect(try app.run { scene.focused?.displayName == "name" })
    // A new page begins with what has `autofocus`, and leaves the focus of others alone.
    let (bob, bobsPage) = try app.viewer()
    try follow(app, bob, bobsPage) { bobsPage.focus == other }
    #expect(scene.focused?.displayName == "name")
    bob.say("[1,\"focus\",\(try bobsPage.node("list"))]")
    #expect(try app.run { scene.focused?.displayName == "rows" })
    try app.runtime.evaluate("views.third:focus()", as: Value.self)
    let third = try bobsPage.node("field", "Third")
    try follow(app, bob, bobsPage) { bobsPage.focus == third }
    ann.say("[2,\"size\",0,80,24]")
    try follow(app, ann, annsPage) { annsPage.acknowledged == 2 }
    #expect(annsPage.focus == other)
    // What Ann does next, she does where she is.
    ann.say("[3,\"scroll\",\(try annsPage.node("scroll")),0,4]")
    #expect(try app.run { scene.focused?.displayName == "name" })
  }

  @Test func `a key of who has the focus nowhere goes to no field of others`() throws {
    let app = try ServedApp(Self.script)
    let (ann, annsPage) = try app.viewer()
    let name = try annsPage.node("field", "Name")
    ann.say("[1,\"focus\",\(name)]")
    ann.say("[2,\"edit\",\(name),0,0,\"Ann\"]")
    #expect(try app.run { annsEdit(app) == "Ann" })
    let (bob, _) = try app.viewer()
    bob.say("[1,\"focus\",0]")
    bob.say("[2,\"key\",0,\"x\"]")
    #expect(
      try app.run {
        app.service.renderer.viewers.values.contains { $0.lastDone == 2 && $0.focus == nil }
      })
    #expect(annsEdit(app) == "Ann")
  }

  private func annsEdit(_ app: ServedApp) -> String? {
    try? app.runtime.evaluate("views.name.text", as: String.self)
  }

  @Test func `a page that comes again says where its focus is, and takes nobody's lead`() throws {
    let app = try ServedApp(Self.script)
    let (ann, annsPage) = try app.viewer()
    let scene = try #require(app.runtime.scene)
    let (name, third) = (try annsPage.node("field", "Name"), try annsPage.node("field", "Third"))
    ann.say("[1,\"focus\",\(name)]")
    #expect(try app.run { scene.focused?.displayName == "name" })
    let (bob, _) = try app.viewer()
    bob.say("[1,\"focus\",\(third)]")
    #expect(try app.run { scene.focused?.displayName == "third" })
    ann.say("[2,\"focus\",\(name)]")
    ann.say("[3,\"scroll\",0,0,0]")
    ann.say("[4,\"press\",99999]")
    #expect(try app.run { app.service.renderer.viewers.values.contains { $0.lastDone == 4 } })
    #expect(scene.focused?.displayName == "third")
  }

  @Test func `the size is that of the window of who acted last`() throws {
    let app = try ServedApp(Self.script)
    let (ann, annsPage) = try app.viewer()
    let (bob, _) = try app.viewer()
    let rows = try annsPage.node("list")
    let scene = try #require(app.runtime.scene)
    ann.say("[1,\"size\",0,100,30]")
    #expect(try app.run { scene.size.width == 100 })
    ann.say("[2,\"select\",\(rows),0,\"\"]")
    #expect(try app.run { app.service.renderer.viewers.values.contains { $0.lastDone == 2 } })
    bob.say("[1,\"size\",0,40,30]")
    bob.say("[2,\"rows\",\(rows),0,5]")
    try app.run {
      app.service.renderer.viewers.values.contains { $0.lastDone == 2 && $0.size?.width == 40 }
    }
    #expect(scene.size.width == 100)
    bob.say("[3,\"select\",\(rows),1,\"\"]")
    #expect(try app.run { scene.size.width == 40 })
    ann.say("[3,\"select\",\(rows),1,\"\"]")
    #expect(try app.run { scene.size.width == 100 })
    #expect(scene.size.width == 100)
  }

  @Test func `a context menu opens when its handlers have run, at the row`() throws {
    let app = try ServedApp(Self.script)
    let (ann, page) = try app.viewer()
    let rows = try page.node("list")
    let cell = try #require(page.row(4, of: rows))
    ann.say("[1,\"context\",\(cell),2,0,0]")
    try follow(app, ann, page) { page.openedMenus == [rows] }
    #expect(page.property("menu", of: rows)?[0]["title"]?.text == "About line 5")
    // By a key it is about what is selected.
    ann.say("[2,\"select\",\(rows),1,\"\"]")
    ann.say("[3,\"context\",\(rows)]")
    try follow(app, ann, page) { page.openedMenus == [rows, rows] }
    #expect(try app.runtime.evaluate("table.concat(log, ' ')", as: String.self) == "5 2")
    #expect(page.property("menu", of: rows)?[0]["title"]?.text == "About line 2")
  }
}
