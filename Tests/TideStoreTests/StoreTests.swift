import TestFolders
import TideBindings
import TideLua
import TideScript
import TideSystem
import Testing

@testable import TideStore

@Suite struct StoreTests {
  private let app: StoredApp

  init() throws { app = try StoredApp() }

  @Test func `a statement tells what it has changed`() throws {
    let runtime = try app.runtime(
      "changes, key = db:run('INSERT INTO entry (payee) VALUES (?), (?)', { 'a', 'b' })")
    #expect(try runtime.evaluate("changes", as: Int.self) == 2)
    #expect(try runtime.evaluate("key", as: Int.self) == 5)
  }

  @Test func `parameters stand for values by place or name, whatever is in them`() throws {
    let runtime = try app.runtime(
      """
      db:run("INSERT INTO entry (payee, cents) VALUES (:payee, :cents)",
        { payee = "'); DROP TABLE entry; --", cents = 1.5 })
      found = db:row("SELECT * FROM entry WHERE cents = ?", { 1.5 })
      """)
    #expect(try runtime.evaluate("found.payee", as: String.self) == "'); DROP TABLE entry; --")
    #expect(
      StoredApp.message(runtime, "db:run('DELETE FROM entry WHERE id = ?')").contains(
        "takes 1 parameters"))
    #expect(
      StoredApp.message(runtime, "db:run('DELETE FROM entry WHERE id = :id', { name = 1 })")
        .contains(
          "the parameter :id is not given"))
  }

  @Test func `a transaction keeps all or nothing`() throws {
    let runtime = try app.runtime()
    let text = StoredApp.message(
      runtime,
      """
      db:transaction(function()
        db:run("DELETE FROM entry")
        error("no, not that")
      end)
      """)
    #expect(text.contains("no, not that"))
    #expect(try runtime.evaluate("db:value('SELECT count(*) FROM entry').value", as: Int.self) == 3)
    try runtime.evaluate(
      """
      db:transaction(function()
        db:run("DELETE FROM entry WHERE id = 1")
        pcall(db.transaction, db, function() db:run("DELETE FROM entry") error("inner") end)
      end)
      """, as: Value.self)
    #expect(try runtime.evaluate("db:value('SELECT count(*) FROM entry').value", as: Int.self) == 2)
  }

  @Test(arguments: [
    "INSERT OR ROLLBACK INTO entry (id, payee) VALUES (1, 'twice')",
    "INSERT INTO entry (payee) VALUES ('refused')",
  ])
  func `a transaction that has been rolled back within takes no further statement`(
    sql: String
  ) throws {
    let runtime = try app.runtime(
      """
      db:run [[
        CREATE TRIGGER no BEFORE INSERT ON entry WHEN new.payee = 'refused'
        BEGIN SELECT RAISE(ROLLBACK, 'not this one'); END
      ]]
      """)
    let text = StoredApp.message(
      runtime,
      """
      db:transaction(function()
        db:run("DELETE FROM entry WHERE id = 1 + 1")
        first = select(2, pcall(db.run, db, "\(sql)"))
        inner = pcall(db.transaction, db, function() end)
        read = pcall(db.value, db, "SELECT 1")
        db:run("INSERT INTO entry (payee) VALUES ('kept by mistake')")
      end)
      """)
    #expect(text.contains("the transaction has been rolled back already"))
    #expect(text.contains("UNIQUE constraint failed") || text.contains("not this one"))
    #expect(try runtime.evaluate("inner or read", as: Bool.self) == false)
    #expect(try app.query("SELECT group_concat(payee) FROM entry") == "baker,miller,smith")
    try runtime.evaluate(
      "db:transaction(function() db:run('DELETE FROM entry') end)", as: Value.self)
    #expect(try app.query("SELECT count(*) FROM entry") == "0")
  }

  @Test func `what is written when a transaction has ended shows at once`() throws {
    let runtime = try app.runtime(
      """
      db:run("CREATE TABLE log (text)")
      all = db:list("SELECT * FROM entry")
      log = db:list("SELECT * FROM log")
      count = db:value("SELECT count(*) FROM log")
      last = db:row("SELECT text FROM log ORDER BY rowid DESC")
      all:observe(function() db:run("INSERT INTO log VALUES ('observed')") end)
      effect(function()
        if #all == 5 then db:run("INSERT INTO log VALUES ('an effect')") end
      end)
      """)
    for name in ["cook", "king"] {
      let insertion = "db:run(\"INSERT INTO entry (payee) VALUES ('\(name)')\")"
      try runtime.evaluate("db:transaction(function() \(insertion) end)", as: Value.self)
    }
    let stored = try app.query("SELECT count(*) FROM log")
    #expect(stored == "3")
    // A query that took long once is asked on another thread.
    #expect(
      try StoredApp.turn(runtime) {
        try runtime.evaluate("#log .. ' ' .. count.value", as: String.self) == "3 3"
      })
    #expect(
      try runtime.evaluate("last.text", as: String.self)
        == app.query("SELECT text FROM log ORDER BY rowid DESC LIMIT 1"))
  }

  @Test func `null stands for NULL, and nan is refused`() throws {
    let runtime = try app.runtime(
      """
      db:run("UPDATE entry SET payee = ? WHERE id = 1", { null })
      db:run("UPDATE entry SET payee = :payee WHERE id = 2", { payee = null })
      db:run("UPDATE entry SET cents = ? WHERE id = 3", { 1 / 0 })
      """)
    #expect(try app.query("SELECT count(*) FROM entry WHERE payee IS NULL") == "2")
    #expect(try app.query("SELECT cents FROM entry WHERE id = 3") == "inf")
    for parameters in ["{ 0 / 0 }", "{ cents = 0 / 0 }"] {
      let text = StoredApp.message(
        runtime, "db:run('UPDATE entry SET cents = :cents', \(parameters))")
      #expect(text.contains("a database cannot hold nan"))
    }
    #expect(
      StoredApp.message(runtime, "db:run('DELETE FROM entry WHERE id = ?', { NoSelection })")
        .contains("not NoSelection"))
  }

  @Test(arguments: [
    "CREATE TABLE a (b); INSERT INTO a VALUES (1)", "DELETE FROM entry; DELETE FROM entry",
    "DELETE FROM entry; and more",
  ])
  func `several statements in one text are refused, whatever the later ones need`(
    sql: String
  ) throws {
    let runtime = try app.runtime()
    #expect(
      StoredApp.message(runtime, "db:run('\(sql)')").contains(
        "there are several statements in this text"))
    #expect(try app.query("SELECT count(*) FROM entry") == "3")
    #expect(StoredApp.message(runtime, "db:run('DELETE FROM entry; -- all of it')") == "")
  }

  @Test func `migrations run once, in order, and all or none`() throws {
    let runtime = try app.runtime()
    let broken =
      "db:migrate { 'SELECT 1', 'ALTER TABLE entry ADD day TEXT', 'CREATE TABLE broken (' }"
    #expect(StoredApp.message(runtime, broken).contains("migration 3"))
    try runtime.evaluate("db:migrate { 'x', 'ALTER TABLE entry ADD day TEXT' }", as: Value.self)
    try runtime.evaluate("db:migrate { 'x', 'ALTER TABLE entry ADD day TEXT' }", as: Value.self)
    #expect(
      StoredApp.message(runtime, "db:migrate { 'x' }").contains(
        "the database is of version 2, and this script"))
  }

  @Test(arguments: [
    "ATTACH '/tmp/other.db' AS other", "PRAGMA journal_mode = DELETE",
    "PRAGMA temp_store_directory = '/'",
    "SELECT load_extension('evil')", "VACUUM INTO '/tmp/stolen.db'", "PRAGMA writable_schema = 1",
    "BEGIN", "COMMIT", "SAVEPOINT x", "SELECT * FROM nothing", "no statement", "",
    "SELECT 1; SELECT 2",
  ])
  func `what is not for scripts is refused`(sql: String) throws {
    let runtime = try app.runtime()
    #expect(StoredApp.message(runtime, "db:run(\"\(sql)\")") != "")
    #expect(access("/tmp/stolen.db", F_OK) != 0)
  }

  @Test func `a database outside of the folders that are allowed is refused`() throws {
    let runtime = try app.runtime()
    #expect(StoredApp.message(runtime, "store.open('/tmp/else.db')").contains("not allowed"))
    symlink("/tmp/tidelock-elsewhere.db", app.folder.path + "/link.db")
    #expect(
      StoredApp.message(runtime, "store.open('\(app.folder.path)/link.db')").contains("not allowed")
    )
  }

  @Test func `a statement that never ends is stopped with its turn`() throws {
    let runtime = try app.runtime { $0.lua.turn = .milliseconds(200) }
    let start = ContinuousClock.now
    let text = StoredApp.message(
      runtime,
      """
      db:value("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n")
      """)
    #expect(text != "")
    #expect(ContinuousClock.now - start < .seconds(3))
    #expect(try runtime.evaluate("db:value('SELECT 1').value", as: Int.self) == 1)
  }

  @Test func `a query that takes more memory than there is ends as an error`() throws {
    let runtime = try app.runtime { $0.lua.memory = 64 << 20 }
    let many =
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000) SELECT randomblob(1000000) AS b FROM n"
    #expect(
      StoredApp.message(runtime, "db:list(\"\(many)\")").contains("memory"))
    let sorted = StoredApp.message(runtime, "db:value(\"\(many) ORDER BY b DESC\")")
    #expect(sorted.contains("out of memory"), "\(sorted)")
    #expect(try runtime.evaluate("db:value('SELECT 1').value", as: Int.self) == 1)
  }

  @Test func `a statement is named where a stopped task cannot take it back`() throws {
    let runtime = try app.runtime { $0.lua.turn = .milliseconds(500) }
    try runtime.evaluate(
      """
      spawn(function()
        db:run("INSERT INTO entry (payee) VALUES ('late')")
        while true do end
      end)
      """, as: Value.self)
    #expect(StoredApp.turn(runtime) { !runtime.errors.isEmpty })
    #expect(runtime.errors.first?.budget?.lasting.first?.hasPrefix("db:run ") == true)
    #expect(try app.query("SELECT count(*) FROM entry") == "4")
  }

  @Test func `in place of a real file a spec has one in memory`() throws {
    var configuration = Runtime.Configuration()
    configuration.addStores()
    configuration.takesStubs = true
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(
      "db = store.open('nowhere.db') db:migrate { 'CREATE TABLE t (x)' } db:run('INSERT INTO t VALUES (1)')",
      as: Value.self)
    #expect(try runtime.evaluate("db:value('SELECT x FROM t').value", as: Int.self) == 1)
    #expect(access("nowhere.db", F_OK) != 0)
  }
}
