import TestFolders
import TideBindings
import TideLua
import TideReload
import TideScript
import TideSystem
import Testing

@testable import TideStore

/// Edits of rows that are refused, removed, rolled back, or continued by another version.
@Suite("Edits of rows that fail") struct RowEditsOutcomeTests {
  private let app: StoredApp

  init() throws { app = try StoredApp() }

  private func runtime(_ script: String = StoredApp.editedList) throws -> Runtime {
    try app.runtime(script)
  }

  private func run(_ runtime: Runtime, _ script: String) throws {
    try runtime.evaluate(script, as: Value.self)
  }

  private func messages(_ runtime: Runtime, with text: String) -> [String] {
    runtime.errors.map(\.message).filter { $0.contains(text) }
  }

  private func store(of runtime: Runtime) throws -> Store {
    try #require((runtime.storeTable as? StoreTable)?.open.first)
  }

  // MARK: Transactions

  @Test func `edits are written after a transaction fails around the one that has written them`()
    throws
  {
    let runtime = try runtime()
    _ = StoredApp.message(
      runtime,
      """
      db:transaction(function()
        db:transaction(function() all[1].payee = 'cook' end)
        error('no')
      end)
      """)
    #expect(try app.isWritten(runtime, "cook"))
  }

  @Test func `edits replace nothing in a transaction that fails`() throws {
    let runtime = try runtime(StoredApp.editedList.replacing(", writes = true", with: ""))
    let other = try app.otherProgram()
    try run(runtime, "all[1].payee = 'cook'")
    try other.configure("UPDATE entry SET payee = 'smith' WHERE id = 1")
    _ = StoredApp.message(
      runtime, "db:transaction(function() db:write(all[1]) error('no') end)")
    #expect(messages(runtime, with: "has replaced").isEmpty)
    try run(runtime, "db:write(all[1])")
    #expect(messages(runtime, with: "has replaced").count == 1)
  }

  @Test func `edits that replace what this program has written unseen say so`() throws {
    let runtime = try runtime()
    try run(
      runtime,
      """
      db:transaction(function()
        db:run("UPDATE entry SET payee = 'smith' WHERE id = 1") all[1].payee = 'cook'
      end)
      """)
    #expect(
      messages(runtime, with: "\"cook\" has replaced \"smith\", which this program wrote").count
        == 1,
      "\(runtime.errors.map(\.message))")
  }

  @Test
  func `edits that replace what this program has written say so, however late a list reads it`()
    throws
  {
    let runtime = try runtime(
      """
      class "entry" { id = 0, cents = 0 }
      all = db:list([[
        WITH RECURSIVE slow(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM slow WHERE i < 500000)
        SELECT id, cents FROM entry WHERE (SELECT max(i) FROM slow) > 0 ORDER BY id
      ]], nil, { class = "entry" })
      all[1].cents = 7
      db:transaction(function() db:run("UPDATE entry SET cents = 5 WHERE id = 1") end)
      wasLoading = all.loading
      """)
    #expect(try runtime.evaluate("wasLoading", as: Bool.self))
    #expect(try StoredApp.turn(runtime) { try !runtime.evaluate("all.loading", as: Bool.self) })
    try run(runtime, "db:write(all[1])")
    #expect(
      messages(runtime, with: "7 has replaced 5, which this program wrote").count == 1,
      "\(runtime.errors.map(\.message))")
  }

  @Test func `edits that were merged before a rollback are not merged again`() throws {
    let runtime = try runtime(StoredApp.editedList.replacing(", writes = true", with: ""))
    try run(
      runtime,
      """
      all[1].payee = 'baker words'
      function attempt(fails)
        db:transaction(function()
          db:run("UPDATE entry SET payee = 'Just baker' WHERE id = 1")
          for i = 1, 3 do
            pcall(function() db:transaction(function() db:write(all[1]) error('no') end) end)
          end
          db:write(all[1])
          if fails then error('no') end
        end)
      end
      pcall(attempt, true)
      pcall(attempt, true)
      """)
    #expect(try runtime.evaluate("all[1].payee", as: String.self) == "Just baker words")
    try run(runtime, "attempt()")
    #expect(try app.query("SELECT payee FROM entry WHERE id = 1") == "Just baker words")
  }

  @Test func `edits that were merged in a transaction that failed are written without the rest`()
    throws
  {
    let runtime = try runtime()
    _ = StoredApp.message(
      runtime,
      """
      db:transaction(function()
        all[1].payee = 'baker one' db:write(all[1])
        db:run("UPDATE entry SET payee = 'Just ' || payee WHERE id = 1")
        all[1].payee = 'baker one two' db:write(all[1])
        error('no')
      end)
      """)
    #expect(try app.isWritten(runtime, "baker one two"))
    #expect(try runtime.evaluate("all[1].payee", as: String.self) == "baker one two")
  }

  @Test func `edits that are merged and refused are merged once`() throws {
    let runtime = try runtime(
      """
      db:run [[CREATE TRIGGER refuse BEFORE UPDATE ON entry WHEN new.payee LIKE '%words'
        BEGIN SELECT RAISE(ABORT, 'no words'); END]]
      \(StoredApp.editedList)
      """)
    try run(
      runtime,
      """
      all[1].payee = 'baker words'
      db:transaction(function() db:run("UPDATE entry SET payee = 'Just baker' WHERE id = 1") end)
      """)
    #expect(StoredApp.turn(runtime) { !messages(runtime, with: "no words").isEmpty })
    try run(runtime, "pcall(db.flush, db) db:run('DROP TRIGGER refuse')")
    #expect(try app.isWritten(runtime, "Just baker words"))
  }

  // MARK: Refusals

  @Test func `edits that are refused are tried less and less often after commits of others`() throws
  {
    let runtime = try runtime(
      """
      db:run [[CREATE TRIGGER refuse BEFORE UPDATE ON entry WHEN new.payee = 'bad'
        BEGIN SELECT RAISE(ABORT, 'nothing is bad'); END]]
      \(StoredApp.editedList)
      """)
    let store = try store(of: runtime)
    let edits = try #require(store.queries(QueryList.self).first?.edits)
    try run(runtime, "all[1].payee = 'bad'")
    #expect(StoredApp.turn(runtime) { !messages(runtime, with: "nothing is bad").isEmpty })
    var pauses: [Double] = []
    for _ in 0..<9 {
      pauses.append(edits.pause)
      store.othersHaveWritten()
      // What the timer does after the pause.
      edits.writeOrList()
    }
    #expect(pauses == [0, 1, 2, 4, 8, 16, 32, 60, 60])
    try run(runtime, "all[2].payee = 'cook'")
    #expect(try app.isWritten(runtime, "cook", id: 2))
    #expect(edits.pause == 0)
    store.othersHaveWritten()
    try run(runtime, "db:run('DROP TRIGGER refuse')")
    #expect(try app.isWritten(runtime, "bad"))
    #expect(edits.pause == 0)
  }

  @Test func `edits of a row that is removed are not listed as refused any more`() throws {
    let runtime = try runtime(
      """
      class "entry" { id = 0, cents = 0 }
      all = db:list("SELECT id, cents * 2 AS cents FROM entry WHERE cents > 0 ORDER BY id", nil,
        { class = "entry", writes = true })
      for i = 1, 3 do all[i].cents = 1 end
      pcall(db.flush, db)
      """)
    #expect(runtime.errors.count == 3)
    try run(runtime, "db:run('DELETE FROM entry WHERE id < 3')")
    #expect(StoredApp.turn(runtime) { runtime.errors.count == 1 })
    // A row that leaves, and is released.
    try run(runtime, "db:run('UPDATE entry SET cents = -1')")
    runtime.lua.collectGarbage()
    #expect(
      try StoredApp.turn(runtime) {
        try run(runtime, "db:run('UPDATE entry SET payee = 1')")
        return runtime.errors.isEmpty
      })
  }

  @Test func `edits with a key that several rows have are refused without end of attempts`() throws
  {
    let runtime = try runtime(
      """
      class "entry" { payee = "", cents = 0 }
      db:run("UPDATE entry SET cents = 1")
      for _, name in ipairs { "one", "two" } do
        _G[name] = db:list("SELECT payee, cents FROM entry ORDER BY id", nil,
          { class = "entry", key = "cents", writes = true })
      end
      one[1].payee = "cook" two[2].payee = "cook"
      """)
    #expect(
      StoredApp.turn(runtime) {
        messages(runtime, with: "3 rows of entry have this key").count == 2
      })
    #expect(StoredApp.turn(runtime) { !runtime.loop.hasWork })
    #expect(try app.query("SELECT count(*) FROM entry WHERE payee = 'cook'") == "0")
  }

  @Test func `edits of an expression are refused once, and other rows are written at once`() throws
  {
    let runtime = try runtime(
      """
      class "entry" { id = 0, payee = "", cents = 0 }
      all = db:list("SELECT id, payee, cents * 2 AS cents FROM entry ORDER BY id", nil,
        { class = "entry", writes = true })
      """)
    try run(runtime, "all[1].cents = 8 all[2].payee = 'cook'")
    #expect(try app.isWritten(runtime, "cook", id: 2))
    try run(runtime, "all[3].payee = 'smith' db:flush()")
    #expect(messages(runtime, with: "\"cents\" is an expression of the query").count == 1)
    #expect(runtime.errors.count == 1)
  }

  @Test(arguments: ["ABORT", "ROLLBACK"])
  func `edits that the database refuses hold up no other row, and are tried again`(_ action: String)
    throws
  {
    let runtime = try runtime(
      """
      db:run [[CREATE TRIGGER refuse BEFORE UPDATE ON entry WHEN new.payee = 'bad'
        BEGIN SELECT RAISE(\(action), 'nothing is bad'); END]]
      \(StoredApp.editedList)
      """)
    try run(runtime, "all[1].payee = 'cook' all[2].payee = 'bad' all[3].payee = 'baker'")
    #expect(try app.isWritten(runtime, "cook", id: 1))
    #expect(try app.isWritten(runtime, "baker", id: 3))
    #expect(messages(runtime, with: "nothing is bad").count == 1)
    #expect(StoredApp.message(runtime, "db:flush()").contains("nothing is bad"))
    #expect(messages(runtime, with: "nothing is bad").count == 1)
    try run(runtime, "db:run('DROP TRIGGER refuse')")
    #expect(try app.isWritten(runtime, "bad", id: 2))
    #expect(StoredApp.turn(runtime) { runtime.errors.isEmpty })
  }

  // MARK: The end of an app

  @Test func `edits wait at the end for another program, and not for what is refused`() throws {
    let runtime = try runtime(
      """
      \(StoredApp.editedList)
      sums = db:list("SELECT id, cents * 2 AS cents FROM entry ORDER BY id", nil,
        { class = "entry", writes = true })
      """)
    let store = try store(of: runtime)
    let other = try app.otherProgram()
    try other.configure("BEGIN IMMEDIATE")
    try run(runtime, "all[1].payee = 'cook' sums[2].cents = 8")
    var attempts = 0
    let isWritten = store.writeRest {
      attempts += 1
      try? other.configure("COMMIT")
      return false
    }
    #expect(isWritten && attempts == 1)
    #expect(try app.query("SELECT payee FROM entry WHERE id = 1") == "cook")
  }

  @Test func `edits that are left at the end of an app do not keep the database open`() throws {
    weak var store: Store?
    do {
      let runtime = try runtime()
      store = try self.store(of: runtime)
      let other = try app.otherProgram()
      try other.configure("BEGIN IMMEDIATE")
      try run(runtime, "all[1].payee = 'cook'")
      runtime.exit(0, within: 0)
      runtime.end()
      try other.configure("COMMIT")
    }
    #expect(store == nil)
  }

  @Test func `edits of a context that ended do not keep the database of a released app open`()
    throws
  {
    weak var store: Store?
    let other: SQLiteConnection
    do {
      let runtime = try runtime("context('c', function() \(StoredApp.editedList) end)")
      store = try self.store(of: runtime)
      other = try app.otherProgram()
      try other.configure("BEGIN IMMEDIATE")
      try run(runtime, "all[1].payee = 'cook' context.clear('c')")
    }
    #expect(store == nil)
    try other.configure("COMMIT")
  }

  // MARK: Changes of the schema

  @Test func `edits are written when the table changes, and a lost column is told with its text`()
    throws
  {
    let runtime = try runtime()
    try run(
      runtime,
      """
      all[1].payee = 'cook' all[1].cents = 8 all[2].payee = 'baker'
      db:migrate { "", "ALTER TABLE entry DROP COLUMN cents" }
      """)
    #expect(try app.isWritten(runtime, "cook"))
    #expect(try app.isWritten(runtime, "baker", id: 2))
    #expect(
      messages(runtime, with: "entry has no column \"cents\" any more; not written: \"cents\": 8")
        .count == 1, "\(runtime.errors.map(\.message))")
  }

  @Test func `edits are written when another program changes the table`() throws {
    let runtime = try runtime()
    let other = try app.otherProgram()
    try run(runtime, "all[1].payee = 'cook'")
    try other.configure("ALTER TABLE entry ADD COLUMN note TEXT")
    #expect(try app.isWritten(runtime, "cook"))
    try run(runtime, "all[2].payee = 'baker'")
    #expect(try app.isWritten(runtime, "baker", id: 2))
    #expect(runtime.errors.isEmpty, "\(runtime.errors.map(\.message))")
  }

  // MARK: Versions

  /// An app that is saved while its edits wait for another program.
  @Test(arguments: ["-- saved", "error 'no'"])
  func `edits are written once, by one version`(_ rest: String) throws {
    let script = """
      db = store.open(arg[1] .. "/ledger.db")
      db:migrate { [[
        CREATE TABLE entry (id INTEGER PRIMARY KEY, payee TEXT, cents INTEGER, isPaid BOOLEAN);
        INSERT INTO entry (payee, cents) VALUES ('baker', 300), ('miller', 1200), ('smith', 50);
        CREATE TABLE log (payee TEXT);
        CREATE TRIGGER note AFTER UPDATE ON entry
          BEGIN INSERT INTO log VALUES (new.payee); END;
      ]] }
      \(StoredApp.editedList)
      """
    app.folder.write(script, to: "app.lua")
    var configuration = Runtime.Configuration()
    configuration.addStores()
    configuration.lua.access.store = [app.folder.path]
    configuration.arguments = [app.folder.path]
    let runtime = try Runtime(file: app.folder.path + "/app.lua", configuration: configuration)
    try runtime.load()
    let other = try app.otherProgram()
    try other.configure("BEGIN IMMEDIATE")
    try run(runtime, "all[1].payee = 'cook'")
    app.folder.write(script + "\n" + rest, to: "app.lua")
    _ = try? runtime.reload()
    try other.configure("COMMIT")
    #expect(try app.isWritten(runtime, "cook"))
    try run(runtime, "all[2].payee = 'baker' db:flush() all[3].payee = 'miller' db:flush()")
    #expect(try app.isWritten(runtime, "miller", id: 3))
    #expect(try app.query("SELECT group_concat(payee) FROM log") == "cook,baker,miller")
  }

  // MARK: Cost

  @Test func `edits of many rows take time for each of them only`() throws {
    func time(_ count: Int) throws -> Double {
      let app = try StoredApp()
      let runtime = try app.runtime(
        """
        db:run [[WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
          INSERT OR IGNORE INTO entry (id, payee, cents) SELECT i, 'x', i FROM n]]
        \(StoredApp.editedList)
        """)
      let start = EventLoop.threadTime()
      try run(runtime, "for i = 1, #all do all[i].cents = -i end db:flush()")
      defer { withExtendedLifetime(app) {} }
      let time = EventLoop.threadTime() - start
      #expect(
        try app.query("SELECT count(*) FROM entry WHERE cents < 0")
          == runtime.evaluate("return tostring(#all)", as: String.self))
      return time
    }
    _ = try time(100)
    let (few, many) = (try time(400), try time(4000))
    #expect(many < 40 * few, "\(few) \(many)")
  }
}
