import Testing
import TideBindings
import TideScript
import TideViews

@testable import TideReload

/// What a person has typed into fields for values, and the calendar that is open.
@Suite struct `A field for a value, over a reload` {
  private static let form = """
    local m = model "m" { age = 36, day = property { default = 1772323200, type = "integer" },
      name = property { default = "", required = "Enter a name" } }
    return view.form { id = "form",
      view.numberField { id = "age", label = "Age", bindTo = { value = "<> m.age" } },
      view.datePicker { id = "day", label = "Day", utc = true, bindTo = { value = "<> m.day" } },
      view.field { id = "name", label = "Name", bindTo = { text = "<> m.name" } },
    }
    """

  private func saved(afterKeys keys: String, _ next: String = form) throws -> ReloadedApp {
    let app = try ReloadedApp(["app.lua": Self.form])
    try app.press(keys)
    #expect(app.save(["app.lua": "-- saved\n" + next]).error == nil)
    return app
  }

  @Test func `keeps a text that is no number, and its message`() throws {
    let app = try saved(afterKeys: "Tab End x")
    #expect(try app.value("views.age.text .. ' ' .. views.age.error") == "36x Enter a number")
    #expect(app.runtime.errorsOfEdits.count == 1)
    try app.press("Backspace 5")
    #expect(try app.value("models.m.age") == "365")
    #expect(try app.value("views.age.error == nil") == "true")
    #expect(app.runtime.errorsOfEdits.isEmpty)
  }

  @Test func `keeps a number that waits for the end of the typing`() throws {
    let text = Self.form.replacing(
      "value = \"<> m.age\"", with: "value = { path = \"<> m.age\", continuous = false }")
    let app = try ReloadedApp(["app.lua": text])
    try app.press("Tab End 1")
    #expect(app.save(["app.lua": "-- saved\n" + text]).error == nil)
    #expect(try app.value("views.age.text .. ' ' .. models.m.age") == "361 36")
    try app.press("Tab")
    #expect(try app.value("models.m.age") == "361")
  }

  @Test func `keeps its calendar open where it was`() throws {
    let app = try saved(afterKeys: "Tab Tab Down PageDown")
    #expect(try app.picture().contains("April 2026"))
    try app.press("Right Enter")
    #expect(try app.value("views.day.text") == "04/02/2026")
  }

  @Test func `keeps what it was told to be required, until something is entered`() throws {
    let app = try ReloadedApp(["app.lua": Self.form])
    #expect(try app.value("views.form:submit()") == "false")
    #expect(try app.value("views.name.error") == "Enter a name")
    let next = Self.form.replacing("Enter a name", with: "Who is it?")
    #expect(app.save(["app.lua": next]).error == nil)
    #expect(try app.value("views.name.error") == "Who is it?")
    #expect(try app.value("#views.form.errors") == "1")
    #expect(try app.value("views.name.focused") == "true")
    try app.press("A")
    #expect(try app.value("views.name.error == nil and #views.form.errors == 0") == "true")
  }

  @Test func `shows what a new version says instead`() throws {
    let app = try ReloadedApp(["app.lua": "return view.numberField { id = \"n\", value = 3 }"])
    try app.press("Tab x")
    app.save(["app.lua": "return view.numberField { id = \"n\", value = 4 }"])
    #expect(try app.value("views.n.text") == "4")
    #expect(app.runtime.errorsOfEdits.isEmpty)
  }

  @Test func `that was empty shows what the new version selects`() throws {
    let text = """
      local Row = class "Row" { amount = 1 }
      desk = model "desk" { rows = list {}, current = property { nullable = true } }
      if #desk.rows == 0 then desk.rows:append(Row {}) end
      return view.numberField { id = "n", bindTo = { value = "<> desk.current.amount" } }
      """
    let app = try ReloadedApp(["app.lua": text])
    #expect(try app.value("views.n.text") == "")
    #expect(app.save(["app.lua": "-- saved\n" + text + "\n"]).error == nil)
    #expect(try app.value("views.n.text") == "")
    let next = text.replacing("return view", with: "desk.current = desk.rows[1]\nreturn view")
    #expect(app.save(["app.lua": next]).error == nil)
    #expect(try app.value("views.n.text .. ' ' .. tostring(views.n.value)") == "1 1")
  }
}
