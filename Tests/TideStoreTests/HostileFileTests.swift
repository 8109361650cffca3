import CSQLite
import Fuzzing
import Glibc
import TestFolders
import TideBindings
import TideLua
import TideScript
import TideSystem
import Testing

@testable import TideStore

/// Files that another program has made, whose schema or pages are hostile.
@Suite struct `Files of other programs` {
  private let app: StoredApp

  init() throws { app = try StoredApp() }

  /// Makes a database with SQLite as it is, and opens it as a script does.
  private func made(_ sql: String, turn: Duration = .seconds(30)) throws -> Runtime {
    var database: OpaquePointer?
    #expect(sqlite3_open(app.folder.path + "/hostile.db", &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let runtime = try app.runtimeWithoutTables { $0.lua.turn = turn }
    try runtime.evaluate("db = store.open('\(app.folder.path)/hostile.db')", as: Value.self)
    return runtime
  }

  /// Each is a schema that calls a function which scripts do not have, and a statement that meets
  /// it.
  @Test(arguments: [
    ("CREATE VIEW v AS SELECT fts3_tokenizer('simple')", "SELECT * FROM v"),
    ("CREATE TABLE t (n CHECK (fts3_tokenizer('simple') IS NULL))", "INSERT INTO t VALUES (1)"),
    ("CREATE TABLE t (n, m DEFAULT (load_extension('evil')))", "INSERT INTO t (n) VALUES (1)"),
    ("CREATE TABLE t (n, m AS (json_patch(n, n)) STORED)", "INSERT INTO t VALUES ('{}')"),
    ("CREATE TABLE t (n); CREATE INDEX i ON t (json_patch(n, n))", "INSERT INTO t VALUES ('{}')"),
    (
      "CREATE TABLE t (n); CREATE INDEX i ON t (n) WHERE json_patch(n, n)",
      "INSERT INTO t VALUES ('{}')"
    ),
    (
      "CREATE TABLE t (n); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT fts3_tokenizer('a', new.n); END",
      "INSERT INTO t VALUES ('AAAAAAAA')"
    ),
    ("CREATE VIRTUAL TABLE f USING fts3(x)", "SELECT * FROM f"),
    ("CREATE VIRTUAL TABLE f USING fts5(x)", "INSERT INTO f VALUES ('x')"),
    ("CREATE VIRTUAL TABLE f USING rtree(a, b, c)", "INSERT INTO f VALUES (1, 2, 3)"),
    ("CREATE VIEW v AS SELECT * FROM dbstat", "SELECT * FROM v"),
    ("CREATE VIEW v AS SELECT * FROM sqlite_dbpage", "SELECT * FROM v"),
  ])
  func `a schema calls nothing that scripts may not`(schema: String, statement: String) throws {
    let runtime = try made(schema)
    let message = StoredApp.message(runtime, "db:run(\"\(statement)\")")
    #expect(
      ["not for scripts", "unsafe use", "no such module", "no such table", "cannot be loaded"]
        .contains { message.contains($0) }, "\(message)")
    #expect(try runtime.evaluate("db:value('SELECT 1').value", as: Int.self) == 1)
  }

  @Test func `a schema takes no more time than a script`() throws {
    let runtime = try made(
      """
      CREATE TABLE t (n CHECK (length(replace(hex(zeroblob(1000000)), '0', n)) > 0));
      CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT * FROM n;
      """, turn: .seconds(hasSanitizer ? 10 : 1))
    try runtime.evaluate("db:run(\"INSERT INTO t VALUES ('a')\")", as: Value.self)
    let start = ContinuousClock.now
    #expect(StoredApp.message(runtime, "db:value('SELECT count(*) FROM v')") != "")
    // A busy machine delays what follows.
    #expect(ContinuousClock.now - start < .seconds(hasSanitizer ? 60 : 10))
  }

  @Test func `a journal deletes nothing elsewhere`() throws {
    let victim = app.folder.write("precious", to: "victim")
    var database: OpaquePointer?
    #expect(sqlite3_open(app.folder.path + "/hostile.db", &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, "CREATE TABLE t (n)", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let bytes = app.folder.readBytes("hostile.db")
    let page = Int(bytes[16]) << 8 | Int(bytes[17])
    app.folder.write(
      Self.journal(of: bytes, page: page, naming: victim), to: "hostile.db-journal")
    let runtime = try app.runtimeWithoutTables()
    _ = StoredApp.message(runtime, "store.open('\(app.folder.path)/hostile.db')")
    #expect(app.folder.read("victim") == "precious")
    #expect(try runtime.evaluate("1 + 1", as: Int.self) == 2)
  }

  /// A journal of the first page, which says that it belongs to another one.
  private static func journal(of bytes: [UInt8], page: Int, naming other: String) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xff) } }
    let mark: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let (nonce, sector) = (12_345, 512)
    var journal = mark + number(1) + number(nonce) + number(bytes.count / page)
    journal += number(sector) + number(page)
    journal += [UInt8](repeating: 0, count: sector - journal.count)
    // Every two hundredth byte counts, from the end.
    let sum = stride(from: page - 200, to: 0, by: -200).reduce(nonce) { $0 + Int(bytes[$1]) }
    journal += number(1) + bytes[..<page] + number(sum)
    let name = Array(other.utf8)
    journal += number(0x4000_0000 / page + 1) + name + number(name.count)
    return journal + number(name.reduce(0) { $0 + Int($1) }) + mark
  }

  @Test(.timeLimit(.minutes(60)), arguments: ["", "-journal", "-wal", "-shm"])
  func `a pipe in place of a file keeps nobody waiting`(suffix: String) throws {
    if !suffix.isEmpty {
      var database: OpaquePointer?
      #expect(sqlite3_open(app.folder.path + "/pipe.db", &database) == SQLITE_OK)
      #expect(sqlite3_exec(database, "CREATE TABLE t (n)", nil, nil, nil) == SQLITE_OK)
      sqlite3_close(database)
    }
    #expect(mkfifo(app.folder.path + "/pipe.db" + suffix, 0o600) == 0)
    let runtime = try app.runtimeWithoutTables()
    let message = StoredApp.message(runtime, "store.open('\(app.folder.path)/pipe.db')")
    #expect(message.contains("pipe.db"))
  }

  @Test func `a schema of many tables is read within the turn`() throws {
    var database: OpaquePointer?
    #expect(sqlite3_open(app.folder.path + "/many.db", &database) == SQLITE_OK)
    #expect(
      sqlite3_exec(
        database,
        """
        PRAGMA writable_schema = 1; CREATE TABLE t (a);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)
          INSERT INTO sqlite_schema
          SELECT 'table', 't' || i, 't' || i, 2, 'CREATE TABLE t' || i || '(a, b, c, d, e)' FROM n;
        """, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let runtime = try app.runtimeWithoutTables { $0.lua.turn = .milliseconds(100) }
    let start = ContinuousClock.now
    #expect(StoredApp.message(runtime, "store.open('\(app.folder.path)/many.db')") != "")
    // A busy machine delays what follows.
    #expect(ContinuousClock.now - start < .seconds(1))
    #expect(app.folder.entries(of: ".").contains("many.db"))
  }

  @Test func `changed pages are errors, whatever is in them`() throws {
    var random = SeededGenerator(seed: FuzzRun.seed(of: "pages", otherwise: 7))
    do {
      let runtime = try app.runtime()
      try runtime.evaluate(
        """
        db:run("CREATE TABLE long (id INTEGER PRIMARY KEY, a TEXT, b BLOB, c AS (upper(a)))")
        db:run("CREATE INDEX i ON long (a)")
        for n = 1, 200 do db:run("INSERT INTO long (a, b) VALUES (?, zeroblob(3000))", { "x" .. n }) end
        db:run("VACUUM")
        """, as: Value.self)
    }
    let whole = app.folder.readBytes("ledger.db")
    for round in 0..<40 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let place = Int.random(in: 20..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      app.folder.write(bytes, to: "page\(round).db")
      let runtime = try app.runtimeWithoutTables()
      for statement in [
        "SELECT count(*), sum(length(b)), max(c) FROM long", "SELECT * FROM long ORDER BY a DESC",
        "UPDATE long SET a = a || 'y'", "DELETE FROM long WHERE id % 3 = 0",
        "INSERT INTO long (a) SELECT a FROM long", "SELECT count(*) FROM long WHERE a > 'x5'",
        "PRAGMA integrity_check", "DROP TABLE long", "VACUUM",
      ] {
        _ = StoredApp.message(
          runtime,
          """
          db = store.open("\(app.folder.path)/page\(round).db")
          db:run("\(statement)")
          """)
      }
      #expect(try runtime.evaluate("1 + 1", as: Int.self) == 2)
    }
  }
}
