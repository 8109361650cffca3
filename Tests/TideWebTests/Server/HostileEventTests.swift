import Testing
import TideBindings
import TideRun
import TideScript
import TideSystem
import TideViews
import WebClients

@testable import TideWeb

/// Events that a page of this server does not send, or sends too late.
@Suite(.serialized) struct HostileEventTests {
  @Test func `what a view does not offer is not done`() throws {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    let ids = [
      try mirror.node("button", "never"), try mirror.node("button", "gone"), 0, 99999,
      try mirror.node("column"), try mirror.node("field"),
    ]
    for (index, id) in ids.enumerated() { client.say("[\(index + 1),\"press\",\(id)]") }
    client.say("[50,\"select\",\(try mirror.node("field")),3,\"\"]")
    client.say("[51,\"menu\",\(try mirror.node("button", "OK")),[0]]")
    client.say("[52,\"press\",\(try mirror.node("button", "OK"))]")
    try app.run { (try? app.pressed()) != 0 }
    #expect(try app.pressed() == 1)
  }

  @Test func `an event that is sent again is done once`() throws {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    let ok = try mirror.node("button", "OK")
    for _ in 0..<5 { client.say("[1,\"press\",\(ok)]") }
    client.say("[2,\"press\",\(ok)]")
    client.say("[1,\"press\",\(ok)]")
    client.say("[3,\"edit\",\(try mirror.node("field")),0,5,\"done\"]")
    try app.run { (try? app.runtime.evaluate("fruit.name", as: String.self)) == "done" }
    #expect(try app.pressed() == 2)
  }

  @Test func `views of the past, behind a dialog and in other tabs do nothing`() throws {
    let app = try ServedApp(
      """
      done = model "done" { count = 0, isGone = false, isAsking = false, row = 0 }
      local function act() done.count = done.count + 1 end
      local function acts(title) return view.button { title = title, on = { touchUpInside = act } } end
      show(view.column {
        function() return done.isGone and {} or { acts "past" } end,
        acts "behind",
        view.tabs { titles = { "a", "b" }, acts "chosen",
          view.column { acts "other", view.field { label = "other", on = { editingChanged = act } },
            view.scroll { id = "scroll", height = 2, width = 9, view.textArea { height = 9 } } } },
        view.dialog { modal = true, hidden = function() return not done.isAsking end, acts "ask" },
      })
      """)
    let (ann, page) = try app.viewer()
    let numbers = try ["past", "other", "behind", "chosen", "ask"].map {
      try page.node("button", $0)
    }
    let field = try page.node("field", "other")
    try app.runtime.evaluate("done.isGone = true", as: Value.self)
    try app.run { app.runtime.scene?.needsFrame == false }
    ann.say("[1,\"press\",\(numbers[0])]")
    ann.say("[2,\"press\",\(numbers[1])]")
    for (index, event) in ["\"edit\",\(field),0,0,\"x\"", "\"key\",\(field),\"x\""].enumerated() {
      ann.say("[\(index + 3),\(event)]")
    }
    ann.say("[5,\"scroll\",\(try page.node("scroll")),0,3]")
    #expect(try app.run { app.service.renderer.viewers.values.contains { $0.lastDone == 5 } })
    try app.runtime.evaluate("done.isAsking = true", as: Value.self)
    try app.run { app.runtime.scene?.needsFrame == false }
    ann.say("[6,\"press\",\(numbers[2])]")
    ann.say("[7,\"press\",\(numbers[3])]")
    #expect(try app.run { app.service.renderer.viewers.values.contains { $0.lastDone == 7 } })
    #expect(try app.runtime.evaluate("done.count", as: Int.self) == 0)
    #expect(try app.runtime.evaluate("views.scroll.scrollY", as: Int.self) == 0)
    ann.say("[8,\"press\",\(numbers[4])]")
    #expect(try app.run { (try? app.runtime.evaluate("done.count", as: Int.self)) == 1 })
  }

  @Test func `events of the past are done already, and those of the future are events`() throws {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    let ok = try mirror.node("button", "OK")
    for number in [3, 1, 2, 3, 1_000_000, 4, 999_999, 9_007_199_254_740_991, 1_000_001] {
      client.say("[\(number),\"press\",\(ok)]")
    }
    try app.run { (try? app.pressed()) == 3 }
    #expect(try app.pressed() == 3)
    let (other, _) = try app.viewer()
    other.say("[1,\"press\",\(ok)]")
    try app.run { (try? app.pressed()) == 4 }
    #expect(try app.pressed() == 4)
  }

  @Test(arguments: ["0", "-1", "1.5", "1e300", "92233720368547758070", "\"1\"", "null", "[1]"])
  func `a number that no event has ends the connection`(number: String) throws {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    client.say("[\(number),\"press\",\(try mirror.node("button", "OK"))]")
    #expect(try app.run { app.service.renderer.viewerCount == 0 })
    #expect(try app.pressed() == 0)
  }

  @Test func `what a page asks of views that are none is forgotten`() throws {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    for number in 1...200 { client.say("[\(number),\"rows\",\(number * 1000),0,500]") }
    client.say("[300,\"size\",0,100000000,100000000]")
    client.say("[301,\"press\",\(try mirror.node("button", "OK"))]")
    try app.run { (try? app.pressed()) == 1 }
    #expect(try app.pressed() == 1)
  }

  @Test func `nobody ends the app from a page`() throws {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    for (index, key) in ["Ctrl-C", "Escape", "q", "R", "r", "F10", "Ctrl-Z"].enumerated() {
      client.say("[\(index + 1),\"key\",0,\"\(key)\"]")
    }
    client.say("[50,\"press\",\(try mirror.node("button", "OK"))]")
    try app.run { (try? app.pressed()) == 1 }
    #expect(app.runtime.exitCode == nil)
    #expect(try app.pressed() == 1)
  }

  @Test func `a context menu is chosen from, where its item can be`() throws {
    let app = try ServedApp(
      """
      pressed = 0
      show(view.label { text = "x", contextMenu = {
        { title = "one", command = function() pressed = pressed + 1 end },
        { title = "none", enabled = false, command = function() pressed = pressed + 100 end },
        { title = "more", items = { { title = "ten", command = function() pressed = pressed + 10 end } } },
      } })
      """)
    let (client, mirror) = try app.viewer()
    let label = try mirror.node("label")
    for (index, path) in ["[1]", "[5]", "[2]", "[]", "[2,0]", "[0]"].enumerated() {
      client.say("[\(index + 1),\"menu\",\(label),\(path)]")
    }
    try app.run { (try? app.pressed()) == 11 }
    #expect(try app.pressed() == 11)
  }
}
