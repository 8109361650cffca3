import Foundation
import Testing
import TideBindings
import TideScript
import TideViews

@testable import TideReload

/// What a person is in the middle of goes on as if nobody had saved.
@Suite struct `An edit that a reload comes into` {
  private static let form = """
    local m = model "m" { name = "Ada", age = 36 }
    return view.column {
      view.field { id = "name", bindTo = { text = { path = "<> m.name", continuous = false } } },
      view.field { id = "age", bindTo = { text = { path = "<> m.age", continuous = false } } },
    }
    """

  private func app(_ text: String, keys: String) throws -> ReloadedApp {
    let app = try ReloadedApp(["app.lua": text])
    try app.press(keys)
    return app
  }

  @Test func `stays a draft, and commits when it ends`() throws {
    let app = try app(Self.form, keys: "Tab X")
    #expect(try app.value("models.m.name") == "Ada")
    #expect(app.save(["app.lua": "-- saved\n" + Self.form]).error == nil)
    #expect(try app.value("models.m.name .. ' ' .. views.name.text") == "Ada AdaX")
    try app.press("Y")
    #expect(try app.value("models.m.name .. ' ' .. views.name.text") == "Ada AdaXY")
    try app.press("Tab")
    #expect(try app.value("models.m.name") == "AdaXY")
  }

  private static let unnamed = """
    local m = model "m" { a = "aa", b = "bb", c = "cc" }
    local function field(path)
      return view.field { bindTo = { text = { path = "<> m." .. path, continuous = false } } }
    end
    return view.column { field "a", field "b", field "b", view.row { field "c" } }
    """

  @Test(arguments: [
    ("field \"a\",", "field \"c\", field \"a\","), ("field \"a\",", ""),
    (
      "field \"a\", field \"b\", field \"b\"",
      "field \"b\", view.field {}, field \"b\", field \"a\""
    ),
    ("field \"a\",", "view.field { text = \"plain\" }, field \"a\","),
  ])
  func `stays with what its field is bound to when others come and go`(
    _ former: String, _ next: String
  ) throws {
    let app = try app(Self.unnamed, keys: "Tab Tab End X")
    #expect(app.save(["app.lua": Self.unnamed.replacing(former, with: next)]).error == nil)
    #expect(try app.picture().contains("bbX"))
    #expect(try app.value("models.m.b") == "bb")
    try app.press("Y")
    #expect(try app.picture().contains("bbXY"))
    #expect(app.save(["app.lua": Self.unnamed]).error == nil)
    try app.press("Z Tab")
    #expect(try app.value("models.m.a .. models.m.b .. models.m.c") == "aabbXYZcc")
  }

  @Test func `stays a draft when the version is no good`() throws {
    let app = try app(Self.form, keys: "Tab X")
    #expect(app.save(["app.lua": "models.m.name = 'no' \(Self.form) error 'late'"]).error != nil)
    #expect(
      app.save(["app.lua": Self.form.replacing("return", with: "error 'late' return")]).error != nil
    )
    #expect(try app.value("models.m.name .. ' ' .. views.name.text") == "Ada AdaX")
    try app.press("Tab")
    #expect(try app.value("models.m.name") == "AdaX")
  }

  @Test func `is refused as before, and can be fixed later`() throws {
    let app = try app(Self.form, keys: "Tab Tab x Tab")
    #expect(app.runtime.errorsOfEdits.map(\.code) == [.conversion])
    app.save(["app.lua": Self.form + "\n"])
    #expect(try app.value("views.age.text") == "36x")
    #expect(try app.value("views.age.error ~= nil") == "true")
    #expect(app.runtime.errorsOfEdits.map(\.code) == [.conversion])
    try app.press("Shift-Tab Backspace 7 Tab")
    #expect(try app.value("models.m.age") == "367")
    #expect(app.runtime.errors.isEmpty && app.runtime.errorsOfEdits.isEmpty)
  }

  @Test func `tells nobody that the field was left or come to`() throws {
    let text = """
      local told = model "told" { list = list {} }
      local function tell(what) return function() told.list:append(what) end end
      return view.field { id = "f", on = { focus = tell "focus", blur = tell "blur",
        editingDidBegin = tell "begin", editingDidEnd = tell "end" } }
      """
    let app = try app(text, keys: "Tab X")
    let told = try app.value("table.concat(models.told.list:totable(), ' ')")
    #expect(told.contains("focus") && told.contains("begin"))
    #expect(app.save(["app.lua": text + "\n"]).error == nil)
    #expect(app.save(["app.lua": text.replacing("return", with: "error 'no' return")]).error != nil)
    #expect(try app.value("table.concat(models.told.list:totable(), ' ')") == told)
    #expect(try app.value("views.f.text") == "X")
  }

  @Test func `is not what a field shows of another row`() throws {
    let text = try String(contentsOfFile: ReloadedApp.example("people"), encoding: .utf8)
    let app = try app(text, keys: "Tab X Escape Shift-Tab Down")
    let first = "models.company.staff[1].name .. ', ' .. models.company.staff[2].name"
    let names = try app.value(first)
    #expect(names == "Ada Lovelace, Alan Turing")
    app.save(["app.lua": "-- saved\n" + text])
    #expect(try app.value(first) == names)
    #expect(try app.value("models.people.selectionIndex") == "2")
  }

  @Test func `goes to the row that it was made for`() throws {
    let text = """
      local m = model "m" { rows = { { name = "one" }, { name = "two" } } }
      local c = controller.list { name = "c", content = "m.rows" }
      return view.column {
        view.list { id = "list", bindTo = { items = "c.arrangedObjects",
          selectedIndex = "<> c.selectionIndex" } },
        view.field { id = "f",
          bindTo = { text = { path = "<> c.selection.name", continuous = false } } },
      }
      """
    let app = try app(text, keys: "Tab Down Tab X")
    #expect(try app.value("models.c.isEditing") == "true")
    app.save(["app.lua": text + "\n"])
    #expect(try app.value("models.c.isEditing") == "true")
    #expect(try app.value("models.c.selectionIndex") == "2")
    try app.press("Tab")
    #expect(try app.value("models.m.rows[1].name .. ' ' .. models.m.rows[2].name") == "one twoX")
  }

  /// What becomes of the field with the draft: another id, none, one where there was none, a place
  /// in another row, an area in place of a field, and a binding that waits for nothing any more.
  @Test(arguments: [
    ("FIELD", "FIELD", "id = 'one', ", "id = 'two', "),
    ("FIELD", "FIELD", "id = 'one', ", ""),
    ("FIELD", "FIELD", "", "id = 'two', "),
    ("FIELD", "view.row { FIELD }", "", ""),
    ("FIELD", "view.row { FIELD }", "id = 'one', ", "id = 'two', "),
    ("FIELD", "view.column { view.row { FIELD } }", "id = 'one', ", "id = 'one', "),
    ("FIELD", "AREA", "id = 'one', ", "id = 'one', "),
    ("AREA", "FIELD", "", ""),
    ("FIELD", "NOW", "id = 'one', ", "id = 'one', "),
    ("FIELD", "NOW", "", ""),
  ])
  func `stays where its field is another one, bound to the same`(
    _ former: String, _ next: String, _ formerID: String, _ nextID: String
  ) throws {
    func script(_ field: String, _ id: String) -> String {
      let text = """
        local m = model "m" { a = "", other = "" }
        return view.column { HERE, view.field { id = "last", bindTo = { text = "<> m.other" } } }
        """
      return text.replacing("HERE", with: field)
        .replacing("FIELD", with: "view.field { \(id)bindTo = { text = BOUND } }")
        .replacing("AREA", with: "view.textArea { \(id)height = 2, bindTo = { text = BOUND } }")
        .replacing("NOW", with: "view.field { \(id)bindTo = { text = '<> m.a' } }")
        .replacing("BOUND", with: "{ path = '<> m.a', continuous = false }")
    }
    let app = try app(script(former, formerID), keys: "Tab a b Left")
    #expect(app.save(["app.lua": script(next, nextID)]).error == nil)
    #expect(try app.picture().contains("ab"))
    #expect(try app.value("models.m.a") == "")
    if next == "NOW" {
      try app.press("Tab")
      #expect(try app.value("models.m.a") == "ab")
    } else {
      try app.press("X")
      #expect(try app.value("models.m.a") == "")
      try app.press("Tab")
      #expect(try app.value("models.m.a") == "aXb")
    }
  }

  @Test(arguments: [
    ("id = 'one', ", "id = 'two', ", "FIELD", "FIELD"), ("", "", "FIELD", "view.row { FIELD }"),
    ("id = 'one', ", "id = 'two', ", "FIELD", "view.label { text = 'gone' }"),
  ])
  func `waits anew, or is carried out, when its field is another one`(
    _ formerID: String, _ nextID: String, _ former: String, _ next: String
  ) throws {
    for selected in [true, false] {
      func script(_ field: String, _ id: String) -> String {
        let text = """
          local m = model "m" { rows = list { { note = "" }, { note = "" } }, note = "" }
          local c = controller.list { name = "c", content = m.rows }
          return view.column { HERE }
          """
        let path = selected ? "c.selection.note" : "m.note"
        return text.replacing("HERE", with: field).replacing(
          "FIELD",
          with: "view.field { \(id)bindTo = { text = { path = '<> \(path)', delay = 2 } } }")
      }
      let app = try ReloadedApp(["app.lua": script(former, formerID)], clock: VirtualClock())
      try app.press("Tab a b")
      app.runtime.loop.advance(by: 1)
      #expect(app.save(["app.lua": script(next, nextID)]).error == nil)
      app.runtime.loop.advance(by: 2.1)
      let note = selected ? "models.m.rows[1].note" : "models.m.note"
      #expect(try app.value(note) == "ab", "\(former) \(next) \(selected)")
    }
  }

  @Test func `waits anew for its delay`() throws {
    let text = """
      local m = model "m" { late = "" }
      return view.field { id = "f", bindTo = { text = { path = "<> m.late", delay = 1 } } }
      """
    let app = try ReloadedApp(["app.lua": text], clock: VirtualClock())
    try app.press("Tab X")
    app.runtime.loop.advance(by: 0.9)
    app.save(["app.lua": text + "\n"])
    app.runtime.loop.advance(by: 0.9)
    #expect(try app.value("models.m.late .. views.f.text") == "X")
    app.runtime.loop.advance(by: 0.2)
    #expect(try app.value("models.m.late") == "X")
  }

  @Test func `waits anew when a handler wrote it`() throws {
    let text = """
      local m = model "m" { late = "1" }
      local f = view.field { id = "f", bindTo = { text = { path = "<> m.late", delay = 1 } } }
      return view.column { f, view.button { on = { touchUpInside = function() f.text = "15" end } } }
      """
    let app = try ReloadedApp(["app.lua": text], clock: VirtualClock())
    try app.press("Tab Tab Enter")
    app.runtime.loop.advance(by: 0.9)
    app.save(["app.lua": text + "\n"])
    #expect(try app.value("models.m.late .. ' ' .. views.f.text") == "1 15")
    app.runtime.loop.advance(by: 1.1)
    #expect(try app.value("models.m.late .. ' ' .. views.f.text") == "15 15")
  }

  @Test func `is refused as before when a handler wrote it`() throws {
    let text = """
      local m = model "m" { n = property { default = 1, type = "integer" } }
      local f = view.field { id = "f", bindTo = { text = "<> m.n" } }
      return view.column { view.button { on = { touchUpInside = function() f.text = "no" end } }, f }
      """
    let app = try app(text, keys: "Tab Enter")
    app.save(["app.lua": text + "\n"])
    #expect(try app.value("views.f.text") == "no")
    #expect(try app.value("views.f.error ~= nil") == "true")
  }

  @Test func `is carried out when nobody takes it over`() throws {
    let text = """
      local m = model "m" { late = "" }
      return view.field { id = "f", bindTo = { text = { path = "<> m.late", delay = 1 } } }
      """
    let app = try ReloadedApp(["app.lua": text], clock: VirtualClock())
    try app.press("Tab X")
    app.save(["app.lua": "model 'm' { late = '' }"])
    #expect(try app.value("models.m.late") == "X")
  }

  private static let filtered = """
    local m = model "m" { rows = list { { name = "apple" }, { name = "avocado" } } }
    local c = controller.list { name = "c", content = m.rows,
      filter = function(row) return row.name:sub(1, 1) == "a" end }
    return view.column { view.label { text = "1" },
      view.field { id = "name", bindTo = { text = "<> c.selection.name" } },
      view.field { id = "other" } }
    """

  @Test func `goes on in its row, which no filter takes away`() throws {
    let app = try app(Self.filtered, keys: "Tab Home X")
    #expect(app.save(["app.lua": Self.filtered.replacing("\"1\"", with: "\"2\"")]).error == nil)
    #expect(try app.value("models.c.selectedObject.name") == "Xapple")
    try app.press("Y")
    #expect(
      try app.value("models.m.rows[1].name .. ' ' .. models.m.rows[2].name") == "XYapple avocado")
    try app.press("Tab")
    #expect(try app.value("models.c.selectedObject.name") == "avocado")
  }
}
