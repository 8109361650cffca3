import Testing
import TideBindings
import TideGraph
import TideScript

@testable import TideREPL

@Suite struct `Completing a text` {
  let runtime: Runtime
  let session: Session

  init() throws {
    runtime = try Runtime(file: "app.lua")
    session = try Session(runtime)
    try runtime.evaluate(
      """
      Person = class "Person" { name = "", age = 1, greet = function() end }
      model "fruit" { name = "apple", count = 2, owner = Person { name = "Ada" } }
      fruits = { size = 3, sort = function() end }
      transformer("shout", string.upper)
      show(view.column { view.label { id = "title" } })
      """, as: Value.self)
    _ = session.run("local basket = models.fruit")
  }

  private func words(_ text: String) -> [String] { session.completion(of: text).words }

  @Test(arguments: [
    ("fru", ["fruits"]), ("x = fru", ["fruits"]), ("bask", ["basket"]), ("repe", ["repeat"]),
    ("fruits.s", ["size", "sort"]), ("fruits:s", ["sort"]), ("models.", ["fruit"]),
    ("models.fruit.c", ["count"]), ("basket.owner.a", ["age"]), ("basket.owner:gr", ["greet"]),
    ("views.", ["title"]), ("view.lab", ["label"]), ("string.upp", ["upper"]),
    ("'a'..basket.n", ["name"]), ("nobody.x", []), ("math.maxi", ["maxinteger"]),
    ("log.inf", ["info"]),
    ("bind('fru", ["fruit"]), ("bind(\"fruit.n", ["name"]), ("bind('fruit.owner.a", ["age"]),
    ("bind 'fruit.name -> ti", ["title"]), ("bind 'fruit.name | sho", ["shout"]),
    (":wh", ["why"]), (":why fruit.c", ["count"]), (":set fruit.count basket.c", ["count"]),
    (":time fru", ["fruits"]), (":quit ", []), (":nothing x", []),
  ])
  func `goes on with what there is`(_ text: String, _ expected: [String]) {
    #expect(words(text) == expected)
  }

  @Test func `begins where the word begins, and knows what is common`() {
    let found = session.completion(of: "x = fruits.s")
    #expect(found.start == 11)
    #expect(Completion(start: 0, words: ["size", "sixty"]).common == "si")
    #expect(Completion(start: 0, words: []).common == "")
  }

  @Test func `runs nothing of the app`() throws {
    try runtime.evaluate(
      """
      ran = 0
      model "lazy" { a = computed(function() ran = ran + 1 return object { b = 1 } end) }
      trap = setmetatable({}, { __index = function() ran = ran + 1 end })
      """, as: Value.self)
    _ = words("models.lazy.a.")
    _ = words("bind('lazy.a.")
    _ = words("trap.x.")
    #expect(try runtime.evaluate("ran", as: Value.self) == 0)
  }

  @Test(arguments: [
    ("string.upper 'a':upp", ["upper"]), ("string.upper 'a' 'b':upp", []), ("'a':upp", []),
    ("('a'):upp", ["upper"]), ("('a') 'b':upp", []),
  ])
  func `after a text in quotes needs a call`(_ text: String, _ expected: [String]) {
    #expect(words(text) == expected)
  }

  @Test(arguments: [" 'a'", "('a')", " {'a'}", ":f 'a'", ".f", "['a']"])
  func `after a chain of any length ends`(_ link: String) {
    for count in [30, 200, 5_000] {
      #expect(words("nobody" + String(repeating: link, count: count) + ".") == [])
      #expect(words("nobody" + String(repeating: link, count: count) + " { ") == words(""))
    }
  }

  @Test func `of any text is found`() {
    let text = "local x = models.fruit.name .. bind('fruit.name -> x | shout(1)') :why \"漢"
    for end in text.indices { _ = session.completion(of: String(text[...end])) }
    for odd in ["", ".", ":", "::", "..", "a..", "'", "[[", ":set  ", ":why ", "-- x"] {
      _ = session.completion(of: odd)
    }
  }
}
