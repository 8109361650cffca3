import TideBindings
import TideLua
import TideScript
import Testing

@testable import TideStore

/// What a handler writes is taken back if its budget stops it. Values from the database are not what
/// it wrote: taken back, they would be written over.
@Suite(.serialized) struct `A handler that is stopped after it has read from a database` {
  private let app: StoredApp

  init() throws { app = try StoredApp() }

  /// A way to have the values of one run in the next, in which `see()` tells what they are.
  struct Keeping: CustomTestStringConvertible {
    let name: String
    let script: String
    let change: String
    var testDescription: String { name }

    static let all = [
      Keeping(
        name: "a model",
        script: """
          m = model "m" { n = 0, note = "", rows = list {} }
          function keep() db:keep(m) end
          function see() return m.n .. m.note .. #m.rows .. tostring(m.rows[2]) end
          """,
        change: "m.n = 42 m.note = 'kept' m.rows:append('a') m.rows:append('b')"),
      Keeping(
        name: "a list",
        script: """
          l = list {}
          function keep() db:keep(l, "l") end
          function see() return #l .. " " .. (l[1] and l[1].n or "none") end
          """,
        change: "for i = 1, 100 do l:append(object { n = i }) end"),
      Keeping(
        name: "a dict in a model",
        script: """
          m = model "m" { names = dict {} }
          function keep() db:keep(m) end
          function see() return tostring(m.names.ann) .. tostring(m.names.bob) end
          """,
        change: "m.names.ann = 1 m.names.bob = 'two'"),
      Keeping(
        name: "a session's model",
        script: """
          m = model "m" { n = 0 }
          function keep() session.keep(m) end
          function see() return tostring(m.n) end
          """,
        change: "m.n = 42"),
      Keeping(
        name: "a shared model",
        script: """
          m = shared("m", { n = 0, rows = list {} })
          function keep() db:keep(m) end
          function see() return m.n .. " " .. #m.rows end
          """,
        change: "m.n = 42 m.rows:append('a')"),
    ]
  }

  private func end(_ runtime: Runtime) throws {
    runtime.settle()
    try runtime.evaluate("db:flush()", as: Value.self)
    for _ in 0..<3 { runtime.turn(timeout: 0.01) }
  }

  /// Runs a script as a handler, which an endless loop ends.
  private func runStopped(_ script: String, in runtime: Runtime) throws {
    try runtime.evaluate(
      "after(0, function() \(script) hasRun = true while true do end end)", as: Value.self)
    runtime.lua.setTurnLimit(.milliseconds(500))
    let hasEnded = StoredApp.turn(runtime) { !runtime.errors.isEmpty }
    runtime.lua.setTurnLimit(.seconds(60))
    #expect(hasEnded)
    #expect(try runtime.evaluate("hasRun", as: Bool.self))
    #expect(runtime.errors.map(\.code) == [.scriptTime])
  }

  @Test(arguments: Keeping.all) func `has them in memory and on the disk`(_ keeping: Keeping)
    throws
  {
    let seen: String
    do {
      let runtime = try app.runtime(keeping.script + " keep() " + keeping.change)
      seen = try runtime.evaluate("see()", as: String.self)
      try end(runtime)
    }
    do {
      let runtime = try app.runtime(keeping.script)
      #expect(try runtime.evaluate("see()", as: String.self) != seen)
      try runStopped("keep()", in: runtime)
      #expect(try runtime.evaluate("see()", as: String.self) == seen)
      try end(runtime)
    }
    let runtime = try app.runtime(keeping.script + " keep()")
    #expect(try runtime.evaluate("see()", as: String.self) == seen)
    try end(runtime)
  }

  @Test(arguments: Keeping.all) func `loses what it has changed in them`(_ keeping: Keeping) throws
  {
    let seen: String
    do {
      let runtime = try app.runtime(keeping.script + " keep()")
      seen = try runtime.evaluate("see()", as: String.self)
      try end(runtime)
    }
    do {
      let runtime = try app.runtime(keeping.script)
      try runStopped("keep() " + keeping.change, in: runtime)
      #expect(try runtime.evaluate("see()", as: String.self) == seen)
      try end(runtime)
    }
    let runtime = try app.runtime(keeping.script + " keep()")
    #expect(try runtime.evaluate("see()", as: String.self) == seen)
    try end(runtime)
  }

  @Test func `leaves queries with the rows of the database`() throws {
    let runtime = try app.runtime(
      """
      entries = db:list "SELECT id, payee FROM entry ORDER BY id"
      first = db:row("SELECT payee FROM entry WHERE id = 1")
      count = db:value "SELECT count(*) FROM entry"
      desk = model "desk" { note = "" }
      """)
    try runStopped(
      """
      db:transaction(function()
        db:run("UPDATE entry SET payee = 'cook' WHERE id = 1")
        db:run("INSERT INTO entry (payee) VALUES ('smith')")
      end)
      desk.note = "half"
      assert(entries[1].payee == "cook" and first.payee == "cook" and count.value == 4)
      """, in: runtime)
    #expect(
      try runtime.evaluate("payees(entries) .. first.payee .. count.value", as: String.self)
        == "cook miller smith smithcook4")
    #expect(try app.query("SELECT payee FROM entry ORDER BY id") == "cook\nmiller\nsmith\nsmith")
    #expect(try runtime.evaluate("desk.note", as: String.self) == "")
  }
}
