import Testing

@testable import TideCheck

@Suite struct `Navigation in a script` {
  private static let model = """
    -- What we sell.
    model "fruit" {
      -- How many there are.
      count = 1,
      rows = list { { title = "a" }, { title = "b" } },
    }
    """

  private func script(_ text: String) throws -> EditedScript {
    try EditedScript(text, beside: Self.model)
  }

  @Test(arguments: [
    ("bind \"fruit.co¦unt -> fruit.rows\"", [4]), ("print(models.fr¦uit)", [2]),
    ("bind \"fr¦uit.count -> fruit.rows\"", [2]), ("local a = 1\nprint(a¦)", [7]),
    ("for row in pairs(models.fruit.rows) do print(row.title) end", []),
    ("view.label { id = 'one' }\nprint(views.on¦e)", [7]),
    ("transformer 'shout' (print)\nbind \"fruit.count -> fruit.rows | sh¦out\"", [7]),
    ("local M = {}\nfunction M.save() end\nM.sa¦ve()", [8]),
    (
      "view.list { items = models.fruit.rows, cell = function(row) print(row.ti¦tle) end }", [5, 5]
    ),
  ])
  func `leads to the declaration of a name`(text: String, lines: [Int]) throws {
    let script = try script(text.contains("¦") ? text : text + "¦")
    #expect(script.lines(script.analysis.definitions(at: script.caret)) == lines)
  }

  @Test func `finds the same property in Lua and in expressions`() throws {
    let script = try script(
      "models.fruit.count = 2\nbind \"fruit.co¦unt -> other.count\"\nmodel \"other\" { count = 3 }")
    let found = script.analysis.references(at: script.caret)
    #expect(script.lines(found.map(\.location)) == [4, 7, 8])
    #expect(found.map(\.isDeclaration) == [true, false, false])
    #expect(found.map(\.isWriting) == [false, true, false])
  }

  @Test func `treats the fields of all rows of a list as one property`() throws {
    let script = try script(
      "observe(models.fruit.rows[1], 'title', print)\nprint(models.fruit.rows[2].ti¦tle)")
    let found = script.analysis.references(at: script.caret)
    #expect(script.texts(found.map(\.location)).allSatisfy { $0 == "title" })
    #expect(script.lines(found.map(\.location)) == [5, 5, 7, 8])
  }

  @Test func `finds the fields of rows beyond those that types are inferred from`() throws {
    let rows = (0..<100).map { "{ title = \"\($0)\" }" }.joined(separator: ", ")
    let script = try EditedScript(
      "model \"book\" { rows = list { \(rows) } }\nprint(models.book.rows[1].ti¦tle)")
    #expect(script.analysis.references(at: script.caret).count == 101)
  }

  @Test(arguments: [
    ("print(str¦ing)", false), ("view.lab¦el {}", false), ("local a = 1; print(a¦)", true),
    ("print(models.fr¦uit)", true), ("-- fr¦uit", false), ("view.label { te¦xt = '' }", false),
  ])
  func `renames only what the app declares`(text: String, canRename: Bool) throws {
    let script = try script(text)
    #expect((script.analysis.renamableName(at: script.caret) != nil) == canRename)
  }

  @Test(arguments: [("end", true), ("two words", true), ("1st", true), ("b", true), ("c", false)])
  func `refuses names that would mean something else`(name: String, isRefused: Bool) throws {
    let script = try EditedScript("local b = 1\nlocal a = 2\nprint(a¦, b)")
    let objection = script.analysis.objection(toRenaming: script.caret, name)
    #expect((objection != nil) == isRefused)
  }

  @Test(arguments: [
    ("bind \"fruit.co¦unt -> fruit.rows\"", "count: number = 1"),
    ("bind \"fruit.co¦unt -> fruit.rows\"", "How many there are."),
    ("print(models.fr¦uit)", "What we sell."), ("view.la¦bel {}", "view.label"),
    ("bind \"fruit.count -> fruit.rows | upper¦case\"", "uppercase"), ("obs¦erve()", "observe("),
    ("local row = models.fruit.rows[1]\nprint(ro¦w)", "object { title }"),
    ("-- Twice.\nlocal function double(n) return n end\ndou¦ble(1)", "Twice."),
    ("models.fruit.rows:app¦end()", "append("),
  ])
  func `explains a name`(text: String, wanted: String) throws {
    let hover = try script(text).hover
    #expect(hover.contains(wanted), "\(hover)")
  }

  @Test func `lists what a script declares`() throws {
    let script = try script(
      "local function save() end\nview.label { id = 'one' }\ntransformer 'shout' (print)¦")
    let outline = script.analysis.outline
    #expect(outline.map(\.name) == ["fruit", "save", "one", "shout"])
    #expect(outline[0].children.map(\.name) == ["count", "rows"])
  }

  @Test func `knows which functions call which`() throws {
    let script = try EditedScript(
      "local function one() end\nlocal function two() one() end\ntwo()\non¦e()")
    let analysis = script.analysis
    #expect(analysis.function(at: script.caret)?.name == "one")
    #expect(
      analysis.callers(ofFunctionAt: script.caret).map(\.function.name) == ["two", "app.lua"])
    let two = try #require(analysis.functions.first { $0.name == "two" })
    #expect(analysis.callees(in: two.range).map(\.function.name) == ["one"])
  }

  @Test func `shows types that the script does not write`() throws {
    let script = try script(
      "observe(models.fruit, 'count', function(new) print(new) end)\nbind \"fruit.count -> fruit.rows\"¦"
    )
    let whole = 0..<script.analysis.bytes.count
    #expect(script.analysis.typeHints(in: whole).map(\.text).contains("number"))
    #expect(script.analysis.livePaths(in: whole).map(\.path).contains("fruit.count"))
  }
}
