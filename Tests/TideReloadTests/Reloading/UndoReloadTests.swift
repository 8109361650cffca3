import Testing
import TideBindings
import TideScript
import TideViews

@testable import TideReload

@Suite struct `Undo over reloads` {
  private static let script = """
    todo = model "todo" { name = "", tasks = list {}, tags = dict {} }
    history = undo.manager { todo, name = "history" }
    function act()
      undo.group("Name", function() todo.name = "Ada" end)
      undo.group("Task", function() todo.tasks:append(object { title = "one" }) end)
      undo.group("Tag", function() todo.tags.x = "y" end)
      undo.group("Clear", function() todo.tasks:clear() end)
    end
    """

  @Test func `a named history goes on with its steps, taken back or not`() throws {
    let app = try ReloadedApp(["app.lua": Self.script])
    try app.run("act() history:undo()")
    #expect(app.save(["app.lua": "-- moved\n" + Self.script]).error == nil)
    #expect(try app.value("history.canUndo") == "true" && app.value("history.redoTitle") == "Clear")
    #expect(try app.value("history:redo() and #todo.tasks") == "0")
    #expect(app.save(["app.lua": Self.script + "\nfunction other() end"]).error == nil)
    #expect(try app.value("history:undo() and todo.tasks[1].title") == "one")
    #expect(try app.value("history:undo() and tostring(todo.tags.x)") == "nil")
    #expect(try app.value("history:undo() and #todo.tasks") == "0")
    #expect(try app.value("history:undo() and todo.name") == "")
    #expect(try app.value("history.canUndo") == "false")
    try app.run("act()")
    #expect(try app.value("history.undoTitle") == "Clear", "it records for the new version")
  }

  @Test func `a history without a name begins anew`() throws {
    let script = Self.script.replacing(", name = \"history\"", with: "")
    let app = try ReloadedApp(["app.lua": script])
    try app.run("act()")
    #expect(app.save(["app.lua": script + "\n"]).error == nil)
    #expect(try app.value("history.canUndo") == "false" && app.value("history:undo()") == "false")
    #expect(try app.value("todo.name") == "Ada")
  }

  @Test func `a version that is no good leaves the steps as they were`() throws {
    let app = try ReloadedApp(["app.lua": Self.script])
    try app.run("act()")
    let bad = Self.script + "\nundo.group('spoilt', function() todo.name = 'spoilt' end) error 'no'"
    #expect(app.save(["app.lua": bad]).error != nil)
    #expect(try app.value("todo.name") == "Ada" && app.value("history.undoTitle") == "Clear")
    try app.run("for i = 1, 4 do assert(history:undo()) end")
    #expect(try app.value("todo.name") == "" && app.value("history.canUndo") == "false")
    #expect(app.save(["app.lua": Self.script]).error == nil)
    #expect(try app.value("history.redoTitle") == "Name")
  }

  @Test
  func `steps about what a version has made anew are dropped, those about what it keeps stay`()
    throws
  {
    let script = """
      local kept = model "kept" { n = 0 }
      made = object { n = 0 }
      history = undo.manager { kept, made, name = "history" }
      """
    let app = try ReloadedApp(["app.lua": script])
    try app.run(
      """
      undo.group("made", function() made.n = 1 end)
      undo.group("both", function() models.kept.n = 1 made.n = 2 end)
      """)
    #expect(app.save(["app.lua": script + "\n"]).error == nil)
    #expect(try app.value("history.undoTitle") == "both" && app.value("made.n") == "0")
    #expect(try app.value("history:undo() and models.kept.n") == "0")
    #expect(try app.value("made.n") == "0" && app.value("history.canUndo") == "false")
    #expect(try app.value("history:redo() and models.kept.n") == "1")
  }

  @Test func `steps about a model that is followed no more are dropped`() throws {
    let app = try ReloadedApp(["app.lua": Self.script])
    try app.run("act()")
    let other = Self.script.replacing(
      "undo.manager { todo,", with: "undo.manager { model \"other\" { n = 0 },")
    #expect(app.save(["app.lua": other]).error == nil)
    #expect(try app.value("history.canUndo") == "false" && app.value("history.undoTitle") == "nil")
    #expect(try app.value("todo.name") == "Ada")
  }

  @Test func `a list whose declared default has changed takes its steps with it`() throws {
    let app = try ReloadedApp(["app.lua": Self.script])
    try app.run("act() history:undo()")
    let other = Self.script.replacing("tasks = list {}", with: "tasks = list { 'new' }")
    #expect(app.save(["app.lua": other]).error == nil)
    #expect(try app.value("#todo.tasks .. todo.tasks[1]") == "1new")
    #expect(try app.value("history:undo() and tostring(todo.tags.x)") == "nil")
    #expect(try app.value("history:undo() and todo.name") == "")
    #expect(try app.value("#todo.tasks .. todo.tasks[1]") == "1new")
  }

  @Test func `a context that a version opens again is followed`() throws {
    let script = """
      context("page", function() inside = object { n = 0 } end)
      history = undo.manager { "page", name = "history" }
      """
    let app = try ReloadedApp(["app.lua": script])
    try app.run("undo.group('x', function() inside.n = 1 end)")
    #expect(app.save(["app.lua": script + "\n"]).error == nil)
    #expect(try app.value("history.canUndo") == "false", "its object was made anew")
    try app.run("undo.group('y', function() inside.n = 2 end)")
    #expect(try app.value("history:undo() and inside.n") == "0")
  }
}

@Suite struct `Questions over reloads` {
  private static let script = """
    draft = model "draft" { name = "" }
    show(view.column {
      view.field { id = "first", bindTo = { text = { path = "<> draft.name", continuous = false } } },
      view.button { id = "ask", title = "Ask", on = { touchUpInside = function()
        local closing <close> = setmetatable({}, { __close = function() print("closed") end })
        print("answer", ask.text { text = "Name?", value = "Bo" })
      end } },
    })
    """

  /// An app with a draft in its field and a question above it.
  private func asking() throws -> ReloadedApp {
    let app = try ReloadedApp(["app.lua": Self.script])
    try app.run("views.first:focus()")
    try app.press("A d a Tab Enter b")
    #expect(try app.picture().contains("Name?"))
    return app
  }

  @Test func `a question goes with its task, and the focus returns`() throws {
    let app = try asking()
    // Leaving the field by Tab has committed what was typed; another draft is typed by a script's
    // leave.
    #expect(try app.value("draft.name") == "Ada")
    #expect(app.save(["app.lua": Self.script + "\n"]).error == nil)
    #expect(try !app.picture().contains("Name?"))
    #expect(app.runtime.scene?.presented.isEmpty == true)
    #expect(try app.value("views.ask.focused") == "true")
    #expect(app.printed == ["closed"])
    #expect(app.runtime.errors.isEmpty)
    #expect(app.runtime.scene?.brokenInvariants() == [])
    // The app goes on, and asks again.
    try app.press("Enter Enter")
    #expect(app.printed == ["closed", "answer\tBo\tOK", "closed"])
  }

  @Test func `what was typed in other fields stays a draft`() throws {
    let script = Self.script + "\nafter(1, function() print(ask { text = 'Timed?' }) end)"
    let app = try ReloadedApp(["app.lua": script], clock: VirtualClock())
    try app.run("views.first:focus()")
    try app.press("A d a")
    app.runtime.loop.advance(by: 1.5)
    app.runtime.settle()
    #expect(try app.picture().contains("Timed?"))
    let isDraft = try app.value("draft.name") == ""
    #expect(app.save(["app.lua": script + "\n"]).error == nil)
    #expect(try !app.picture().contains("Timed?"))
    #expect(
      try app.value("views.first.text") == "Ada" && app.value("views.first.focused") == "true")
    #expect(try app.value("draft.name") == (isDraft ? "" : "Ada"))
    #expect(app.printed.isEmpty && app.runtime.errors.isEmpty)
    try app.press("x Tab")
    #expect(try app.value("draft.name") == "Adax")
  }

  @Test func `a version that is no good leaves the question open`() throws {
    let app = try asking()
    for bad in [
      "\nerror 'no'", "\nlocal x = (", "\nspawn(function() ask { text = 'New?' } end) error 'no'",
    ] {
      #expect(app.save(["app.lua": Self.script + bad]).error != nil)
      #expect(try app.picture().contains("Name?") && !app.picture().contains("New?"))
      #expect(app.runtime.scene?.presented.count == 1)
    }
    try app.press("y Enter")
    #expect(app.printed == ["answer\tBoby\tOK", "closed"])
    #expect(try app.value("views.ask.focused") == "true")
    #expect(app.runtime.scene?.brokenInvariants() == [])
  }

  @Test func `a question that a version asks while it begins shows once it is good`() throws {
    let app = try ReloadedApp(["app.lua": Self.script])
    let asking = Self.script + "\nspawn(function() print(ask { text = 'New?' }) end)"
    #expect(app.save(["app.lua": asking]).error == nil)
    #expect(try app.picture().contains("New?"))
    try app.press("Enter")
    #expect(app.printed == ["OK"])
  }
}
