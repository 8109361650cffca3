import TideBindings
import TideLua
import TideScript
import TideViews
import Testing

@Suite(.serialized) struct `A handler that its budget stops` {
  /// An app whose only button runs a handler.
  private func app(_ handler: String) throws -> ShownApp {
    let app = try ShownApp(
      """
      desk = model "desk" { name = "before", note = "old", count = 0, rows = list { "a", "b" } }
      names = dict { a = 1 }
      chosen = controller.list { content = desk.rows, filter = function(row) return row ~= "z" end }
      show(view.column {
        view.button { title = "go", on = { touchUpInside = function() \(handler) end } },
        view.label { bindTo = { text = "desk.name" } },
        view.list { items = chosen.arrangedObjects, height = 4 },
      })
      """)
    try app.press("Tab")
    return app
  }

  /// Presses the button, whose handler has little time.
  private func press(_ app: ShownApp) throws {
    try within(.milliseconds(200), app) { try app.scene.send(keys: "Enter") }
    try app.draw()
  }

  private func within(
    _ turn: Duration, _ app: ShownApp, _ body: () throws -> Void
  ) rethrows {
    app.runtime.lua.setTurnLimit(turn)
    defer { app.runtime.lua.setTurnLimit(.seconds(60)) }
    try body()
  }

  @Test func `leaves models, lists and dicts as they were`() throws {
    let app = try app(
      """
      desk.name, desk.note, desk.count = "half", "new", 1
      desk.note = "newer"
      desk.rows:append("c")
      desk.rows:remove(1)
      names.a, names.b = 2, 3
      assert(#chosen.arrangedObjects == 2 and chosen.arrangedObjects[1] == "b")
      while true do end
      """)
    try press(app)
    #expect(try app.holds("desk.name == 'before' and desk.note == 'old' and desk.count == 0"))
    #expect(try app.holds("table.concat(desk.rows:totable()) == 'ab'"))
    #expect(try app.holds("table.concat(chosen.arrangedObjects:totable()) == 'ab'"))
    #expect(try app.holds("names.a == 1 and names.b == nil"))
    #expect(app.shown.contains("before"))
    let errors = app.runtime.errors
    #expect(errors.map(\.code) == [.scriptTime])
    #expect(errors.first?.message.contains("was taken back") == true)
    #expect(errors.first?.budget?.takenBack ?? 0 >= 5)
    #expect(try app.holds("errors()[1].budget >= 5"))
    #expect(try Diagnostic(#require(errors.first)).json.contains("\"budget\":"))
    // It is no other handler's affair.
    try app.run("desk.count = 7")
    #expect(try app.holds("desk.count == 7"))
  }

  @Test func `leaves no step to undo`() throws {
    let app = try app(
      "desk.count = 1 desk.note = 'new' desk.rows:append('c') names.b = 2 while true do end")
    try app.run("history = undo.manager { desk, names, name = 'history' }")
    try press(app)
    #expect(try app.holds("not history.canUndo and not history:undo()"))
    #expect(try app.holds("desk.count == 0 and desk.note == 'old' and #desk.rows == 2"))
    try app.run("undo.group('x', function() desk.rows:append('d') end)")
    #expect(try app.holds("history:undo() and #desk.rows == 2 and not history.canUndo"))
  }

  @Test func `leaves what it wrote before a checkpoint as a step`() throws {
    let app = try app(
      """
      desk.count = 1
      desk.rows:append("c")
      checkpoint()
      desk.count = 2
      desk.rows:append("d")
      while true do end
      """)
    try app.run("history = undo.manager { desk, name = 'history' }")
    try press(app)
    #expect(try app.holds("desk.count == 1 and #desk.rows == 3 and history.undoTitle == 'go'"))
    #expect(try app.holds("history:undo() and desk.count == 0 and #desk.rows == 2"))
    #expect(try app.holds("not history.canUndo"))
  }

  @Test func `keeps what it wrote before a checkpoint`() throws {
    let app = try app(
      """
      desk.count = 1
      desk.rows:append("c")
      checkpoint()
      desk.count = 2
      desk.rows:append("d")
      while true do end
      """)
    try press(app)
    #expect(try app.holds("desk.count == 1 and table.concat(desk.rows:totable()) == 'abc'"))
  }

  @Test func `keeps what it wrote before a wait`() throws {
    let app = try app(
      """
      desk.count = 1
      sleep(0)
      desk.count = 2
      while true do end
      """)
    try app.scene.send(keys: "Enter")
    within(.milliseconds(200), app) { app.runtime.settle() }
    try app.draw()
    #expect(app.runtime.errors.map(\.code) == [.scriptTime])
    #expect(try app.holds("desk.count == 1"))
  }

  @Test func `is no other one, which keeps what it wrote though it fails`() throws {
    let app = try app("desk.count = 1 desk.rows:append('c') error('no')")
    try press(app)
    #expect(try app.holds("desk.count == 1 and #desk.rows == 3"))
    #expect(app.runtime.errors.first?.budget == nil)
    try app.run("checkpoint()")
    #expect(try app.holds("desk.count == 1"))
  }

  @Test func `tells what cannot be taken back`() {
    let report = BudgetReport(takenBack: 1, lasting: ["file.write out.txt", "process.run sh"])
    #expect(
      report.text
        == "what it wrote to 1 property, list or dict was taken back; "
        + "this cannot be taken back: file.write out.txt, process.run sh")
    #expect(BudgetReport(takenBack: 0, lasting: []).text.isEmpty)
  }
}
