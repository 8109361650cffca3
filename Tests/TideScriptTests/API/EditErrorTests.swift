import Testing
import TideBindings
import TideGraph
import TideLua
import TideViews

@testable import TideScript

/// What a person has entered that a model cannot take is the person's, and what a program gets
/// wrong is the program's.
@Suite struct `Errors of edits` {
  private func runtime(_ script: String) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.print = { _ in }
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(script, as: Value.self)
    return runtime
  }

  private static let form = """
    m = model "m" {
      age = property { default = 36, type = "integer" },
      size = property { default = "m", enum = { "s", "m", "l" } },
      name = property { default = "x", validate = function(self, v)
        if v == "" then return nil, "Enter a name" end
        if v == "odd" then return nil end
        if v == "bad" then error("the validator's own mistake") end
        return v
      end },
    }
    age, size, name = view.field {}, view.field {}, view.field {}
    bind("age <> text", m, age) bind("size <> text", m, size) bound = bind("name <> text", m, name)
    show(view.column { age, size, name })
    function check(listed, editing)
      assert(#errors() == listed, "listed: " .. #errors())
      assert(#errors { editing = true } == editing, "editing: " .. #errors { editing = true })
    end
    """

  @Test func `it shows at the field, and nowhere else, until it is fixed`() throws {
    let runtime = try runtime(Self.form)
    var told = 0
    runtime.onError = { _ in told += 1 }
    try runtime.evaluate(
      """
      age.text = "old" check(0, 1)
      size.text = "xl" check(0, 2)
      name.text = "" check(0, 3)
      assert(age.error and size.error and name.error == "Enter a name")
      assert(bound.error.message == "Enter a name" and bound.error.code == "refused")
      local found
      for _, e in ipairs(errors { editing = true }) do found = e.code == "conversion" and e or found end
      assert(found and found.path)
      assert(m.age == 36 and m.size == "m" and m.name == "x")
      age.text = "37" size.text = "l" check(0, 1)
      name.text = "y" check(0, 0)
      assert(not age.error and not size.error and not name.error and not bound.error)
      """, as: Value.self)
    #expect(told == 0 && runtime.listedErrors == 0 && runtime.errors.isEmpty)
    try runtime.evaluate("age.text = 'x'", as: Value.self)
    #expect(runtime.errorsOfEdits.map(\.code) == [.conversion])
    #expect(runtime.errorsOfEdits.allSatisfy { $0.isOfEdit })
    try runtime.evaluate("m.age = 5", as: Value.self)
    #expect(runtime.errorsOfEdits.isEmpty, "the model's new value has taken the entry's place")
    #expect(try runtime.evaluate("age.text", as: Value.self) == "5")
  }

  @Test(arguments: [
    "bind('age <> text', m, field)", "bind('age <> text', m, field, { when = 'on' })",
    "bind('age <> text', m, field, { delay = 0 })",
    "bind('age <> text', m, field, { validate = function(v) return v end })",
    "bind('m.age <> f.field.text', { roots = { f = object { field = field } } })",
    "bind('text -> age | trim', field, m)",
    "c = controller.object { content = m } bind('selection.age <> text', c, field)",
  ])
  func `it is told from a mistake in whatever way the field is bound`(_ binding: String) throws {
    let runtime = try runtime(
      """
      m = model "m" { age = property { default = 36, type = "integer" }, on = true }
      field = view.field { text = "1" }
      \(binding)
      field.text = "x"
      assert(#errors() == 0, "listed") assert(#errors { editing = true } == 1, "editing")
      field.text = "5"
      assert(m.age == 5 and #errors { editing = true } == 0)
      """)
    #expect(runtime.listedErrors == 0)
  }

  @Test func `it goes with its binding`() throws {
    let runtime = try runtime(Self.form)
    try runtime.evaluate("name.text = '' check(0, 1) bound:unbind() check(0, 0)", as: Value.self)
  }

  @Test func `a program's mistakes stay the program's`() throws {
    let runtime = try runtime(Self.form)
    try runtime.evaluate(
      "name.text = 'bad' check(1, 0) name.text = '' check(0, 1) name.text = 'z'", as: Value.self)
    #expect(runtime.listedErrors == 1)
    // From the model to the view, and between models.
    try runtime.evaluate(
      """
      other = model "other" { text = "5", flag = true }
      bind("other.text -> m.age") other.text = "none" check(1, 0)
      other.text = "6" check(0, 0)
      label = view.label { text = "7" } bind("text -> age", label, m) label.text = "label" check(1, 0)
      label.text = "8" check(0, 0)
      assert(not pcall(function() m.age = "y" end)) check(0, 0)
      """, as: Value.self)
  }

  @Test func `a binding that can take nothing a person enters is the program's mistake`() throws {
    let runtime = try runtime(
      """
      m = model "m" { rows = list {} }
      field = view.field {}
      """)
    try runtime.evaluate("bind('text -> rows', field, m) field.text = 'x'", as: Value.self)
    #expect(runtime.errors.count >= 1 && runtime.errorsOfEdits.isEmpty)
  }

  @Test func `the app words it`() throws {
    let runtime = try runtime(
      """
      language = model "language" { name = "en" }
      m = model "m" {
        age = property { default = 1, type = "integer", nullable = false,
          required = "Enter an age",
          invalid = function(text)
            return language.name == "de" and "Keine Zahl: " .. text or "Not a number: " .. text
          end },
        only = property { default = 1, type = "integer", message = "Enter a whole number" },
        name = property { default = "x", message = "That name is taken", validate = function(_, v)
          if v == "taken" then return nil end
          if v == "long" then return nil, "Too long" end
          return v
        end },
        size = property { default = "m", enum = { "s", "m" }, invalid = "s or m" },
      }
      age, only, name, size = view.field {}, view.field {}, view.field {}, view.field {}
      bind("age <> text", m, age) bind("only <> text", m, only) bind("name <> text", m, name)
      bind("size <> text", m, size)
      function enter(field, text) field.text = text return field.error end
      assert(enter(age, "x") == "Not a number: x")
      assert(enter(age, "  ") == "Enter an age")
      assert(enter(age, "") == "Enter an age")
      language.name = "de"
      assert(enter(age, "y") == "Keine Zahl: y")
      assert(enter(age, "5") == nil and m.age == 5)
      assert(enter(only, "1.5") == "Enter a whole number" and enter(only, "") == "Enter a whole number")
      assert(enter(name, "taken") == "That name is taken" and enter(name, "long") == "Too long")
      assert(enter(size, "xl") == "s or m")
      local found = {}
      for _, error in ipairs(errors { editing = true }) do found[error.message] = true end
      assert(found["Enter a whole number"] and found["Too long"] and found["s or m"])
      """)
    #expect(runtime.errors.isEmpty)
  }

  @Test func `a transformer's way back refuses by nil and a message`() throws {
    let runtime = try runtime(
      """
      transformer "cm" {
        transform = function(n, unit) return n .. " " .. (unit or "cm") end,
        reverse = function(text)
          local n = tonumber((text:gsub("%a+$", "")))
          if not n then return nil, "Enter a length, such as 12 cm" end
          return n
        end,
      }
      m = model "m" { wide = 5, high = property { default = 6, message = "Enter a number" } }
      wide, high = view.field {}, view.field {}
      bind("wide <> text | cm", m, wide) bind("high <> text | cm('mm')", m, high)
      wide.text = "x" high.text = "y"
      assert(wide.error == "Enter a length, such as 12 cm" and wide.text == "x" and m.wide == 5)
      assert(high.error == "Enter a length, such as 12 cm", high.error)
      assert(#errors() == 0 and #errors { editing = true } == 2)
      wide.text = "7 cm" high.text = "8"
      assert(not wide.error and not high.error and m.wide == 7 and m.high == 8)
      """)
    #expect(runtime.listedErrors == 0 && runtime.errorsOfEdits.isEmpty)
  }

  @Test func `what a transformer's way back raises is the program's mistake`() throws {
    let runtime = try runtime(
      """
      m = model "m" { n = 5 }
      field = view.field {}
      bind("n <> text", m, field, { transform = {
        transform = tostring, reverse = function(text) error("no such number", 0) end } })
      field.text = "x"
      assert(field.error == "no such number" and m.n == 5)
      """)
    #expect(runtime.errors.map(\.message) == ["no such number"])
    #expect(runtime.errorsOfEdits.isEmpty)
  }

  @Test(arguments: [
    "property { message = 5 }", "property { invalid = {} }", "property { requierd = 'x' }",
    "errors { edit = true }", "errors { editing = 1 }", "errors(5)",
  ])
  func `what these do not take is an error`(_ script: String) throws {
    #expect(throws: TideError.self) { _ = try runtime("local x = \(script)") }
  }

  @Test func `what a handler of a shown view gets wrong is listed like all else`() throws {
    let runtime = try runtime(
      "b = view.button { on = { touchUpInside = function() error('no way') end } } show(b)")
    try runtime.evaluate("b:send('touchUpInside')", as: Value.self)
    #expect(runtime.errors.count == 1 && runtime.listedErrors == 1)
    #expect(try runtime.evaluate("#errors()", as: Value.self) == 1)
  }

  @Test func `a controller's commit tells of it`() throws {
    let runtime = try runtime(
      """
      m = model "m" { age = property { default = 36, type = "integer" } }
      c = controller.object { content = m }
      field = view.field {}
      bind("selection.age <> text", c, field)
      field.text = "x"
      assert(not pcall(c.commitEditing, c) or #errors { editing = true } == 1)
      assert(#errors() == 0 and #errors { editing = true } == 1)
      c:discardEditing()
      assert(#errors { editing = true } == 0 and field.text == "36")
      """)
    #expect(runtime.errors.isEmpty)
  }

  @Test func `an entry that was refused is committed as it has been typed since`() throws {
    let runtime = try runtime(
      """
      m = model "m" { age = property { default = 36, type = "integer" } }
      c = controller.object { name = "c", content = m }
      show(view.field { id = "age",
        bindTo = { text = { path = "<> c.selection.age", continuous = false } } })
      """)
    let scene = try #require(runtime.scene)
    try scene.mount(TextRenderer(size: Size(width: 20, height: 2)))
    try scene.send(keys: "Tab End x Enter Backspace 5")
    #expect(try runtime.evaluate("views.age.text", as: Value.self) == "365")
    #expect(try runtime.evaluate("m.age", as: Value.self) == 36)
    #expect(try runtime.evaluate("c:commitEditing()", as: Value.self) == true)
    #expect(try runtime.evaluate("m.age", as: Value.self) == 365)
    #expect(runtime.errorsOfEdits.isEmpty)
    try scene.send(keys: "y Enter z")
    #expect(
      try runtime.evaluate("select(2, c:commitEditing()):match('365yz') ~= nil", as: Value.self)
        == true)
  }
}
