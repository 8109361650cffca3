import TestFolders
import Testing
import TideBindings
import TideScript

@testable import TideREPL

@Suite struct `Completing what belongs to a value` {
  let runtime: Runtime
  let session: Session

  init() throws {
    runtime = try Runtime(file: "app.lua")
    session = try Session(runtime)
    try runtime.evaluate(
      """
      ran = 0
      local Animal = {}
      Animal.__index = Animal
      function Animal.speak() end
      Person = class "Person" { first = "", age = 1, greet = function() ran = ran + 1 return "" end }
      me = Person { first = "Ada" }
      model "fruit" { name = "apple", ["two words"] = 2, twin = 1, ["end"] = 3, items = list { 1 } }
      t = { ["two words"] = 1, ["two birds"] = 2, plain = 3 }
      l = { { inner = 1 }, { other = 2 } }
      people = list { me }
      chosen = controller.list { name = "chosen", content = people, selectionIndex = 1 }
      context("details", function() end)
      cat = setmetatable({ name = "Tom" }, Animal)
      function f() ran = ran + 1 return {} end
      view.component("card", { properties = { heading = "" }, events = { "opened" },
        view = function() return view.label {} end })
      show(view.column { view.button { id = "go" }, view.field { id = "entry" } })
      """, as: Value.self)
  }

  private func words(_ text: String) -> [String] { session.completion(of: text).words }

  @Test(arguments: [
    "f()", "f().", "f():", "f().x", "l[1]", "{ 1 }", "'a'", "(1 + 2).", "\"text\".", "\"text\":",
    "me:greet().", "me:greet():",
    "l[i].",
    "t[f()].", "1.", "x = 3", "nothing().a", "({}).", "function f().", "l[9].", "(f)():",
  ])
  func `nothing is offered where the value is not known`(_ text: String) throws {
    #expect(words(text) == [])
    #expect(try runtime.evaluate("ran", as: Value.self) == 0)
  }

  @Test(arguments: [
    ("(\"abc\"):up", ["upper"]), ("(\"abc\"):upper():low", ["lower"]),
    ("('a' ):rep(2):byt", ["byte"]),
    ("l[1].", ["inner"]), ("l[2].o", ["other"]), ("people[1].fi", ["first"]),
    ("people[1]:gr", ["greet"]), ("t[\"plain\"].", []), ("cat:sp", ["speak"]), ("cat.na", ["name"]),
    ("chosen.selectedObject.fi", ["first"]), ("chosen.selection.ag", ["age"]),
    ("chosen.arrangedObjects[1]:gr", ["greet"]),
    ("list { 1, 2 }:indexO", ["indexOf"]), ("list{}:app", ["append"]),
    ("models.fruit.items:appe", ["append"]), ("people:indexO", ["indexOf"]),
    ("Person { first = 'x' }.ag", ["age"]), ("Person{}:gr", ["greet"]), ("Person.", ["greet"]),
    ("view.label { }.trunc", ["truncate"]), ("views.go:foc", ["focus"]), ("store.", ["open"]),
    ("json.dec", ["decode"]), ("ask.cho", ["choice"]), ("view.ca", ["card"]),
    ("x = 'a' .. me.fi", ["first"]), ("print(me.ag", ["age"]), ("a::me", []),
    ("observe(me, 'age', f):canc", ["cancel"]), ("_G.peo", ["people"]),
  ])
  func `members are those of the value`(_ text: String, _ expected: [String]) throws {
    #expect(words(text) == expected)
    #expect(try runtime.evaluate("ran", as: Value.self) == 0)
  }

  @Test func `a key that is no name is written in brackets`() {
    func completed(_ text: String) -> [String] {
      let found = session.completion(of: text)
      return found.words.map { text.prefix(found.start) + $0 }
    }
    #expect(completed("models.fruit.two") == ["models.fruit[\"two words\"]"])
    #expect(completed("x = models.fruit.en") == ["x = models.fruit[\"end\"]"])
    #expect(completed("models.fruit.tw") == ["models.fruit.twin", "models.fruit[\"two words\"]"])
    #expect(completed("t.two") == ["t[\"two birds\"]", "t[\"two words\"]"])
    #expect(completed("t.pl") == ["t.plain"])
  }

  @Test(arguments: [
    ("t[\"two", ["two birds", "two words"]), ("t['", ["plain", "two birds", "two words"]),
    ("models.fruit[\"two", ["two words"]), ("models['fru", ["fruit"]), ("views[\"g", ["go"]),
    ("f()['", []),
  ])
  func `within the brackets keys are offered`(_ text: String, _ expected: [String]) {
    #expect(words(text) == expected)
  }

  @Test(arguments: [
    ("view.label { te", ["text", "textColor"]), ("view.label { text = 'a', wr", ["wrap"]),
    ("view.label({ trunc", ["truncate"]), ("show(view.button { tit", ["title"]),
    ("view.field { on = { editingDidB", ["editingDidBegin"]),
    ("view.button { on = { touch", ["touchUpInside"]), ("view.label { on = { touch", []),
    ("view.field { bindTo = { te", ["text", "textColor"]), ("view.label { bindT", ["bindTo"]),
    ("view.card { head", ["heading"]), ("view.card { on = { ope", ["opened"]),
    ("Person { fi", ["first"]), ("Person { first = 'x', a", ["age"]), ("Person({ fi", ["first"]),
    ("property { nulla", ["nullable"]), ("observe(me, 'age', f, { ini", ["initial"]),
    ("view.label { text = me.fi", ["first"]), ("view.label { text = mode", ["model", "models"]),
    ("view.column { view.label { te", ["text", "textColor"]), ("view.column { spac", ["spacing"]),
    ("view.column { view.lab", ["label"]), ("x = { peo", ["people"]),
  ])
  func `fields are those of what is made`(_ text: String, _ expected: [String]) {
    #expect(words(text) == expected)
  }

  @Test(arguments: [
    ("on(views.go, \"tou", ["touchUpInside"]), ("on(views.bad, \"tou", ["touchUpInside"]),
    ("views.go:send('tou", ["touchUpInside"]), ("on(app, 'wi", ["willQuit"]),
    ("observe(models.fruit, \"na", ["name"]), ("observe(people[1], 'ag", ["age"]),
    ("why(models.fruit, 'na", ["name"]), ("isa(me, \"Per", ["Person"]),
    ("isa(me, 'lab", ["label"]), ("view.label { style = 'war", ["warning"]),
    ("view.label { align = 'st", ["start", "stretch"]), ("bind('fruit.na", ["name"]),
    ("require \"stri", ["string"]), ("people:sorted('fi", ["first"]),
    ("people:sorted(\"-ag", ["age"]), ("observe(nothing, 'ag", []),
    ("trigger.call(me, 'gr", ["greet"]), ("context.clear 'de", ["details"]),
  ])
  func `strings are what the parameter takes`(_ text: String, _ expected: [String]) {
    #expect(words(text) == expected)
  }

  @Test func `require offers the modules of the app's folder`() throws {
    let folder = try ScratchFolder(folders: "shop")
    folder.write([
      "app.lua": "x = 1", "prices.lua": "return {}", "app_spec.lua": "",
      "shop/basket.lua": "return {}", "shop/init.lua": "return {}",
    ])
    let runtime = try Runtime(file: folder.path + "/app.lua")
    try runtime.load()
    let session = try Session(runtime)
    let words = session.completion(of: "require \"").words
    #expect(Set(words).isSuperset(of: ["prices", "shop", "shop.basket", "string"]))
    #expect(!words.contains("app") && !words.contains("app_spec"))
    #expect(session.completion(of: "require('shop.").words == ["shop.basket"])
  }

  @Test func `commands complete the words that they take`() {
    #expect(words(":timing o") == ["off", "on"])
    #expect(words(":help view.lab") == ["view.label"])
    #expect(words(":help label.trunc") == ["label.truncate"])
    #expect(words(":help models.fruit.na") == ["models.fruit.name"])
    #expect(words(":help fruit.na") == ["fruit.name"])
    #expect(words(":help list:app") == ["list:append"])
    #expect(words(":help E040").contains("E0402"))
    #expect(words(":source peop") == ["people"])
  }
}
