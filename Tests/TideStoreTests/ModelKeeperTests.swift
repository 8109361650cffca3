import TideBindings
import TideScript
import Testing

@testable import TideStore

@Suite struct ModelKeeperTests {
  private let app: StoredApp
  private static let settings = """
    settings = model "settings" { theme = "dark", width = 30, recent = list {} }
    db:keep(settings)
    """

  init() throws { app = try StoredApp() }

  @Test func `a model that is kept is there at the next start`() throws {
    do {
      let runtime = try app.runtime(Self.settings)
      try runtime.evaluate(
        "settings.theme = 'light' settings.recent:append('a') settings.recent:append({ name = 'b' })",
        as: Value.self)
      runtime.settle()
      runtime.turn(timeout: 0.01)
    }
    let runtime = try app.runtime(Self.settings)
    #expect(
      try runtime.evaluate(
        "settings.theme .. settings.width .. settings.recent[1] .. settings.recent[2].name",
        as: String.self) == "light30ab")
  }

  @Test(arguments: [
    "property { type = \"list\" }", "property { type = \"list\", nullable = true }", "property {}",
  ])
  func `a list is restored although its property holds none when it is kept`(
    property: String
  ) throws {
    let script = "m = model 'm' { rows = \(property) } db:keep(m)"
    do {
      let runtime = try app.runtime(script)
      try runtime.evaluate(
        "m.rows = list { 'a', { name = 'b' } } m.rows:append('c') db:flush()", as: Value.self)
    }
    do {
      let runtime = try app.runtime(script)
      #expect(
        try runtime.evaluate("m.rows[1] .. m.rows[2].name .. m.rows[3]", as: String.self) == "abc")
      try runtime.evaluate("m.rows:append('d') m.rows[2].name = 'B' db:flush()", as: Value.self)
    }
    let runtime = try app.runtime(script)
    #expect(
      try runtime.evaluate("m.rows[2].name .. m.rows[4] .. #m.rows", as: String.self) == "Bd4")
    #expect(app.errors.isEmpty)
  }

  @Test func `a list stays in the file while its property takes no list`() throws {
    do {
      let runtime = try app.runtime("m = model 'm' { rows = list {} } db:keep(m)")
      try runtime.evaluate("m.rows:append('a') db:flush()", as: Value.self)
    }
    do {
      let runtime = try app.runtime("m = model 'm' { rows = 3 } db:keep(m)")
      #expect(try runtime.evaluate("m.rows", as: Int.self) == 3)
      #expect(app.errors.first?.hasPrefix("what was kept of m.rows does not fit any more") == true)
    }
    let runtime = try app.runtime("m = model 'm' { rows = list {} } db:keep(m)")
    #expect(try runtime.evaluate("m.rows[1]", as: String.self) == "a")
  }

  @Test func `a stored value beats a default that has changed`() throws {
    do {
      let runtime = try app.runtime(Self.settings)
      try runtime.evaluate("db:flush()", as: Value.self)
    }
    let runtime = try app.runtime(
      """
      settings = model "settings" { theme = "new", width = 99, more = 1 }
      db:keep(settings)
      """)
    #expect(
      try runtime.evaluate("settings.theme .. settings.width .. settings.more", as: String.self)
        == "dark301")
  }

  @Test func `a list is kept under a name`() throws {
    do {
      let runtime = try app.runtime("names = list {} db:keep(names, 'names')")
      try runtime.evaluate("names:append('ann') names:append('bob') db:flush()", as: Value.self)
    }
    let runtime = try app.runtime("names = list {} db:keep(names, 'names')")
    #expect(
      try runtime.evaluate("table.concat(names:totable(), ' ')", as: String.self) == "ann bob")
  }

  @Test func `a transaction that fails writes nothing, and what was changed is written after it`()
    throws
  {
    let runtime = try app.runtime(Self.settings)
    try runtime.evaluate("db:flush()", as: Value.self)
    try runtime.evaluate(
      """
      pcall(db.transaction, db, function()
        settings.width = 5
        db:run("DELETE FROM entry")
        error("no")
      end)
      """, as: Value.self)
    #expect(try runtime.evaluate("db:value('SELECT count(*) FROM entry').value", as: Int.self) == 3)
    try runtime.evaluate("db:flush()", as: Value.self)
    #expect(try stored("width") == "5")
  }

  @Test func `a transaction holds what has settled in it`() throws {
    let runtime = try app.runtime("\(Self.settings) db:flush()")
    try runtime.evaluate(
      """
      db:transaction(function()
        settings.width = 5
        settings.recent:append("a")
        db:run("DELETE FROM entry")
      end)
      """, as: Value.self)
    #expect(try stored("width") == "5")
    #expect(try app.query("SELECT value FROM tide_kept_row") == "\"a\"")
    #expect(
      StoredApp.message(runtime, "db:transaction(function() db:flush() end)").contains(
        "call db:flush() after it"))
  }

  private func stored(_ property: String) throws -> String {
    try app.query("SELECT value FROM tide_kept WHERE property = '\(property)'")
  }

  /// How many rows of any table a script writes.
  private func writes(_ runtime: Runtime, _ script: String) throws -> Int {
    let store = try runtime.evaluate("db", as: Store.self)
    try runtime.evaluate("db:flush()", as: Value.self)
    let before = try store.connection.number("SELECT total_changes()")
    try runtime.evaluate("\(script) db:flush()", as: Value.self)
    return try store.connection.number("SELECT total_changes()") - before
  }

  private static let rows = """
    local filled = {}
    for number = 1, 1000 do filled[number] = { name = "row " .. number, n = number } end
    rows = list(filled)
    db:keep(rows, "rows")
    """

  @Test func `of a long list only the rows that have changed are written`() throws {
    let runtime = try app.runtime(Self.rows)
    #expect(try writes(runtime, "rows[500].n = 7") == 1)
    #expect(try writes(runtime, "rows[500].n = 8 rows[500].n = 9 rows[3].name = 'three'") == 2)
    #expect(try writes(runtime, "rows:insert(1, { name = 'first', n = 0 })") == 1)
    #expect(try writes(runtime, "rows:insert(500, { name = 'mid', n = 0 })") == 1)
    #expect(try writes(runtime, "rows:move(900, 2)") == 1)
    #expect(try writes(runtime, "rows:remove(10)") == 1)
    #expect(try writes(runtime, "rows[4] = { name = 'other', n = 0 }") == 2)
    let names = try runtime.evaluate(Self.names, as: String.self)
    runtime.end()
    let again = try app.runtime("rows = list {} db:keep(rows, 'rows')")
    #expect(try again.evaluate(Self.names, as: String.self) == names)
    #expect(try writes(again, "rows[1].n = 100") == 1)
  }

  private static let names = """
    (function()
      local names = {}
      for index = 1, #rows do names[index] = rows[index].name end
      return table.concat(names, ",")
    end)()
    """

  @Test func `rows that are put between the same two again and again keep short places`() throws {
    let runtime = try app.runtime("rows = list { 'a', 'b' } db:keep(rows, 'rows')")
    try runtime.evaluate(
      "for number = 1, 2000 do rows:insert(2, 'n' .. number) if number % 100 == 0 then db:flush() end end",
      as: Value.self)
    try runtime.evaluate(
      "for number = 1, 500 do rows:insert(2, 'm' .. number) db:flush() end", as: Value.self)
    #expect(
      (Int(try app.query("SELECT max(length(place)) FROM tide_kept_row")) ?? 1000) < 200)
    let text = try runtime.evaluate("table.concat(rows:totable(), ' ')", as: String.self)
    runtime.end()
    let again = try app.runtime("rows = list {} db:keep(rows, 'rows')")
    #expect(try again.evaluate("table.concat(rows:totable(), ' ')", as: String.self) == text)
  }

  @Test func `a list in a property may become another one`() throws {
    do {
      let runtime = try app.runtime(Self.settings)
      try runtime.evaluate(
        "settings.recent:append('a') db:flush() settings.recent = list { 'x', 'y' } db:flush()",
        as: Value.self)
      try runtime.evaluate("settings.recent:append('z') db:flush()", as: Value.self)
    }
    let runtime = try app.runtime(Self.settings)
    #expect(
      try runtime.evaluate("table.concat(settings.recent:totable())", as: String.self) == "xyz")
  }

  @Test func `what no file can hold is listed, and the rest is written`() throws {
    let runtime = try app.runtime(Self.settings)
    try runtime.evaluate(
      "settings.recent:append({ f = print }) settings.width = 1 db:flush()", as: Value.self)
    #expect(app.errors.contains { $0.contains("a value is not kept") }, "\(app.errors)")
    #expect(try stored("width") == "1")
  }

  @Test func `a list that does not fit any more stays as it is until it changes`() throws {
    do {
      let runtime = try app.runtime("settings = model 'settings' { a = 'text' } db:keep(settings)")
      try runtime.evaluate("db:flush()", as: Value.self)
    }
    let runtime = try app.runtime(
      "settings = model 'settings' { a = list { 1 } } db:keep(settings)")
    try runtime.evaluate("db:flush()", as: Value.self)
    #expect(try stored("a") == "\"text\"")
    try runtime.evaluate("settings.a:append(2) db:flush()", as: Value.self)
    #expect(try app.query("SELECT value FROM tide_kept_row ORDER BY place") == "1\n2")
  }

  @Test func `what does not fit any more is reported and stays`() throws {
    do {
      let runtime = try app.runtime(Self.settings)
      try runtime.evaluate("settings.theme = 'light' db:flush()", as: Value.self)
    }
    let runtime = try app.runtime(
      "settings = model 'settings' { theme = 7 } db:keep(settings)")
    #expect(try runtime.evaluate("settings.theme", as: Int.self) == 7)
    #expect(app.errors.contains { $0.contains("settings.theme") })
  }

  @Test func `objects without fields are kept`() throws {
    let script = """
      Mark = class "Mark" {}
      marks = model "marks" { one = property {}, all = list {} }
      db:keep(marks)
      """
    do {
      let runtime = try app.runtime(script)
      try runtime.evaluate(
        "marks.one = Mark {} marks.all:append(object {}, marks.one) db:flush()", as: Value.self)
      #expect(runtime.errors.isEmpty, "\(runtime.errors.map(\.message))")
    }
    let runtime = try app.runtime(script)
    #expect(
      try runtime.evaluate(
        "#marks.all == 2 and isa(marks.one, Mark) and isa(marks.all[2], Mark)", as: Bool.self))
  }
}
