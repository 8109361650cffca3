import Foundation
import Testing
import TideGraph
import TideLua

@testable import TideBindings
@testable import TideScript

// Objects and other values that are kept, and come back at the next start.

extension `Settings of scripts` {
  private func keep(_ common: String, set: String, check: String) throws {
    let first = try run(common + "\n" + set)
    first.end()
    #expect(first.errors.isEmpty, "\(first.errors)")
    let second = try run(common + "\n" + check)
    #expect(second.errors.isEmpty, "\(second.errors)")
    let before = try String(contentsOfFile: file, encoding: .utf8)
    second.end()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == before, "reading changes nothing")
  }

  private static let row = """
    Row = class "Row" {
      name = "", age = property { default = nil, type = "integer" }, note = property { type = "any" },
      tags = property { type = "list" }, parent = property { type = "any" },
      upper = computed(function(self) return self.name:upper() end),
      greet = function(self) return "I am " .. self.name end,
      init = function(self) self.made = self.made + 1 end, made = 0,
    }
    s = controller.settings { initialValues = { theme = "dark" } }
    """

  @Test func `objects of a class come back as objects of the class`() throws {
    defer { leave() }
    try keep(
      Self.row,
      set: """
        s.values.rows = list {
          Row { name = "Ada", age = 36, tags = list { "x", 1, 1.0 } },
          Row { name = "Alan", note = null, parent = Row { name = "inner" } },
        }
        s.values.one = Row { name = "single" }
        """,
      check: """
        local rows = s.values.rows
        local ada, alan = rows[1], rows[2]
        assert(isa(ada, Row) and isa(alan, "Row") and isa(alan.parent, Row) and isa(s.values.one, Row))
        assert(ada.upper == "ADA" and ada:greet() == "I am Ada")
        assert(ada.age == 36 and math.type(ada.age) == "integer" and alan.age == nil)
        assert(alan.note == null and ada.note == nil)
        assert(#ada.tags == 3 and math.type(ada.tags[2]) == "integer" and math.type(ada.tags[3]) == "float")
        assert(alan.parent.name == "inner" and alan.tags == nil)
        assert(ada.made == 1, "init does not run again")
        local names = {}
        for name in properties(ada) do names[#names + 1] = name end
        assert(#names == 7)
        assert(not pcall(function() return ada.nmae end))
        assert(not pcall(function() ada.age = "old" end))
        assert(s.values.theme == "dark")
        """)
  }

  @Test func `edits of objects that came back are kept`() throws {
    defer { leave() }
    try run(Self.row + "\ns.values.rows = list { Row { name = 'a' } }").end()
    try run(Self.row + "\ns.values.rows[1].name = 'b' s.values.rows:append(Row { name = 'c' })")
      .end()
    try run(Self.row + "\nassert(s.values.rows[1].name == 'b' and s.values.rows[2].name == 'c')")
  }

  @Test func `edits of objects among the initial values are kept, and leave those alone`() throws {
    defer { leave() }
    let app = """
      Row = class "Row" { name = "" }
      first = Row { name = "first" }
      s = controller.settings { initialValues = { rows = list { first }, one = first } }
      """
    try run(app + "\ns.values.rows[1].name = 'edited' assert(first.name == 'first')").end()
    try run(
      app + """

        assert(s.values.rows[1].name == "edited" and isa(s.values.rows[1], Row))
        assert(s.values.one.name == "first")
        s:revertToInitialValues()
        assert(s.values.rows[1].name == "first")
        """)
  }

  @Test func `values of every kind come back as they were`() throws {
    defer { leave() }
    try keep(
      "s = controller.settings { initialValues = { gone = 1 } }",
      set: #"""
        v = s.values
        v.integer, v.float, v.whole, v.big, v.tiny = 3, 3.5, 3.0, math.maxinteger, 5e-324
        v.huge, v.negative, v.zero, v.date = 1e300, -0.0, 0, now()
        v.inf, v.nan = math.huge, 0/0
        v.text, v.empty, v.bytes, v.odd = "é\0\n\"", "", "\xff\xfe\0", "e\u{301}"
        v.yes, v.no, v.null = true, false, null
        v.list, v.dict = list { 1, 1.0, null, "x", list {} }, dict { a = 1, ["$class"] = "no", ["$"] = 2.0 }
        v.plain = object { name = "x", n = 1, f = 1.0, flag = false, nothing = property { type = "string" } }
        v.gone = nil
        date = v.date
        """#,
      check: #"""
        v = s.values
        local function is(value, wanted)
          assert(value == wanted and math.type(value) == math.type(wanted), tostring(wanted))
        end
        is(v.integer, 3) is(v.float, 3.5) is(v.whole, 3.0) is(v.big, math.maxinteger) is(v.tiny, 5e-324)
        is(v.huge, 1e300) is(v.zero, 0) is(1 / v.negative, -math.huge)
        is(v.inf, math.huge) assert(v.nan ~= v.nan) assert(math.type(v.date) == "float")
        is(v.text, "é\0\n\"") is(v.empty, "") is(v.bytes, "\xff\xfe\0") is(v.odd, "e\u{301}")
        is(v.yes, true) is(v.no, false) assert(v.null == null)
        is(#v.list, 5) is(v.list[1], 1) is(v.list[2], 1.0) assert(v.list[3] == null) is(#v.list[5], 0)
        is(v.dict.a, 1) is(v.dict["$class"], "no") is(v.dict["$"], 2.0)
        is(v.plain.name, "x") is(v.plain.n, 1) is(v.plain.f, 1.0) is(v.plain.flag, false)
        assert(v.plain.nothing == nil) v.plain.nothing = "now" v.plain.nothing = nil
        assert(not pcall(function() return v.plain.nmae end))
        assert(not pcall(function() v.plain.flag = "x" end))
        is(v.gone, 1)
        """#)
  }

  @Test func `a class of another module is found, before and after it is required`() throws {
    defer { leave() }
    let module =
      "return class 'Row' { name = '', shout = function(self) return self.name .. '!' end }"
    let files = ["rows.lua": module]
    try run(
      "local Row = require 'rows' s = controller.settings {} s.values.one = Row { name = 'a' }",
      files
    ).end()
    let late = try run(
      """
      s = controller.settings { appliesImmediately = false }
      label = view.label { text = function() return s.values.one and s.values.one:shout() or "none" end }
      assert(s.values.one == nil)
      require 'rows'
      assert(not s.hasUnappliedChanges)
      return label
      """, files)
    late.settle()
    #expect(late.errors.isEmpty)
    #expect(try late.evaluate("label.text", as: Value.self) == "a!")
  }

  @Test func `a class that is gone is told of, and nothing is lost`() throws {
    defer { leave() }
    let app = "s = controller.settings { initialValues = { rows = list {} } } "
    try run("Row = class 'Row' { name = '' } \(app) s.values.rows = list { Row { name = 'a' } }")
      .end()
    let without = try run(app + "assert(#s.values.rows == 0) s.values.other = 1")
    #expect(
      without.errors.contains {
        $0.code == .settings && $0.message.contains("\"rows\"") && $0.message.contains("\"Row\"")
      }, "\(without.errors)")
    without.end()
    try run(
      "Row = class 'Row' { name = '' } \(app) assert(s.values.rows[1].name == 'a') assert(s.values.other == 1)"
    )
  }

  @Test func `a class that has changed keeps what fits, as at a reload`() throws {
    defer { leave() }
    let app = "s = controller.settings {} "
    try run(
      "Row = class 'Row' { name = '', age = 0, old = 1, level = property { enum = { 'a', 'b' } } } \(app)"
        + "s.values.row = Row { name = 'x', age = 7, old = 5, level = 'b' }"
    ).end()
    try run(
      "Row = class 'Row' { name = '', age = '', new = 9, level = property { enum = { 'c', 'd' } } } \(app)"
        + "local r = s.values.row assert(r.name == 'x' and r.age == '7' and r.new == 9 and r.level == nil)"
    )
  }

  @Test(arguments: [
    "object { n = 1, f = function() end }", "object { n = computed(function() return 1 end) }",
    "view.label {}", "function() end", "controller.list {}",
    "(function() local r = object { next = property { type = 'any' } } r.next = r return r end)()",
  ])
  func `what no file can hold is told of by its name, and the rest is kept`(_ value: String) throws
  {
    defer { leave() }
    let runtime = try run(
      "s = controller.settings { appliesImmediately = false } s.values.good = 1 s.values.odd = \(value)"
        + " saved, message = s:save()")
    #expect(try runtime.evaluate("saved", as: Value.self) == false)
    #expect(try runtime.evaluate("message", as: String.self).contains("odd"))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("\"good\": 1") && !text.contains("odd"))
  }

  @Test func `revert gives objects back`() throws {
    defer { leave() }
    try run(
      Self.row + """

        s.values.row = Row { name = "a", age = 1 }
        s.appliesImmediately = false
        s.values.row.name = "b"
        assert(s.hasUnappliedChanges)
        s:revert()
        assert(s.values.row.name == "a" and isa(s.values.row, Row) and not s.hasUnappliedChanges)
        """)
  }

  @Test func `a file of the version before is read as that version read it`() throws {
    defer { leave() }
    try FileManager.default.createDirectory(
      atPath: folder + "/state", withIntermediateDirectories: true)
    let before = """
      {
        "count": 3,
        "ratio": 3.0,
        "rows": [{
          "age": 36,
          "name": "Ada"
        }, {
          "age": null,
          "name": "Alan"
        }]
      }

      """
    try before.write(toFile: file, atomically: false, encoding: .utf8)
    try run(
      Self.row + """

        local v = s.values
        assert(math.type(v.count) == "integer" and math.type(v.ratio) == "float" and v.theme == "dark")
        assert(v.rows[1].name == "Ada" and v.rows[1].age == 36 and v.rows[2].age == nil)
        """
    ).end()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
    try run(Self.row + "\ns.values.rows:append(Row { name = 'new' })").end()
    try run(
      Self.row + """

        local rows = s.values.rows
        assert(#rows == 3 and rows[1].name == "Ada" and isa(rows[3], Row))
        """)
  }
}
