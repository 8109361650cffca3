import Testing
import TideBindings
import TideGraph
import TideScript
import TideViews

/// What a person types in the rows of a list stays where it was typed.
@Suite struct `An entry in a row` {
  private func runtime(_ script: String, clock: VirtualClock? = nil) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.clock = clock
    let runtime = try Runtime(file: "test.lua", configuration: configuration)
    try runtime.evaluate(script, as: Value.self)
    try runtime.scene?.mount(TextRenderer(size: Size(width: 30, height: 6)))
    _ = try picture(runtime)
    return runtime
  }

  private func rows(_ bound: String) -> String {
    """
    rows = list {}
    for i = 1, 20 do rows:append { name = ("n%02d"):format(i), qty = i } end
    show(view.list { id = "l", items = rows, height = 4, cell = function() return view.cell { view.row {
      view.field { width = 10, bindTo = { text = \(bound) } }, view.field { width = 8, text = "own" },
    } } end })
    """
  }

  private func picture(_ runtime: Runtime) throws -> String {
    runtime.settle()
    let scene = try #require(runtime.scene)
    try scene.commit()
    return scene.frame.lines.joined(separator: "\n")
  }

  @Test func `that was refused is there again, with its message, when its row is`() throws {
    let runtime = try runtime(rows("'<> dataObject.qty'"))
    let scene = try #require(runtime.scene)
    try scene.send(keys: "Tab Tab End x")
    #expect(try picture(runtime).contains("1x"))
    try runtime.evaluate("views.l:scrollTo(15)", as: Value.self)
    #expect(try !picture(runtime).contains("1x"))
    #expect(runtime.errorsOfEdits.count == 1)
    try runtime.evaluate("views.l:scrollTo(1)", as: Value.self)
    #expect(try picture(runtime).contains("1x"))
    // Fixed in another way, the cell is an ordinary one again.
    try runtime.evaluate("rows[1].qty = 50", as: Value.self)
    #expect(runtime.errorsOfEdits.isEmpty)
    #expect(try picture(runtime).contains("50"))
  }

  @Test func `goes with its row, and is told`() throws {
    let runtime = try runtime(rows("'<> dataObject.qty'"))
    try #require(runtime.scene).send(keys: "Tab Tab End x")
    try runtime.evaluate("views.l:scrollTo(15)", as: Value.self)
    _ = try picture(runtime)
    try runtime.evaluate("rows:remove(1)", as: Value.self)
    _ = try picture(runtime)
    #expect(runtime.errorsOfEdits.map(\.code) == [.unwritten])
    #expect(runtime.errorsOfEdits.first?.message.contains("1x") == true)
  }

  @Test func `that waits for a delay is carried out where its row is not in sight`() throws {
    let clock = VirtualClock()
    let runtime = try runtime(rows("{ path = '<> dataObject.name', delay = 1 }"), clock: clock)
    try #require(runtime.scene).send(keys: "Tab Tab End X")
    try runtime.evaluate("views.l:scrollTo(15)", as: Value.self)
    _ = try picture(runtime)
    runtime.loop.advance(by: 1.1)
    runtime.settle()
    #expect(try runtime.evaluate("rows[1].name", as: Value.self) == "n01X")
    // The cell has nothing to keep any more.
    try runtime.evaluate("views.l:scrollTo(1)", as: Value.self)
    #expect(try picture(runtime).contains("n01X"))
  }

  @Test(arguments: [
    "content = rows, sort = 'name'", "content = rows, sort = function() return 'name' end",
  ])
  func `goes on wherever its row is sorted to`(_ controller: String) throws {
    let runtime = try runtime(
      """
      rows = list {}
      for i = 1, 20 do rows:append { name = ("n%02d"):format(i) } end
      c = controller.list { name = "c", \(controller) }
      show(view.list { id = "l", height = 4, bindTo = { items = "c.arrangedObjects",
        selectedIndex = "<> c.selectionIndex" }, cell = function() return view.cell {
        view.field { width = 10, bindTo = { text = "<> dataObject.name" } } } end })
      """)
    let scene = try #require(runtime.scene)
    try scene.send(keys: "Tab Tab Home")
    for key in ["z", "y", "x"] {
      try scene.send(keys: key)
      _ = try picture(runtime)
    }
    #expect(try runtime.evaluate("rows[1].name", as: Value.self) == "zyxn01")
    #expect(try picture(runtime).contains("zyxn01"))
    // It goes there when the field lets go of the focus.
    #expect(try runtime.evaluate("c.selectionIndex", as: Value.self) == 1)
    try scene.send(keys: "Shift-Tab")
    _ = try picture(runtime)
    #expect(try runtime.evaluate("c.selectionIndex", as: Value.self) == 20)
  }
}
