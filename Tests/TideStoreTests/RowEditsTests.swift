import TestFolders
import TideBindings
import TideScript
import Testing

@testable import TideStore

/// Edits of the rows of a list with `writes = true`.
@Suite struct RowEditsTests {
  private let app: StoredApp
  private static let list = """
    class "entry" { id = 0, payee = "", cents = 0 }
    function open()
      all = db:list("SELECT id, payee, cents FROM entry WHERE cents < 5000 ORDER BY id", nil,
        { class = "entry", writes = true })
    end
    """

  init() throws { app = try StoredApp() }

  private func runtime(_ script: String = "open()") throws -> Runtime {
    try app.runtime(Self.list + "\n" + script)
  }

  private func payee() throws -> String { try app.query("SELECT payee FROM entry WHERE id = 1") }

  /// Runs an app to its end, and gives its exit code.
  private func end(_ runtime: Runtime) -> Int32? {
    var course = AppLifecycle()
    while course.needsStep(of: runtime, while: { runtime.loop.hasWork }) { runtime.turn() }
    course.leave(runtime)
    runtime.end()
    return runtime.exitCode
  }

  @Test(arguments: [
    "all[1].payee = 'cook'", "all[1].payee = 'cook' exit(0)",
    "on(app, 'willQuit', function() all[1].payee = 'cook' end)",
    "spawn(function() all[1].payee = 'cook' exit(0) end)",
    "effect(function() return function() all[1].payee = 'cook' end end)",
  ])
  func `edits are written when the app ends`(_ act: String) throws {
    let runtime = try runtime()
    _ = StoredApp.message(runtime, act)
    runtime.exit(0)
    #expect(end(runtime) == 0)
    #expect(try payee() == "cook")
  }

  @Test func `edits are written before flush returns, within a batch too`() throws {
    let runtime = try runtime()
    try runtime.evaluate("all[1].payee = 'cook' db:flush()", as: Value.self)
    #expect(try payee() == "cook")
    try runtime.evaluate(
      "batch(function() all[1].payee = 'smith' db:flush() end)", as: Value.self)
    #expect(try payee() == "smith")
  }

  @Test func `edits are written when their context ends in the same turn`() throws {
    let runtime = try runtime("")
    try runtime.evaluate(
      "context('c', open) all[1].payee = 'cook' context.clear('c')", as: Value.self)
    #expect(try payee() == "cook")
  }

  @Test func `edits wait for another program after their context has ended`() throws {
    let runtime = try runtime("context('c', open)")
    let other = try app.otherProgram()
    try other.configure("BEGIN IMMEDIATE")
    try runtime.evaluate("all[1].payee = 'cook' context.clear('c') all = nil", as: Value.self)
    #expect(runtime.errors.contains { $0.message.contains("another program is writing") })
    try other.configure("COMMIT")
    #expect(try app.isWritten(runtime, "cook"))
    #expect(runtime.errors.isEmpty)
  }

  @Test func `edits are written of rows that leave the list, then and later`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      "row = all[1] row.payee = 'cook' db:run('UPDATE entry SET cents = 9000 WHERE id = 1')",
      as: Value.self)
    StoredApp.finishReading(runtime)
    #expect(try runtime.evaluate("all[1].payee", as: String.self) == "miller")
    #expect(try app.isWritten(runtime, "cook"))
    try runtime.evaluate("row.payee = 'smith'", as: Value.self)
    #expect(try app.isWritten(runtime, "smith"))
    #expect(runtime.errors.isEmpty)
  }

  @Test func `edits are written with the transaction in which they are made`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      "db:transaction(function() all[1].payee = 'cook' end)", as: Value.self)
    #expect(try payee() == "cook")
  }

  @Test func `edits are written again after a transaction that has written them fails`() throws {
    let runtime = try runtime()
    _ = StoredApp.message(
      runtime,
      "db:transaction(function() all[1].payee = 'cook' db:write(all[1]) error('no') end)")
    #expect(try runtime.evaluate("all[1].payee", as: String.self) == "cook")
    #expect(try app.isWritten(runtime, "cook"))
  }

  @Test func `edits of a row that another program has removed are listed with their text`() throws {
    let runtime = try runtime()
    // Not by db:run, which waits in a task: the edit might be written before the row is removed.
    let other = try app.otherProgram()
    try runtime.evaluate("all[1].payee = 'cook'", as: Value.self)
    try other.configure("DELETE FROM entry WHERE id = 1")
    #expect(
      StoredApp.turn(runtime) {
        runtime.errors.contains {
          $0.code == .unwritten && $0.message.contains("not written: \"payee\": \"cook\"")
        }
      }, "\(runtime.errors.map(\.message))")
  }

  @Test func `edits of an expression are refused, and those of columns beside it are written`()
    throws
  {
    let runtime = try runtime(
      """
      all = db:list("SELECT id, payee, cents * 2 AS cents FROM entry ORDER BY id", nil,
        { class = "entry" })
      """)
    let message = StoredApp.message(
      runtime, "all[1].payee = 'cook' all[1].cents = 8 db:write(all[1])")
    #expect(message.contains("\"cents\" is an expression of the query"), "\(message)")
    #expect(try app.query("SELECT payee, cents FROM entry WHERE id = 1") == "cook|300")
  }

  @Test func `edits are none where the class only converts what the database has`() throws {
    let runtime = try runtime(
      """
      all = db:list("SELECT id, payee, cents * 1.0 AS cents FROM entry ORDER BY id", nil,
        { class = "entry", writes = true })
      """)
    try runtime.evaluate("all[1].payee = 'cook' db:flush()", as: Value.self)
    #expect(try payee() == "cook")
    #expect(runtime.errors.isEmpty, "\(runtime.errors.map(\.message))")
  }

  @Test func `edits that cannot be written when the app ends are told, and its exit code is 1`()
    throws
  {
    let runtime = try runtime(
      "open() settings = model 'settings' { width = 30 } db:keep(settings) db:flush()")
    let other = try app.otherProgram()
    try other.configure("BEGIN IMMEDIATE")
    _ = StoredApp.message(runtime, "all[1].payee = 'cook' settings.width = 40")
    runtime.exit(0, within: 0)
    #expect(end(runtime) == 1)
    let told = runtime.errors.filter { $0.code == .unwritten }.map(\.message)
    #expect(
      told.contains {
        $0.contains("without writing settings, \"payee\" of a row of entry: \"cook\"")
      }, "\(told)")
    try other.configure("COMMIT")
  }

  @Test func `edits that replaced a value unseen are listed until the value is written again`()
    throws
  {
    let runtime = try runtime()
    let other = try app.otherProgram()
    for end in ["all[1].payee = 'baker' db:flush()", "db:run('DELETE FROM entry WHERE id = 1')"] {
      try runtime.evaluate("all[1].payee = 'cook'", as: Value.self)
      try other.configure("UPDATE entry SET payee = 'smith' WHERE id = 1")
      try runtime.evaluate("db:flush()", as: Value.self)
      #expect(
        runtime.errors.contains {
          $0.message.contains("\"cook\" has replaced \"smith\", which another program wrote")
        }, "\(runtime.errors.map(\.message))")
      try runtime.evaluate(end, as: Value.self)
      #expect(runtime.errors.isEmpty, "\(runtime.errors.map(\.message))")
    }
  }
}
