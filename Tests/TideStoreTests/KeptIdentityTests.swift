import TideBindings
import TideLua
import TideScript
import TestFolders
import Testing

@testable import TideStore

/// Objects that are kept in several places, and rows of classes that the program does not declare.
@Suite struct KeptIdentityTests {
  private let app: StoredApp

  init() throws { app = try StoredApp() }

  private static let desk = """
    local Person = class "Person" { name = "", friend = null, notes = "" }
    desk = model "desk" { lead = null, people = list {} }
    other = model "other" { people = list {} }
    db:keep(desk)
    db:keep(other)
    make = Person
    """

  /// Runs a script in a program of its own, which then ends.
  private func run(_ declarations: String, _ script: String = "") throws -> String {
    let runtime = try app.runtime(declarations)
    let result = try runtime.evaluate("(function() \(script) end)()", as: Value.self)
    _ = StoredApp.turn(runtime, seconds: 0.05) { false }
    try runtime.evaluate("db:flush()", as: Value.self)
    runtime.end()
    if case .string(let text) = result { return text }
    return ""
  }

  @Test func `an object in a property, two lists and two models is one object again`() throws {
    _ = try run(
      Self.desk,
      """
      local ann, bob = make { name = "Ann" }, make { name = "Bob" }
      desk.lead = ann
      desk.people:append(ann)
      desk.people:append(bob)
      other.people:append(bob)
      other.people:append(ann)
      """)
    let text = try run(
      Self.desk,
      """
      desk.lead.name = "Anna"
      return tostring(desk.lead == desk.people[1]) .. tostring(desk.people[1] == other.people[2])
        .. tostring(desk.people[2] == other.people[1]) .. other.people[2].name
      """)
    #expect(text == "truetruetrueAnna")
    #expect(try run(Self.desk, "return other.people[2].name") == "Anna")
  }

  @Test func `objects that refer to one another in a circle are kept`() throws {
    _ = try run(
      Self.desk,
      """
      local ann, bob = make { name = "Ann" }, make { name = "Bob" }
      ann.friend, bob.friend = bob, ann
      desk.people:append(ann)
      """)
    #expect(
      try run(
        Self.desk,
        "local ann = desk.people[1] return ann.friend.name .. tostring(ann.friend.friend == ann)")
        == "Bobtrue")
  }

  @Test func `a long chain of objects is kept`() throws {
    _ = try run(
      Self.desk,
      """
      local last
      for number = 1, 300 do
        local person = make { name = "n" .. number }
        if last then person.friend = last end
        desk.people:append(person)
        last = person
      end
      """)
    #expect(
      try run(
        Self.desk,
        """
        for index = 2, #desk.people do
          if desk.people[index].friend ~= desk.people[index - 1] then return "other" end
        end
        return #desk.people .. "same"
        """) == "300same")
  }

  @Test func `an object in one place is written there`() throws {
    _ = try run(Self.desk, "desk.people:append(make { name = 'Ann' })")
    #expect(try app.query("SELECT count(*) FROM tide_kept_object") == "0")
  }

  @Test func `what nothing refers to any more is removed at the next start`() throws {
    _ = try run(
      Self.desk,
      "desk.lead = make { name = 'Ann' } desk.people:append(desk.lead)")
    #expect(try app.query("SELECT count(*) FROM tide_kept_object") == "1")
    _ = try run(Self.desk, "desk.lead = nil desk.people:clear()")
    _ = try run(Self.desk)
    #expect(try app.query("SELECT count(*) FROM tide_kept_object") == "0")
  }

  // MARK: Nothing vanishes

  private static let before = """
    class "Man" { name = "", age = 1 }
    class "Dog" { name = "" }
    names = list {}
    db:keep(names, "names")
    """

  private func fill() throws {
    _ = try run(
      Self.before.replacing("class \"Man\"", with: "Man = class \"Man\"")
        .replacing("class \"Dog\"", with: "Dog = class \"Dog\""),
      """
      names:append(Dog { name = "a" })
      names:append(Man { name = "b", age = 5 })
      names:append(Dog { name = "c" })
      names:append(Man { name = "d", age = 6 })
      """)
  }

  private static let text = """
    local all = {}
    for _, row in ipairs(names) do all[#all + 1] = row.name end
    return table.concat(all)
    """

  private static let withoutMan = Self.before.replacing(
    "class \"Man\" { name = \"\", age = 1 }", with: "")

  @Test func `rows of a class that is gone stay, are listed and come back in their places`() throws
  {
    try fill()
    #expect(try run(Self.withoutMan, Self.text) == "ac")
    let message = app.errors.first { $0.contains("Man") } ?? ""
    #expect(message.contains("2 values of names are of the class \"Man\""), "\(app.errors)")
    #expect(message.contains("renameClass"))
    #expect(try run(Self.before, Self.text) == "abcd")
  }

  @Test(arguments: ["model 'kept'", "shared('kept',"])
  func `rows of a class that is gone are listed though the app ends in the same turn`(
    _ declaration: String
  ) throws {
    let end = declaration.hasSuffix(",") ? ")" : ""
    let kept = "kept = \(declaration) { names = list {} } \(end) db:keep(kept)"
    _ = try run("Man = class 'Man' { age = 1 } " + kept, "kept.names:append(Man { age = 2 })")
    #expect(app.errors.isEmpty)
    try app.runtime(kept).end()
    #expect(app.errors.contains { $0.contains("kept.names") && $0.contains("\"Man\"") })
  }

  @Test func `rows of a class that is gone stay when all others are written anew`() throws {
    try fill()
    _ = try run(Self.withoutMan, "names:set { 'x', 'y' }")
    let text = try run(
      Self.before,
      "local all = {} for _, row in ipairs(names) do all[#all + 1] = row.name or row end "
        + "table.sort(all) return table.concat(all)")
    #expect(text == "bdxy")
  }

  @Test func `a class that was renamed takes over the rows of its former name`() throws {
    try fill()
    let renamed = Self.before.replacing("class \"Man\"", with: "class \"Person\"")
    _ = try run(renamed + "\ncount = db:renameClass('Man', 'Person')")
    #expect(try run(renamed, Self.text) == "abcd")
    #expect(try run(renamed, "return tostring(db:renameClass('Man', 'Person'))") == "0")
  }

  @Test func `a class that is declared is not renamed`() throws {
    let runtime = try app.runtime(Self.before)
    #expect(StoredApp.message(runtime, "db:renameClass('Man', 'Person')").contains("is declared"))
  }

  @Test func `a property that is no longer declared keeps its value until it is let go of`() throws
  {
    try fill()
    let without = Self.before.replacing("name = \"\", age = 1", with: "name = \"\"")
    _ = try run(without, "names[2].name = 'B'")
    #expect(try run(Self.before, "return names[2].name .. names[2].age") == "B5")
    _ = try run(without + "\ndb:forget('Man', 'age')", "names[2].name = 'C'")
    #expect(try run(Self.before, "return names[2].name .. names[2].age .. names[4].age") == "C16")
  }

  // MARK: One keeper

  @Test func `a second program is told who keeps a model, and may wait for it`() throws {
    let first = try app.runtime("settings = model 'settings' { n = 1 } db:keep(settings)")
    try first.evaluate("settings.n = 2 db:flush()", as: Value.self)
    let second = try app.runtime("settings = model 'settings' { n = 0 }")
    let message = StoredApp.message(second, "db:keep(settings)")
    #expect(
      message.contains("\"settings\" is kept by another session of this program"), "\(message)")
    #expect(message.contains("wait = true") && message.contains("shared("))
    try second.evaluate(
      "spawn(function() db:keep(settings, { wait = true }) end)", as: Value.self)
    #expect(
      try !StoredApp.turn(second, seconds: 0.2) {
        try second.evaluate("settings.n", as: Int.self) > 0
      })
    first.end()
    #expect(
      try StoredApp.turn(second) { try second.evaluate("settings.n", as: Int.self) == 2 })
  }

  @Test func `a task that the main script begins waits for what is kept`() throws {
    let first = try app.runtime("settings = model 'settings' { n = 1 } db:keep(settings)")
    try first.evaluate("settings.n = 2 db:flush()", as: Value.self)
    first.end()
    app.folder.write(
      """
      db = store.open("\(app.folder.path)/ledger.db")
      settings = model 'settings' { n = 0 }
      seen = model 'seen' { n = -1 }
      spawn(function()
        db:keep(settings, { wait = true })
        seen.n = settings.n
      end)
      """, to: "app.lua")
    let second = try app.runtimeWithoutTables(file: app.folder.path + "/app.lua")
    try second.load()
    #expect(
      try StoredApp.turn(second) { try second.evaluate("return seen.n", as: Int.self) >= 0 })
    #expect(try second.evaluate("return seen.n", as: Int.self) == 2)
  }

  @Test func `a main script that may wait has what is kept at once where nobody else keeps it`()
    throws
  {
    app.folder.write(
      """
      db = store.open("\(app.folder.path)/ledger.db")
      todo = model "todo" { tasks = list {} }
      db:keep(todo, { wait = true })
      todo.tasks:append("task " .. #todo.tasks + 1)
      """, to: "app.lua")
    for count in 1...2 {
      let runtime = try app.runtimeWithoutTables(file: app.folder.path + "/app.lua")
      try runtime.load()
      #expect(try runtime.evaluate("return #todo.tasks", as: Int.self) == count)
      try runtime.evaluate("db:flush()", as: Value.self)
      runtime.end()
    }
    #expect(app.errors.isEmpty)
  }

  @Test func `two programs may keep two models of one file`() throws {
    let first = try app.runtime("a = model 'a' { n = 1 } db:keep(a)")
    let second = try app.runtime("b = model 'b' { n = 1 } db:keep(b)")
    #expect(app.errors.isEmpty)
    first.end()
    second.end()
  }

  // MARK: Copies

  @Test func `a copy shows what is kept, and writes nothing`() throws {
    try fill()
    let before = try app.query("SELECT count(*) FROM tide_kept_row")
    let runtime = try app.runtime(
      Self.before + "\nnames:clear() db:run('DELETE FROM entry') db:flush()"
    ) { $0.addStores(copying: true) }
    #expect(try runtime.evaluate("#names", as: Int.self) == 0)
    runtime.end()
    #expect(try app.query("SELECT count(*) FROM tide_kept_row") == before)
    #expect(try app.query("SELECT count(*) FROM entry") == "3")
  }
}
