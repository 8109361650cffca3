import Testing
import TideBindings
import TideGraph
import TideLua
import TideRun
import TideViews

@testable import TideScript

/// What people change is taken back and done again, from their keys to the models.
@Suite struct `Undo` {
  private let clock = VirtualClock()

  private func loop(_ script: String) throws -> AppLoop {
    var configuration = Runtime.Configuration(turn: .seconds(60))
    configuration.clock = clock
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(Self.app + script, as: Value.self)
    let loop = AppLoop(runtime, TextRenderer())
    try loop.catchUp()
    return loop
  }

  private static let app = """
    todo = model "todo" { name = "", n = 0, tasks = list {}, total = 0 }
    function add(title) todo.tasks:append(object { title = title, done = false }) end
    history = undo.manager { todo, name = "history" }
    function state()
      local parts = { todo.name, todo.n }
      for _, task in ipairs(todo.tasks) do
        parts[#parts + 1] = task.title .. (task.done and "!" or "")
      end
      return table.concat(parts, " ")
    end
    show(view.column {
      view.field { id = "name", bindTo = { text = "<> todo.name" } },
      view.field { id = "other" },
      view.button { id = "add", title = "Add", on = { touchUpInside = function()
        todo.n = todo.n + 1
        add("t" .. todo.n)
      end } },
      view.button { id = "undo", title = "Undo",
        on = { touchUpInside = function() history:undo() end } },
      view.slider { id = "slider", width = 20, maximum = 100, step = 1, bindTo = { value = "<> todo.n" } },
    })

    """

  private func text(_ code: String, _ loop: AppLoop) throws -> String {
    try loop.runtime.evaluate("return tostring(\(code))", as: String.self)
  }

  private func press(_ id: String, _ keys: String, _ loop: AppLoop) throws {
    try loop.runtime.evaluate("views.\(id):focus()", as: Value.self)
    for key in try Key.sequence(keys) { try loop.send(.key(key)) }
  }

  @Test func `typing in one field is one step, until its editing ends`() throws {
    let loop = try loop("")
    try press("name", "A d a", loop)
    #expect(try text("history.canUndo", loop) == "true")
    #expect(try text("history.undoTitle", loop) == "name")
    try press("other", "x", loop)
    try press("name", "End ! Backspace ?", loop)
    #expect(try text("state()", loop) == "Ada? 0")
    #expect(try text("history:undo()", loop) == "true")
    #expect(try text("state()", loop) == "Ada 0" && text("views.name.text", loop) == "Ada")
    #expect(try text("history:undo()", loop) == "true")
    #expect(try text("state()", loop) == " 0" && text("history:undo()", loop) == "false")
    #expect(try text("history:redo() and history:redo()", loop) == "true")
    #expect(try text("state()", loop) == "Ada? 0" && text("history.canRedo", loop) == "false")
  }

  @Test func `a button's changes are one step under its title`() throws {
    let loop = try loop("")
    try press("add", "Enter Enter", loop)
    #expect(try text("state()", loop) == " 2 t1 t2")
    #expect(try text("history.undoTitle", loop) == "Add")
    try loop.runtime.evaluate("first = todo.tasks[1]", as: Value.self)
    try press("undo", "Enter", loop)
    #expect(try text("state()", loop) == " 1 t1" && text("history.redoTitle", loop) == "Add")
    try press("undo", "Enter", loop)
    #expect(try text("state()", loop) == " 0" && text("history.canUndo", loop) == "false")
    try loop.runtime.evaluate("history:redo()", as: Value.self)
    #expect(try text("todo.tasks[1] == first", loop) == "true", "the row is the very one")
  }

  @Test func `a drag is one step`() throws {
    let loop = try loop("")
    for (kind, x) in [
      (MouseEvent.Kind.press(.left), 3), (.drag(.left), 8), (.drag(.left), 12),
      (.release(.left), 12),
    ] {
      try loop.send(.mouse(MouseEvent(kind, at: Point(x: x, y: 4))))
    }
    #expect(try text("todo.n > 20", loop) == "true")
    try loop.runtime.evaluate("history:undo()", as: Value.self)
    #expect(try text("todo.n", loop) == "0" && text("history.canUndo", loop) == "false")
  }

  @Test func `what nobody did by hand is never undone`() throws {
    let loop = try loop(
      """
      todo.n = 5
      after(1, function() todo.n = 6 add "timer" end)
      """)
    loop.runtime.loop.advance(by: 2)
    try loop.catchUp()
    #expect(try text("history.canUndo", loop) == "false")
    try press("add", "Enter", loop)
    #expect(try text("state()", loop) == " 7 timer t7")
    // Later than the step, and in its place: the value stays, and the row is found where it is.
    try loop.runtime.evaluate(
      "todo.n = 50 todo.tasks:insert(1, object { title = 'late', done = true })",
      as: Value.self)
    try loop.runtime.evaluate("history:undo()", as: Value.self)
    #expect(try text("state()", loop) == " 50 late! timer")
    try loop.runtime.evaluate("history:redo()", as: Value.self)
    #expect(try text("state()", loop) == " 50 late! timer t7")
  }

  @Test func `a group is one step, and what rows hold is followed`() throws {
    let loop = try loop(
      """
      add "a" add "b"
      function swap()
        undo.group("Swap", function()
          todo.tasks[1].done = true
          todo.tasks:move(1, 2)
          todo.tasks[1].title = "B"
        end)
      end
      swap()
      """)
    #expect(try text("state()", loop) == " 0 B a!")
    #expect(try text("history.undoTitle", loop) == "Swap")
    try loop.runtime.evaluate("history:undo()", as: Value.self)
    #expect(try text("state()", loop) == " 0 a b")
    try loop.runtime.evaluate("history:redo() todo.tasks:clear() history:undo()", as: Value.self)
    #expect(try text("#todo.tasks", loop) == "0")
  }

  @Test func `what follows from a change is taken back with it`() throws {
    let loop = try loop(
      "observe(todo, 'n', function(n) todo.total = todo.total + n end)")
    try press("add", "Enter Enter", loop)
    #expect(try text("todo.total", loop) == "3")
    try press("undo", "Enter", loop)
    #expect(try text("todo.total", loop) == "1")
    try press("undo", "Enter", loop)
    #expect(try text("todo.total", loop) == "0")
  }

  @Test func `no more steps are kept than the limit says`() throws {
    let loop = try loop("history = undo.manager { 'todo', limit = 2 }")
    try press("add", "Enter Enter Enter", loop)
    try loop.runtime.evaluate(
      "n = 0 while history:undo() do n = n + 1 end assert(n == 2)", as: Value.self)
    #expect(try text("state()", loop) == " 1 t1")
  }

  /// The law, over random actions: n undos give the first state, each the one before, and redo gives
  /// back what undo took.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `n undos give the first state, and undo then redo changes nothing`(_ seed: UInt64) throws {
    let loop = try loop(
      """
      actions = {
        function(r) todo.n = r end,
        function(r) todo.name = "n" .. r end,
        function(r) add("x" .. r) end,
        function(r) todo.tasks:insert(r % (#todo.tasks + 1) + 1, object { title = "i" .. r, done = false }) end,
        function(r) if #todo.tasks > 0 then todo.tasks:remove(r % #todo.tasks + 1) end end,
        function(r) if #todo.tasks > 0 then todo.tasks[r % #todo.tasks + 1].done = r % 2 == 0 end end,
        function(r) if #todo.tasks > 0 then
          todo.tasks:move(r % #todo.tasks + 1, (r * 7) % #todo.tasks + 1) end end,
        function(r) todo.tasks = list { object { title = "new" .. r, done = false } } end,
        function(r) todo.tasks:clear() end,
      }
      """)
    var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: Int) -> Int {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return Int(random % UInt64(bound))
    }
    var states = [try text("state()", loop)]
    for _ in 0..<40 {
      let calls = (0...next(3)).map { _ in "actions[\(next(9) + 1)](\(next(1000)))" }
      try loop.runtime.evaluate(
        "undo.group('step', function() \(calls.joined(separator: " ")) end)", as: Value.self)
      let state = try text("state()", loop)
      // An action that changes nothing is no step.
      if state != states.last { states.append(state) }
    }
    var trail = states
    while let state = trail.popLast() {
      #expect(try text("state()", loop) == state, "seed \(seed)")
      if trail.isEmpty { break }
      // A step may have changed what `state` does not tell, as by an equal move.
      repeat {
        #expect(try text("history:undo()", loop) == "true", "seed \(seed)")
      } while try text("state()", loop) == state
      let undone = try text("state()", loop)
      try loop.runtime.evaluate("history:redo()", as: Value.self)
      #expect(try text("state()", loop) == state, "seed \(seed)")
      try loop.runtime.evaluate("history:undo()", as: Value.self)
      #expect(try text("state()", loop) == undone, "seed \(seed)")
    }
    while try text("history:redo()", loop) == "true" {}
    #expect(try text("state()", loop) == states.last, "seed \(seed)")
  }

  @Test(arguments: [
    ("undo.manager {}", "needs the models to follow"),
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
