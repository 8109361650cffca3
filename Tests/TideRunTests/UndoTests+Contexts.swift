import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideLua
import TideRun
import TideViews
@testable import TideScript

extension `Undo` {
  // MARK: Dicts and contexts

  @Test func `entries of dicts are taken back, with what they hold`() throws {
    let loop = try loop(
      """
      model "colors" { by = dict { apple = "red" } }
      colors = models.colors
      history = undo.manager { colors }
      undo.group("Paint", function()
        colors.by.apple = "green"
        colors.by.fig = dict { skin = "blue" }
        colors.by.fig.flesh = "pink"
      end)
      """)
    try loop.runtime.evaluate(
      """
      undo.group("Peel", function() colors.by.fig.skin = nil end)
      assert(history:undo() and colors.by.fig.skin == "blue" and colors.by.fig.flesh == "pink")
      assert(history:undo() and colors.by.fig == nil and colors.by.apple == "red")
      assert(history:redo() and history:redo() and not history.canRedo)
      assert(colors.by.apple == "green" and colors.by.fig.flesh == "pink" and not colors.by.fig.skin)
      -- What somebody else has written since stays.
      colors.by.apple = "brown"
      assert(history:undo() and history:undo() and colors.by.apple == "brown")
      assert(colors.by.fig == nil)
      """, as: Value.self)
  }

  @Test func `a key that is typed into a dict is one step`() throws {
    let loop = try loop(
      """
      local held = model "held" { by = dict { a = "" } }
      history = undo.manager { held.by }
      show(view.column { view.field { id = "name", bindTo = { text = "<> held.by.a" } } })
      """)
    try press("name", "x y", loop)
    #expect(try text("history.undoTitle", loop) == "a")
    #expect(try text("history:undo() and models.held.by.a == ''", loop) == "true")
    #expect(try text("history.canUndo", loop) == "false")
  }

  @Test func `a context stands for all that is made in it, and later`() throws {
    let loop = try loop(
      """
      outside = object { n = 0 }
      context("page", function()
        inside = object { n = 0, rows = list {} }
        on_ = object { n = 0 }
        observe(on_, "n", function() handled = object { n = 0 } end)
        context("part", function() deep = dict { a = 1 } end)
        effect(function() effected = object { n = on_.n } end)
      end)
      history = undo.manager { "page" }
      context("page", { policy = "keep" }, function() late = list { 1 } end)
      on_.n = 1
      undo.group("All", function()
        outside.n = 5 inside.n = 5 inside.rows:append(object { n = 5 }) deep.a = 5 late:append(5)
        handled.n = 5 effected.n = 5
      end)
      history:undo()
      """)
    try loop.runtime.evaluate(
      """
      assert(outside.n == 5, "nobody follows it")
      assert(inside.n == 0 and #inside.rows == 0 and deep.a == 1 and #late == 1)
      assert(handled.n == 0 and effected.n == 1)
      history:redo()
      assert(inside.rows[1].n == 5 and deep.a == 5 and late[2] == 5 and handled.n == 5)
      -- What is made in it after it was cleared is followed, what was in it before is not.
      context("page", function() again = object { n = 0 } end)
      history:clear()
      undo.group("Two", function() inside.n = 7 again.n = 7 end)
      history:undo()
      assert(inside.n == 7 and again.n == 0)
      """, as: Value.self)
  }

  @Test func `the context of an object is given by both`() throws {
    let loop = try loop(
      """
      owner = object { name = "o" }
      context(owner, "page", function() inside = object { n = 0 } end)
      history = undo.manager { { owner, "page" } }
      undo.group("x", function() inside.n = 1 end)
      history:undo()
      assert(inside.n == 0)
      local isMade, problem = pcall(undo.manager, { { owner, "pag" } })
      assert(not isMade and problem.message:find "owns no such context")
      """)
    #expect(try text("history.canRedo", loop) == "true")
  }

  @Test func `a context's objects go as if nobody followed them`() throws {
    let loop = try loop(
      """
      context("page", function() end)
      history = undo.manager { "page" }
      weak = setmetatable({}, { __mode = "v" })
      context("page", { policy = "keep" }, function()
        for i = 1, 5000 do weak[i] = object { n = i } end
      end)
      for i = 1, 5 do collectgarbage() end
      """)
    #expect(try text("next(weak) == nil", loop) == "true")
  }

  // MARK: What no person did

  @Test func `what others write is never undone`() throws {
    let loop = try loop(
      """
      fetched = resource(function() sleep(1) todo.n = todo.n + 100 return 1 end, { name = "fetched" })
      pushed = stream(function(push) sleep(2) push "x" todo.name = "pushed" end, { name = "pushed" })
      spawn(function() sleep(3) add "task" end)
      bind("todo.n -> todo.total", { delay = 4 })
      show(view.button { id = "later", title = "Later", on = { touchUpInside = function()
        add "at once"
        sleep(1)
        add "after a wait"
      end } })
      """)
    loop.runtime.loop.advance(by: 10)
    try loop.catchUp()
    #expect(try text("state()", loop) == "pushed 100 task" && text("todo.total", loop) == "100")
    #expect(try text("history.canUndo", loop) == "false")
    // A host, as a prompt that is attached, writes between the turns of a person.
    try loop.runtime.models["todo"]?.set("n", .integer(3))
    try loop.catchUp()
    #expect(try text("history.canUndo", loop) == "false")
    try press("later", "Enter", loop)
    loop.runtime.loop.advance(by: 2)
    try loop.catchUp()
    #expect(try text("state()", loop) == "pushed 3 task at once after a wait")
    #expect(try text("history.undoTitle", loop) == "Later")
    #expect(try text("history:undo()", loop) == "true")
    #expect(try text("state()", loop) == "pushed 3 task after a wait")
    #expect(try text("history:undo()", loop) == "false")
  }

  @Test(arguments: [
    ("undo.manager {}", "needs the models or contexts to follow"),
    ("undo.manager { { todo, 'nowhere' } }", "owns no such context"),
    ("undo.manager { {} }", "number 1 of undo.manager is a model"),
    ("undo.manager { todo.tasks:filter(function() return true end) }", "number 1 of undo.manager"),
    ("undo.manager { history }", "number 1 of undo.manager"),
    ("undo.manager { 'history' }", "number 1 of undo.manager"),
    ("undo.manager { 'tod' }", "did you mean \"todo\"?"),
    ("undo.manager { todo, limt = 3 }", "did you mean \"limit\"?"),
    ("undo.manager { todo, limit = 0 }", "is 1 to 100000 steps, not 0"),
    ("undo.manager { 5 }", "number 1 of undo.manager is a model"),
    ("undo.group('x')", "function"), ("undo.manger {}", "did you mean \"manager\"?"),
    ("history.canUndo = true", "read only"),
  ])
  func `wrong use is told`(_ code: String, _ message: String) throws {
    let loop = try loop("")
    let told = try text("select(2, pcall(function() \(code) end))", loop)
    #expect(told.contains(message), "\(told)")
  }
}
