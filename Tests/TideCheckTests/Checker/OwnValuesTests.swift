import TideBindings
import TideScript
import TideTest
import Testing

@testable import TideCheck

/// What an app writes to the properties that it declares itself.
@Suite struct `Values of an app's own properties` {
  private static let classes = """
    local Fruit = class "Fruit" {
      n = 1, s = "a", twice = computed(function(self) return self.n * 2 end),
      grade = property { default = "good", enum = { "good", "poor" } },
      fixed = property { default = 1, readonly = true }, name = property { type = "string" },
      whole = property { default = 1, type = "integer" },
      double = computed(function(self) return self.n end, function(self, v) self.n = v end),
    }
    local f = Fruit {}
    local m = model "m" { n = 1, grade = property { default = "good", enum = { "good", "poor" } } }
    local prefs = controller.settings { initialValues = { zoom = 1 } }
    print(f.n, m.n)

    """

  private func messages(_ text: String) throws -> [String] {
    try ScriptCheck(specs: .tidelock).check(text, path: "app.lua").map(\.error.message)
  }

  @Test(arguments: [
    ("f.grade = 'por'", "f.grade is one of good, poor, not \"por\"; did you mean \"poor\"?"),
    ("f.grade = nil", "f.grade holds one of good, poor, not nil"),
    ("f = Fruit { grade = 'por' }", "Fruit.grade is one of good, poor, not \"por\""),
    ("models.m.grade = 'por'", "m.grade is one of good, poor, not \"por\""),
    ("f.n = 'many'", "f.n holds number, not \"many\""),
    ("f.n = true", "f.n holds number, not true"),
    ("f.n = nil", "f.n holds number, not nil"), ("f.s = 1", "f.s holds string, not 1"),
    ("f.whole = 1.5", "f.whole holds integer, not 1.5"),
    ("m.n = 'x'", "m.n holds number, not \"x\""),
    ("Fruit { n = 'many' }", "Fruit.n holds number, not \"many\""),
    ("f.name = 1", "f.name holds string or nil, not 1"),
    ("f.twice = 3", "f.twice is read only"), ("f.fixed = 3", "f.fixed is read only"),
    ("Fruit { fixed = 2 }", "Fruit.fixed is read only"),
    ("print(f.grade == 'por')", "grade is one of good, poor, and never \"por\""),
    ("view.label {}.class = 'x'", "label.class is read only"),
    ("view.label { bounds = 1 }", "label.bounds is read only"),
    (
      "object { g = property { default = 'x', enum = { 'a' } } }",
      "the default \"x\" is not in the enum; there is only a"
    ),
  ])
  func `a value that running refuses is told`(line: String, message: String) throws {
    let text = line.hasPrefix("view.label {}.") ? "local l = view.label {}\nl.class = 'x'" : line
    let found = try messages(Self.classes + text)
    #expect(found.contains { $0.hasPrefix(message) }, "\(line): \(found)")
  }

  @Test(arguments: [
    "f.grade = 'poor'", "f.n = 2", "f.whole = 2", "f.name = nil", "f.name = 'x'", "f.double = 3",
    "m.grade = f.grade", "prefs.values.zoom = 'big'", "print(f.grade == 'poor')",
    "f.s = tostring(1)",
    "pcall(function() f.n = 'x' end)",
  ])
  func `a value that fits is not`(line: String) throws {
    let found = try messages(Self.classes + line)
    #expect(found.isEmpty, "\(line): \(found)")
  }

  @Test(arguments: [
    ("f.grade = '¦'", "poor"), ("Fruit { grade = '¦' }", "poor"), ("print(f.grade == '¦')", "poor"),
    ("bind('fruit.n -> m.n', { deliver = '¦' })", "frame"),
  ])
  func `the cases of a property are completed`(text: String, wanted: String) throws {
    #expect(try EditedScript(text, beside: Self.classes).completions.contains(wanted))
  }

  // MARK: Slips of the pen

  @Test(arguments: [
    "local o = model 'o' { child = object { name = 'a' } }\no.child.nmae = 'x'",
    "local o = model 'o' { rows = list { { name = 'a' } } }\no.rows[1].nmae = 'x'",
    "local c = controller.list { content = list { { name = 'a' } } }\nc.selection.nmae = 'x'",
    "local o = model 'o' { rows = list { { name = 'a' } } }\nshow(view.list { items = o.rows, "
      + "cell = function(r) return view.button { on = { click = function() r.nmae = 'b' end } } end })",
  ])
  func `a mistyped write does not vouch for its own name`(text: String) throws {
    #expect(try messages(text).contains { $0.contains("\"nmae\"") }, "\(text)")
  }

  @Test func `a write to a plain table may add what an object has`() throws {
    let found = try messages(
      """
      local o = model "o" { child = { name = "a" } }
      local function make(into) into.title = 1; return into end
      o.child = make {}
      print(o.child.title)
      """)
    #expect(found.isEmpty, "\(found)")
  }

  // MARK: Lists that begin empty

  @Test(arguments: [
    "local todo = model 'todo' { tasks = list {} }\ntodo.tasks:append { title = 'a', done = 1 }\n"
      + "print(todo.tasks[1].titel)",
    "local todo = model 'todo' { tasks = list {} }\n"
      + "todo.tasks[#todo.tasks + 1] = object { title = 'a' }\nprint(todo.tasks[1].titel)",
    "local todo = model 'todo' { tasks = list {} }\ntodo.tasks:set { { title = 'a' } }\n"
      + "print(todo.tasks[1].titel)",
    "local tasks = list {}\ntasks:append { title = 'a' }\nprint(tasks[1].titel)",
    "local todo = model 'todo' { tasks = list {} }\ntodo.tasks:append { title = 'a' }\n"
      + "show(view.label { bindTo = { text = 'todo.tasks.@sum.titel' } })",
    "local todo = model 'todo' { tasks = list {} }\ntodo.tasks = { { title = 'a' } }\n"
      + "print(todo.tasks[1].titel)",
    "local c = controller.list { content = list {} }\nc:add(object { title = 'a' })\n"
      + "print(c.selection.titel)",
    "local todo = model 'todo' { tasks = {} }\ntable.insert(todo.tasks, object { title = 'a' })\n"
      + "print(todo.tasks[1].titel)",
    "Task = class 'Task' { title = '' }\nlocal t = Task { titel = 'x' }\nprint(t.title)",
  ])
  func `what is put into a list that begins empty is known`(text: String) throws {
    #expect(try messages(text).contains { $0.contains("\"titel\"") }, "\(text)")
  }

  @Test func `rows that nobody can tell leave a list unknown`() throws {
    let found = try messages(
      """
      local todo = model "todo" { tasks = list {} }
      todo.tasks:append { title = "a" }
      todo.tasks:append(json.decode("{}"))
      print(todo.tasks[1].anything)
      """)
    #expect(found.isEmpty, "\(found)")
  }

  @Test func `fields of rows that a script adds are renamed with those of the others`() throws {
    let script = try EditedScript(
      """
      local c = controller.list { content = list { { na¦me = "a" } } }
      c:add { name = "b" }
      print(c.selection.name)
      """)
    let lines = script.lines(script.analysis.references(at: script.caret).map(\.location))
    #expect(lines == [1, 2, 3])
  }

  // MARK: Transformers

  @Test func `a function in a variable has no reverse`() throws {
    let found = try messages(
      """
      local function shout(s) return s .. "!" end
      transformer("shout", shout)
      local m = model "m" { a = "", b = "" }
      bind("m.a <> m.b | shout")
      bind("m.a <> m.b", { transform = shout })
      print(m.a)
      """)
    #expect(found.count == 2, "\(found)")
  }
}
