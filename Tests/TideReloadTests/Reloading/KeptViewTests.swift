import Testing
import TideScript
import TideViews

@testable import TideReload

/// What handlers have written into views that are bound to nothing.
@Suite struct `What a handler has written into a view` {
  private static let text = """
    local views = {
      view.field { id = "f", text = "init" }, view.field { id = "g" }, view.textArea { id = "a" },
      view.label { id = "l", text = "label" }, view.progress { id = "p" },
      view.box { id = "x", title = "Box" },
    }
    local b = view.button { id = "b", title = "Fill" }
    on(b, "touchUpInside", function()
      views[1].text = "typed" views[2].text = "also" views[3].text = "area" views[4].text = "said"
      views[5].value = 0.5 views[6].title = "Full" b.title = "Done"
    end)
    return view.column { b, views[1], views[2], views[3], views[4], views[5], views[6] }
    """
  private static let all =
    "table.concat({ views.f.text, views.g.text, views.a.text, views.l.text, "
    + "tostring(views.p.value), views.x.title, views.b.title }, ' ')"

  @Test func `stays there`() throws {
    let app = try ReloadedApp(["app.lua": Self.text])
    try app.press("Tab Enter")
    #expect(try app.value(Self.all) == "typed also area said 0.5 Full Done")
    #expect(app.save(["app.lua": Self.text + "\n"]).error == nil)
    #expect(try app.value(Self.all) == "typed also area said 0.5 Full Done")
    #expect(app.save(["app.lua": Self.text]).error == nil)
    #expect(try app.value(Self.all) == "typed also area said 0.5 Full Done")
  }

  @Test func `gives way to what the new version says otherwise`() throws {
    let app = try ReloadedApp(["app.lua": Self.text])
    try app.press("Tab Enter")
    let edited = Self.text.replacing("init", with: "new").replacing("\"label\"", with: "\"old\"")
      .replacing("Box", with: "Chest")
    #expect(app.save(["app.lua": edited]).error == nil)
    #expect(try app.value(Self.all) == "new also area old 0.5 Chest Done")
  }

  @Test func `is followed by what a person types`() throws {
    let app = try ReloadedApp(["app.lua": Self.text])
    try app.press("Tab Enter Tab X")
    #expect(app.save(["app.lua": Self.text + "\n"]).error == nil)
    #expect(try app.value("views.f.text") == "typedX")
  }

  @Test func `is not what a function among the children says anew`() throws {
    let text = """
      local s = object { n = 0 }
      up = function() s.n = s.n + 1 end
      return view.column { function()
        return view.label { key = 1, id = "l", text = "n " .. s.n },
          view.toggle { key = 2, id = "t", isOn = s.n > 0 }
      end }
      """
    let app = try ReloadedApp(["app.lua": text])
    try app.run("up() up()")
    #expect(try app.value("views.l.text .. tostring(views.t.isOn)") == "n 2true")
    #expect(app.save(["app.lua": text + "\n"]).error == nil)
    #expect(try app.value("views.l.text .. tostring(views.t.isOn)") == "n 0false")
  }

  @Test func `is not what a binding says that is there no more`() throws {
    let text = """
      local m = model "m" { on = false, name = "a" }
      return view.column { view.toggle { id = "t", isOn = false, bindTo = { isOn = "m.on" } },
        view.label { id = "l", text = "a", bindTo = { text = "m.name" } } }
      """
    let app = try ReloadedApp(["app.lua": text])
    try app.run("models.m.on = true models.m.name = 'b'")
    let unbound = text.replacing(", bindTo = { isOn = \"m.on\" }", with: "")
      .replacing(", bindTo = { text = \"m.name\" }", with: "")
    #expect(app.save(["app.lua": unbound]).error == nil)
    #expect(try app.value("views.l.text .. tostring(views.t.isOn)") == "afalse")
  }

  @Test func `is not what a new version of a binding shows otherwise`() throws {
    let text = """
      local m = model "m" { n = 1.5 }
      return view.field { id = "f", bindTo = { text = "<> m.n" } }
      """
    let app = try ReloadedApp(["app.lua": text])
    let changed = text.replacing("<> m.n", with: "<> m.n | number(2)")
    #expect(app.save(["app.lua": changed]).error == nil)
    #expect(try app.value("views.f.text") == "1.50")
  }
}
