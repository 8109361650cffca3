import Testing
import TideBindings
import TideScript
import TideViews

/// Plain tables that come in one array share one shape, and null shows as nothing.
@Suite struct `Rows of plain tables` {
  private func runtime(_ script: String) throws -> Runtime {
    let runtime = try Runtime(file: "test.lua", configuration: Runtime.Configuration())
    try runtime.evaluate(script, as: Value.self)
    return runtime
  }

  private func shows(_ runtime: Runtime) throws -> String {
    let scene = try #require(runtime.scene)
    try scene.mount(TextRenderer(size: Size(width: 30, height: 5)))
    runtime.settle()
    try scene.commit()
    return scene.frame.lines.joined(separator: "\n")
  }

  @Test(arguments: [
    "list { { a = 1 }, { b = 'x' } }", "list(json.decode('[{\"a\":1},{\"b\":\"x\"}]'))",
    "(function() local l = list {} l:set { { a = 1 }, { b = 'x' } } return l end)()",
  ])
  func `have nil in the fields that only others have`(_ rows: String) throws {
    let runtime = try runtime("rows = \(rows)")
    #expect(
      try runtime.evaluate(
        "rows[1].a == 1 and rows[1].b == nil and rows[2].a == nil and rows[2].b == 'x'",
        as: Bool.self))
    try runtime.evaluate("rows[1].b = 'y' rows[2].a = 2", as: Value.self)
    #expect(try runtime.evaluate("rows[1].b == 'y' and rows[2].a == 2", as: Bool.self))
    #expect(runtime.errors.isEmpty)
  }

  @Test func `keep a field of two types as it is in each`() throws {
    let runtime = try runtime("rows = list { { n = 1 }, { n = 'x', m = true } }")
    #expect(try runtime.evaluate("rows[1].n == 1 and rows[2].n == 'x'", as: Bool.self))
  }

  @Test func `that have functions, and objects, stay what they are`() throws {
    let runtime = try runtime(
      "o = object { a = 1 } rows = list { o, { b = 2, twice = function(s) return 2 * s.b end }, { c = 3 } }"
    )
    #expect(try runtime.evaluate("rows[1] == o and rows[2]:twice() == 4", as: Bool.self))
  }

  @Test func `show optional fields and null as nothing`() throws {
    let runtime = try runtime(
      """
      rows = list(json.decode('[{"name":"ann","note":null},{"name":"bob"},{"name":"cid","note":"x"}]'))
      show(view.table { items = rows, columns = { { path = "name" }, { path = "note" } } })
      """)
    let text = try shows(runtime)
    #expect(!text.contains("null") && !text.contains("nil"), "\(text)")
    #expect(runtime.errors.isEmpty, "\(runtime.errors)")
  }

  @Test func `show null as a column or a field says`() throws {
    let runtime = try runtime(
      """
      row = object { note = null }
      show(view.column {
        view.table { height = 2, items = list { row }, columns = { { path = "note", null = "none" } } },
        view.field { id = "f", null = "empty" },
      })
      bind("note -> text", row, views.f)
      """)
    let text = try shows(runtime)
    #expect(text.contains("none") && text.contains("empty"), "\(text)")
  }

  @Test(arguments: ["{ id = 2, name = 'b' }", "{ id = 2, name = 'b', note = null }"])
  func `stay the same objects by key when a row comes without a field`(_ row: String) throws {
    let runtime = try runtime(
      """
      rows = list { { id = 1, name = "a", note = "n" }, { id = 2, name = "b", note = "m" } }
      chosen = controller.list { content = rows }
      second = rows[2]
      chosen.selectedObject = second
      rows:set({ { id = 1, name = "a", note = "n" }, \(row) }, { key = "id" })
      """)
    #expect(
      try runtime.evaluate(
        "rows[2] == second and chosen.selectedObject == second and second.note == nil",
        as: Bool.self))
    try runtime.evaluate(
      "rows:set({ { id = 2, name = 'b', note = 'again' } }, { key = 'id' })", as: Value.self)
    #expect(
      try runtime.evaluate("rows[1] == second and second.note == 'again'", as: Bool.self))
    #expect(runtime.errors.isEmpty)
  }

  @Test func `take a class's default when a row comes without a field`() throws {
    let runtime = try runtime(
      """
      Note = class "Note" { id = 0, text = "none" }
      rows = list { Note { id = 1, text = "first" } }
      first = rows[1]
      rows:set({ { id = 1 } }, { key = "id" })
      """)
    #expect(
      try runtime.evaluate("rows[1] == first and first.text == 'none'", as: Bool.self))
  }
}
