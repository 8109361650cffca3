import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideLua
import TideRun
import TideViews

@testable import TideScript

/// What people change is taken back and done again, from their keys to the models.
@Suite struct `Undo` {
  let clock = VirtualClock()

  func loop(_ script: String) throws -> AppLoop {
    var configuration = Runtime.Configuration(turn: .seconds(60))
    configuration.clock = clock
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(Self.app + script, as: Value.self)
    let loop = AppLoop(runtime, TextRenderer())
    try loop.catchUp()
    return loop
  }

  static let app = """
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

  func text(_ code: String, _ loop: AppLoop) throws -> String {
    try loop.runtime.evaluate("return tostring(\(code))", as: String.self)
  }

  func press(_ id: String, _ keys: String, _ loop: AppLoop) throws {
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

  @Test func `typing is one step if the field gets the focus only with the first letter`() throws {
    let loop = try loop("")
    let scene = try #require(loop.runtime.scene)
    let field = try #require(scene.root?.subviews.first)
    for text in ["A", "ABC"] {
      scene.perform(.edit(text: text, selection: text.count..<text.count), on: field)
      try loop.catchUp()
    }
    #expect(try text("history:undo() and todo.name", loop) == "")
    #expect(try text("history.canUndo", loop) == "false")
  }

  @Test func `what Enter or another focus writes is a step`() throws {
    let loop = try loop(
      """
      show(view.column {
        view.field { id = "name", bindTo = { text = { path = "<> todo.name", continuous = false } } },
        view.field { id = "other" },
      })
      """)
    for leave in ["Enter", "Tab", "views.other:focus()"] {
      try press("name", "a b", loop)
      #expect(try text("todo.name", loop) == "")
      if leave.contains("(") {
        try loop.runtime.evaluate(leave, as: Value.self)
      } else {
        try loop.send(.key(Key.sequence(leave)[0]))
      }
      #expect(try text("todo.name .. ' ' .. history.undoTitle", loop) == "ab name")
      #expect(try text("history:undo()", loop) == "true")
      #expect(try text("state() .. views.name.text", loop) == " 0", "\(leave)")
      try loop.runtime.evaluate("history:clear()", as: Value.self)
    }
  }

  @Test func `of a typed text its own letters are taken back, of another value nothing`() throws {
    let loop = try loop(
      """
      show(view.column {
        view.field { id = "name", bindTo = { text = "<> todo.name" } },
        view.button { id = "set", title = "Set", on = { touchUpInside = function()
          todo.name = "one"
        end } },
      })
      """)
    try press("name", "a b", loop)
    try loop.runtime.evaluate("todo.name = 'x' .. todo.name", as: Value.self)
    #expect(try text("history:undo() and todo.name", loop) == "x")
    #expect(try text("history:redo() and todo.name", loop) == "xab")
    try loop.runtime.evaluate("todo.name = 'quite another'", as: Value.self)
    #expect(try text("history:undo()", loop) == "false")
    try press("set", "Enter", loop)
    try loop.runtime.evaluate("todo.name = 'one and more'", as: Value.self)
    #expect(try text("tostring(history:undo()) .. todo.name", loop) == "falseone and more")
  }

  @Test func `a group that waits leaves what others have written to the same in between`() throws {
    let loop = try loop(
      """
      spawn(function()
        undo.group("Import", function()
          todo.n = 1
          sleep(1)
          todo.n = 3
        end)
      end)
      """)
    try loop.runtime.evaluate("todo.n = 2", as: Value.self)
    loop.runtime.loop.advance(by: 1)
    #expect(try text("todo.n", loop) == "3")
    #expect(try text("history:undo() and todo.n", loop) == "2")
    #expect(try text("history.canUndo", loop) == "false")
    #expect(try text("history:redo() and todo.n", loop) == "3")
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

  @Test func `a group that waits is one step over all its turns, beside those of others`() throws {
    let loop = try loop(
      """
      observe(todo, "n", function(n) todo.total = n end)
      spawn(function()
        todo.name = undo.group("Import", function()
          add "a"
          sleep(1)
          add "b"
          todo.n = 7
          sleep(1)
          add "c"
          return "done"
        end)
      end)
      """)
    #expect(try text("history.undoTitle", loop) == "Import")
    try press("add", "Enter", loop)
    #expect(try text("history.undoTitle", loop) == "Add")
    loop.runtime.loop.advance(by: 1)
    loop.runtime.loop.advance(by: 1)
    loop.runtime.loop.advance(by: 1)
    #expect(try text("state()", loop) == "done 7 a t1 b c")
    #expect(try text("history.undoTitle", loop) == "Add")
    try loop.runtime.evaluate("history:undo()", as: Value.self)
    #expect(try text("state()", loop) == "done 7 a b c")
    try loop.runtime.evaluate("history:undo()", as: Value.self)
    #expect(try text("state() .. ' ' .. todo.total", loop) == "done 1 1")
    #expect(try text("history.canUndo", loop) == "false")
    try loop.runtime.evaluate("history:redo()", as: Value.self)
    #expect(try text("state() .. ' ' .. todo.total", loop) == "done 7 a b c 7")
  }

  @Test func `a group that fails after it waited raises at its call, and is a step`() throws {
    let loop = try loop(
      """
      spawn(function()
        local isGood, message = pcall(undo.group, "Import", function()
          add "a"
          sleep(1)
          add "b"
          error("no more", 0)
        end)
        todo.name = tostring(isGood) .. " " .. message:match "no more$"
      end)
      """)
    loop.runtime.loop.advance(by: 1)
    loop.runtime.loop.advance(by: 1)
    #expect(try text("state()", loop) == "false no more 0 a b")
    try loop.runtime.evaluate("history:undo()", as: Value.self)
    #expect(try text("state()", loop) == "false no more 0")
    #expect(loop.runtime.errors.isEmpty)
  }

  @Test func `a group goes with the task that waits for it`() throws {
    let loop = try loop(
      """
      task = spawn(function()
        undo.group("Import", function()
          add "a"
          sleep(1)
          add "b"
        end)
      end)
      task:cancel()
      """)
    loop.runtime.loop.advance(by: 2)
    #expect(try text("state()", loop) == " 0 a")
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

  /// The law, over random actions on properties, lists, dicts, nested models and what is made in a
  /// context: n undos give the first state, each the one before, and redo gives back what undo
  /// took.
  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func `n undos give the first state, and undo then redo changes nothing`(_ seed: UInt64) throws {
    let loop = try loop(Self.actions)
    var random = SeededGenerator(seed: seed)
    func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    let count = try loop.runtime.evaluate("return #actions", as: Int.self)
    var states = [try text("state()", loop)]
    for _ in 0..<40 {
      let calls = (0...next(3)).map { _ in "actions[\(next(count) + 1)](\(next(1000)))" }
      try loop.runtime.evaluate(
        "undo.group('step', function() \(calls.joined(separator: " ")) end)", as: Value.self)
      let state = try text("state()", loop)
      // An action that changes nothing is no step.
      if state != states.last { states.append(state) }
    }
    #expect(states.count > 20)
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

  /// What `state` tells is all that is followed, and nothing else.
  private static let actions = """
    model "house" { name = "", rooms = list {}, colors = dict {}, grid = list { list { 1, 2 } },
      owner = object { name = "Ada", pets = list { "cat" }, by = dict { cat = list { "milk" } } } }
    todo.name = "first"
    context("page", function()
      made = object { x = 0, inner = object { y = 0 } }
      notes = dict { a = "one" }
      context("part", function() part = list { "p" } end)
    end)
    history = undo.manager { todo, "house", "page" }
    function text(value)
      if type(value) ~= "userdata" then return tostring(value) end
      local kind = tostring(value):match "^%w+"
      local parts = {}
      if kind == "list" then
        for _, each in ipairs(value) do parts[#parts + 1] = text(each) end
      elseif kind == "dict" then
        for key, each in pairs(value) do parts[#parts + 1] = key .. "=" .. text(each) end
      else
        for name, each in properties(value) do parts[#parts + 1] = name .. ":" .. text(each) end
      end
      return kind .. "(" .. table.concat(parts, ",") .. ")"
    end
    function state()
      local parts = { text(todo), text(models.house), text(made), text(notes), text(part) }
      for _, each in ipairs(later) do parts[#parts + 1] = text(each) end
      return table.concat(parts, " ")
    end
    later = {}
    local house = models.house
    local function pick(list, r) return r % #list + 1 end
    local keys = { "a", "b", "c" }
    actions = {
      function(r) todo.n = r end,
      function(r) todo.name = "n" .. r end,
      function(r) add("x" .. r) end,
      function(r) todo.tasks:insert(r % (#todo.tasks + 1) + 1, object { title = "i" .. r, done = false }) end,
      function(r) if #todo.tasks > 0 then todo.tasks:remove(pick(todo.tasks, r)) end end,
      function(r) if #todo.tasks > 0 then todo.tasks[pick(todo.tasks, r)].done = r % 2 == 0 end end,
      function(r) if #todo.tasks > 0 then
        todo.tasks:move(pick(todo.tasks, r), pick(todo.tasks, r * 7)) end end,
      function(r) todo.tasks = list { object { title = "new" .. r, done = false } } end,
      function(r) todo.tasks:clear() end,
      function(r) house.colors[keys[r % 3 + 1]] = "c" .. r end,
      function(r) house.colors[keys[r % 3 + 1]] = nil end,
      function(r) house.colors[keys[r % 3 + 1]] = dict { deep = list { r } } end,
      function(r)
        local held = house.colors[keys[r % 3 + 1]]
        if type(held) == "userdata" then held.deep:append(r) held["k" .. r % 2] = r end
      end,
      function(r) house.colors = dict { a = r } end,
      function(r) house.grid:append(list { r }) end,
      function(r) if #house.grid > 0 then house.grid[pick(house.grid, r)]:append(r) end end,
      function(r) if #house.grid > 1 then house.grid:move(pick(house.grid, r), 1) end end,
      function(r) if #house.grid > 1 then house.grid:remove(pick(house.grid, r)) end end,
      function(r) house.owner.name = "o" .. r end,
      function(r) house.owner.pets:append("p" .. r) end,
      function(r) house.owner.by["p" .. r % 3] = list { "x" .. r } end,
      function(r) for _, each in pairs(house.owner.by) do each:append(r) end end,
      function(r) house.owner = object { name = "new" .. r, pets = list {}, by = dict {} } end,
      function(r) house.rooms:append(object { tags = dict { r = r }, name = "room" }) end,
      function(r) if #house.rooms > 0 then house.rooms[pick(house.rooms, r)].tags["t" .. r % 4] = r end end,
      function(r) if #house.rooms > 1 then house.rooms:move(1, pick(house.rooms, r)) end end,
      function(r) made.x = r end,
      function(r) made.inner.y = r end,
      function(r) made.inner = object { y = r } end,
      function(r) notes[keys[r % 3 + 1]] = r end,
      function(r) part:insert(1, "q" .. r) end,
      function(r) if #part > 1 then part:move(1, #part) end end,
    }
    -- What is made in the context later is followed as well; a few, before the law begins.
    context("page", { policy = "keep" }, function()
      for i = 1, 2 do later[i] = object { n = i, more = list { i } } end
    end)
    for i, each in ipairs(later) do
      table.insert(actions, function(r) each.n = r end)
      table.insert(actions, function(r) each.more:append(r) end)
    end
    """
}
