import Testing
import TideBindings
import TideGraph
import TideScript
import TideViews

/// Fields and pickers whose model has been replaced by another with the same value.
@Suite struct `A view bound to another object than before` {
  private func runtime(_ script: String) throws -> Runtime {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(script, as: Value.self)
    try runtime.scene?.mount(TextRenderer(size: Size(width: 20, height: 6)))
    return runtime
  }

  private static let form = """
    rows = controller.list { name = "rows",
      content = list { { t = "New", n = 1 }, { t = "New", n = 1 }, { t = "Old", n = 1 } },
      newObject = function() return object { t = "New", n = 1 } end }
    other = list { { t = "New", n = 1 } }
    ui = model "ui" { title = { t = "New", n = 1 } }
    show(view.column {
      view.field { id = "held", bindTo = { text = { path = "<> rows.selection.t", continuous = false } } },
      view.field { id = "number", bindTo = { text = "<> rows.selection.n" } },
      view.field { id = "plain", bindTo = { text = { path = "<> ui.title.t", continuous = false } } },
    })
    """

  private static let replacements = [
    "rows:add()", "rows:remove()", "rows.content:remove(1)", "rows.content = other",
    "rows.content:set { { t = 'New', n = 1, more = 1 } }",
    "batch(function() rows.content:append { t = 'New', n = 1 } rows.selectionIndex = 4 end)",
  ]

  /// Replacements that are not held up by a selection that waits for the entry to be fixed.
  private static let ownReplacements = [
    "rows:remove()", "rows.content:remove(1)", "rows.content = other",
    "rows.content:set { { t = 'New', n = 1, more = 1 } }",
  ]

  @Test(arguments: replacements)
  func `shows that one's value, and not what was typed for the former`(_ replace: String) throws {
    let runtime = try runtime(Self.form)
    try #require(runtime.scene).send(keys: "Tab End X")
    #expect(try runtime.evaluate("views.held.text", as: Value.self) == "NewX")
    try runtime.evaluate(replace, as: Value.self)
    #expect(try runtime.evaluate("views.held.text", as: Value.self) == "New")
    #expect(try runtime.evaluate("rows.selection.t", as: Value.self) == "New")
    try #require(runtime.scene).send(keys: "Y Enter")
    #expect(try runtime.evaluate("views.held.text == rows.selection.t", as: Value.self) == true)
    #expect(try runtime.evaluate("rows.selection.t", as: Value.self) != "NewXY")
  }

  @Test(arguments: ownReplacements)
  func `has no error of the former's entry, but a notice of it`(_ replace: String) throws {
    let runtime = try runtime(Self.form)
    try #require(runtime.scene).send(keys: "Tab Tab End x")
    #expect(try runtime.evaluate("views.number.text", as: Value.self) == "1x")
    #expect(runtime.errorsOfEdits.count == 1)
    try runtime.evaluate(replace, as: Value.self)
    #expect(try runtime.evaluate("views.number.text", as: Value.self) == "1")
    #expect(runtime.errorsOfEdits.map(\.code) == [.unwritten])
    #expect(runtime.errorsOfEdits.first?.message.contains("\"1x\"") == true)
  }

  @Test func `shows that one's value where a plain path leads to it`() throws {
    let runtime = try runtime(Self.form)
    try #require(runtime.scene).send(keys: "Tab Tab Tab End X")
    #expect(try runtime.evaluate("views.plain.text", as: Value.self) == "NewX")
    try runtime.evaluate("ui.title = object { t = 'New', n = 2 }", as: Value.self)
    #expect(try runtime.evaluate("views.plain.text", as: Value.self) == "New")
  }

  @Test(arguments: ["rows.content = other", "rows.selectionIndex = 3"])
  func `has given the former what was typed for it`(_ leave: String) throws {
    let runtime = try runtime(Self.form)
    try runtime.evaluate("first = rows.content[1]", as: Value.self)
    try #require(runtime.scene).send(keys: "Tab End X")
    #expect(try runtime.evaluate("first.t", as: Value.self) == "New")
    try runtime.evaluate(leave, as: Value.self)
    #expect(try runtime.evaluate("first.t", as: Value.self) == "NewX")
    #expect(try runtime.evaluate("rows.selection.t", as: Value.self) != "NewX")
    #expect(try runtime.evaluate("views.held.text == rows.selection.t", as: Value.self) == true)
    #expect(try runtime.evaluate("rows.isEditing", as: Value.self) == false)
  }

  @Test func `comes when the editing ends, where a filter was set meanwhile`() throws {
    let runtime = try runtime(Self.form)
    let scene = try #require(runtime.scene)
    try scene.send(keys: "Tab End X")
    try runtime.evaluate("rows.filter = function(row) return row.t == 'Old' end", as: Value.self)
    #expect(try runtime.evaluate("views.held.text", as: Value.self) == "NewX")
    try scene.send(keys: "Tab")
    #expect(try runtime.evaluate("rows.content[1].t", as: Value.self) == "NewX")
    #expect(try runtime.evaluate("rows.selection.t", as: Value.self) == "Old")
    #expect(try runtime.evaluate("views.held.text", as: Value.self) == "Old")
  }

  @Test(arguments: ["held", "plain"])
  func `lets nothing be undone there that was done for the former`(_ id: String) throws {
    let runtime = try runtime(Self.form)
    try runtime.evaluate(
      "first = \(id == "held" ? "rows.selection" : "ui.title") other:append { t = 'NewX', n = 2 }",
      as: Value.self)
    let scene = try #require(runtime.scene)
    try scene.send(keys: id == "held" ? "Tab End X Enter" : "Tab Tab Tab End X Enter")
    #expect(try runtime.evaluate("views.\(id).text", as: Value.self) == "NewX")
    try runtime.evaluate(
      "rows.content = other rows.selectionIndex = 2 ui.title = object { t = 'NewX', n = 1 }",
      as: Value.self)
    try scene.send(keys: "Ctrl-Z Enter")
    #expect(try runtime.evaluate("views.\(id).text", as: Value.self) == "NewX")
    #expect(try runtime.evaluate("other[2].t .. ui.title.t", as: Value.self) == "NewXNewX")
  }

  @Test(
    arguments: ["c.selection.note", "box.current.note", "dataObject.note"],
    ["delay = 2", "throttle = 2", "deliver = 'frame'"])
  func `gives the former what waits for time to pass`(path: String, option: String) throws {
    let clock = VirtualClock()
    var configuration = Runtime.Configuration()
    configuration.clock = clock
    let runtime = try Runtime(file: "test.lua", configuration: configuration)
    try runtime.evaluate(
      """
      local Row = class "Row" { note = "" }
      a, b = Row {}, Row {}
      box = model "box" { rows = list { a, b }, current = a }
      c = controller.list { name = "c", content = box.rows }
      field = view.field { bindTo = { text = { path = "<> \(path)", \(option) } } }
      field.dataObject = a
      function go(row) box.current = row field.dataObject = row c.selectedObject = row end
      show(field)
      """, as: Value.self)
    let scene = try #require(runtime.scene)
    try scene.mount(TextRenderer(size: Size(width: 20, height: 2)))
    try scene.send(keys: "Tab a b c")
    try runtime.evaluate("go(b)", as: Value.self)
    #expect(try runtime.evaluate("field.text", as: Value.self) == "")
    try scene.send(keys: "d")
    runtime.loop.advance(by: 5)
    try scene.commit()
    runtime.settle()
    #expect(try runtime.evaluate("a.note .. ' ' .. b.note", as: Value.self) == "abc d")
    try scene.send(keys: "e")
    try runtime.evaluate("go(a)", as: Value.self)
    #expect(try runtime.evaluate("field.text", as: Value.self) == "abc")
    runtime.loop.advance(by: 5)
    #expect(try runtime.evaluate("a.note .. ' ' .. b.note", as: Value.self) == "abc de")
    #expect(runtime.errors.isEmpty)
  }

  @Test func `shows nothing in a cell that was typed there for another row`() throws {
    let runtime = try runtime(
      """
      rows = list {}
      for number = 1, 100 do rows:append(number) end
      show(view.list { id = "list", rowHeight = 1, items = rows, cell = function()
        return view.cell { view.field { width = 9, text = "own" } } end })
      """)
    let scene = try #require(runtime.scene)
    try scene.commit()
    try scene.send(keys: "Tab Tab End X")
    try scene.commit()
    #expect(scene.frame.lines.joined().contains("ownX"))
    try scene.send(keys: "Shift-Tab End")
    try scene.commit()
    #expect(!scene.frame.lines.joined().contains("ownX"))
    try scene.send(keys: "Home")
    try scene.commit()
    #expect(scene.frame.lines.joined().contains("own"))
    #expect(!scene.frame.lines.joined().contains("ownX"))
  }

  @Test func `has given the former object of its controller what was typed for it`() throws {
    let runtime = try runtime(
      """
      local a, b = object { t = "a" }, object { t = "b" }
      first, pick = a, model "pick" { row = a }
      detail = controller.object { name = "detail" }
      bind("row -> content", pick, detail)
      function leave() pick.row = b end
      show(view.field { id = "held",
        bindTo = { text = { path = "<> detail.selection.t", continuous = false } } })
      """)
    try #require(runtime.scene).send(keys: "Tab End X")
    #expect(try runtime.evaluate("views.held.text", as: Value.self) == "aX")
    try runtime.evaluate("leave()", as: Value.self)
    #expect(try runtime.evaluate("first.t", as: Value.self) == "aX")
    #expect(try runtime.evaluate("views.held.text", as: Value.self) == "b")
  }

  @Test(arguments: ["picker", "radio"])
  func `shows a default that it had before there was nothing`(_ name: String) throws {
    let runtime = try runtime(
      """
      local Entry = class "Entry" { category = "food" }
      local ui = model "ui" { sel = property {} }
      local choice = view.\(name) { id = "choice", items = { "food", "rent" },
        bindTo = { selectedObject = "<> ui.sel.category" } }
      show(choice)
      first = choice.selectedObject
      ui.sel = Entry {}
      ui.sel = nil
      ui.sel = Entry {}
      """)
    #expect(try runtime.evaluate("views.choice.selectedObject", as: Value.self) == "food")
    try runtime.evaluate("models.ui.sel = nil", as: Value.self)
    #expect(try runtime.evaluate("views.choice.selectedObject == nil", as: Value.self) == true)
  }

  @Test func `shows the first row's default when a list that was empty gets one`() throws {
    let runtime = try runtime(
      """
      rows = controller.list { name = "rows", content = list {},
        objectClass = class "Entry" { category = "food" } }
      show(view.picker { id = "choice", items = { "food", "rent" },
        bindTo = { selectedObject = "<> rows.selection.category" } })
      """)
    try runtime.evaluate("rows:add()", as: Value.self)
    #expect(try runtime.evaluate("rows.selection.category", as: Value.self) == "food")
    #expect(try runtime.evaluate("views.choice.selectedObject", as: Value.self) == "food")
  }
}
