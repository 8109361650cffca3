import Testing

@testable import TideCheck

@Suite struct `Completion of a script` {
  private static let model = """
    model "fruit" {
      name = "apple",
      count = 1,
      rows = list { { title = "a", done = false }, { title = "b", done = true } },
    }
    transformer "shout" (function(value) return value:upper() end)
    """

  private func completions(_ text: String) throws -> [String] {
    try EditedScript(text, beside: Self.model).completions
  }

  @Test(arguments: [
    ("models.¦", "fruit"), ("models.fruit.¦", "count"), ("models.fruit.na¦", "name"),
    ("models.fruit.rows:¦", "append"), ("print(models.fruit.¦)", "rows"),
    ("view.¦", "label"), ("view.la¦ {}", "label"), ("string.¦", "format"), ("app.¦", "theme"),
    ("controller.¦", "list"), ("bin¦", "bind"),
  ])
  func `lists the members of the expression before a dot`(text: String, wanted: String) throws {
    #expect(try completions(text).contains(wanted))
  }

  @Test(.timeLimit(.minutes(10)))
  func `lists ten thousand models without a search for each`() throws {
    let models = (0..<10_000).map { "-- Number \($0).\nmodel \"m\($0)\" { n = 1 }" }
    let script = try EditedScript("print(models.¦)", beside: models.joined(separator: "\n"))
    let found = script.analysis.completions(at: script.caret).candidates
    #expect(found.count == 10_000)
    #expect(found.first { $0.name == "m9999" }?.documentation == "Number 9999.")
  }

  @Test(arguments: [
    ("bind \"¦\"", "fruit"), ("bind \"fruit.¦\"", "count"),
    ("bind \"fruit.¦ -> fruit.name\"", "count"),
    ("bind \"fruit.name -> fruit.¦\"", "count"), ("bind \"fruit.name -> fruit.¦", "count"),
    ("bind \"fruit.name ¦\"", "->"), ("bind \"fruit.name -> fruit.count | ¦\"", "shout"),
    ("bind \"fruit.name -> fruit.count | up¦\"", "uppercase"),
    ("view.label { bindTo = { text = \"¦\" } }", "fruit"),
    ("view.label { bindTo = { text = \"fruit.¦\" } }", "name"),
    ("observe(models.fruit, \"¦\", print)", "count"),
    (
      "view.list { bindTo = { items = \"fruit.rows\" }, cell = function(row) return row.¦ end }",
      "title"
    ),
  ])
  func `lists how a path may continue`(text: String, wanted: String) throws {
    #expect(try completions(text).contains(wanted))
  }

  @Test(arguments: [
    ("view.label { ¦ }", "bindTo"), ("view.label { te¦ }", "text"),
    ("view.label { text = 'a', ¦ }", "style"),
    ("view.label { bindTo = { ¦ } }", "text"), ("view.button { on = { ¦ } }", "click"),
    ("view.label { style = \"¦\" }", "muted"), ("view.label { align = \"¦\" }", "center"),
    ("bind(\"fruit.name -> fruit.count\", { ¦ })", "delay"),
    ("on(view.button {}, \"¦\", print)", "click"), ("property { type = \"¦\" }", "string"),
    ("require \"¦\"", "tidelock"), ("app.theme = \"¦\"", "light"),
  ])
  func `lists what a table or a string may contain`(text: String, wanted: String) throws {
    #expect(try completions(text).contains(wanted))
  }

  @Test func `lists the variables that are visible, and no others`() throws {
    let found = try completions(
      "local function one(inner) local second = 1; ¦ end\nlocal later = one")
    #expect(found.contains("inner") && found.contains("second") && found.contains("one"))
    #expect(!found.contains("later"))
  }

  @Test(arguments: ["-- models.¦", "local x = 'models.¦'", "--[[ view.¦ ]]", "print(\"models.¦\")"])
  func `lists nothing in comments and plain strings`(text: String) throws {
    #expect(try completions(text).isEmpty)
  }

  @Test(arguments: [
    ("bind \"fruit.co¦unt -> fruit.name\"", "count"), ("models.fruit.co¦unt = 1", "count"),
    ("models.fruit.¦", ""),
  ])
  func `replaces the whole word`(text: String, replaced: String) throws {
    let script = try EditedScript(text, beside: Self.model)
    let range = script.analysis.completions(at: script.caret).range
    #expect(String(decoding: script.analysis.bytes[range], as: UTF8.self) == replaced)
  }

  @Test(arguments: [
    ("observe(¦", 0), ("observe(models.fruit, ¦", 1), ("observe(models.fruit, \"name\", ¦)", 2),
    ("math.max(1, models.fruit.rows:append(¦))", 0),
  ])
  func `knows which argument is being typed`(text: String, argument: Int) throws {
    let script = try EditedScript(text, beside: Self.model)
    #expect(script.analysis.signature(at: script.caret)?.argument == argument)
  }

  @Test func `shows the signature of a function of the app`() throws {
    let script = try EditedScript("local function pay(amount, to) end\npay(1, ¦)")
    let found = try #require(script.analysis.signature(at: script.caret))
    #expect(found.signatures.map(\.text) == ["pay(amount, to)"])
    #expect(found.argument == 1)
  }
}
