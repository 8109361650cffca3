import Fuzzing
import TestFolders
import TideBindings
import TideScript
import TideStore
import Testing

@testable import TideCheck

@Suite struct `The columns of a query` {
  private func schema(_ statements: String...) -> any SQLSchema {
    LiteralSQL().schema(of: statements.map { SchemaStatement($0) })
  }

  private static let book = "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT DEFAULT 'it''s')"

  @Test(arguments: [
    ("SELECT id, title FROM book", ["id", "title"]),
    ("select distinct b.title as name, count(*) AS total from book b", ["name", "total"]),
    ("SELECT ALL title FROM book -- all", ["title"]),
    ("SELECT /* both */ * FROM book AS q", ["id", "title"]),
    ("SELECT q.* FROM book q, book r", ["id", "title"]),
    ("WITH t AS (SELECT title FROM book) SELECT * FROM t", ["title"]),
    ("SELECT count(*) FROM book", ["count(*)"]),
    ("SELECT id AS x FROM book UNION SELECT 1", ["x"]),
    ("SELECT (SELECT max(id) FROM book) AS most, 1 AS \"odd name\"", ["most", "odd name"]),
    ("DELETE FROM book", []),
  ])
  func `are those that SQLite gives it`(sql: String, columns: [String]) {
    #expect(schema(Self.book).read(sql) == .columns(columns))
  }

  @Test(arguments: [
    ("ALTER TABLE book ADD COLUMN pages INTEGER", ["id", "title", "pages"]),
    ("ALTER TABLE book RENAME COLUMN title TO name", ["id", "name"]),
    ("ALTER TABLE book DROP COLUMN title", ["id"]),
    (
      "CREATE TABLE b (id, name); INSERT INTO b SELECT * FROM book; DROP TABLE book; "
        + "ALTER TABLE b RENAME TO book", ["id", "name"]
    ),
    ("DROP TABLE book; CREATE VIEW book AS SELECT 1 AS one", ["one"]),
    (
      "CREATE TABLE [my b] (id); DROP TABLE book; CREATE TABLE book AS SELECT * FROM [my b]", ["id"]
    ),
  ])
  func `follow what later statements make of the table`(change: String, columns: [String]) {
    #expect(schema(Self.book, change).read("SELECT * FROM book") == .columns(columns))
  }

  @Test func `need no order of the texts`() {
    let made = schema("ALTER TABLE book ADD COLUMN pages", Self.book)
    #expect(made.read("SELECT * FROM book") == .columns(["id", "title", "pages"]))
  }

  @Test(arguments: [
    ("SELECT titel FROM book", SQLReading.failure("no such column: titel")),
    ("SELECT title FRM book", .failure("near \"book\": syntax error")),
    ("SELECT title FROM books", .missingTable("no such table: books")),
    (
      "SELECT 1; SELECT 2",
      .failure(
        "there are several statements in this text; only migrations may have more than one")
    ),
    ("PRAGMA quick_check", .unknown),
  ])
  func `come with the failure of one that cannot run`(sql: String, reading: SQLReading) {
    #expect(schema(Self.book).read(sql) == reading)
  }

  @Test(arguments: [
    "ALTER TABLE book ADD COLUMN", "ALTER TABLE book ADD", "ALTER TABLE", "ALTER",
    "ALTER TABLE %s ADD COLUMN x", "CREATE TABLE IF NOT EXISTS book (other)",
    "CREATE TABLE book (other)",
  ])
  func `are not judged where a statement cannot be followed`(text: String) {
    let made = schema(Self.book, text)
    #expect(made.read("SELECT absent FROM book") == .unknown)
    #expect(made.read("SELECT * FROM book") == .unknown)
  }

  @Test func `are known of a table beside one that is not`() {
    let made = schema(Self.book, "CREATE TABLE loan (id)", "ALTER TABLE loan ADD COLUMN")
    #expect(made.read("SELECT titel FROM book") == .failure("no such column: titel"))
    #expect(made.read("SELECT * FROM loan") == .unknown)
  }

  @Test func `are not judged where a statement runs only sometimes that removes some`() {
    let made = LiteralSQL().schema(of: [
      SchemaStatement(Self.book),
      SchemaStatement("ALTER TABLE book RENAME COLUMN title TO name", isCertain: false),
    ])
    #expect(made.read("SELECT name FROM book") == .unknown)
  }

  @Test(arguments: [
    ("SELECT id, name FROM a", ["id", "name"]),
    ("SELECT a.id, b.n AS size FROM a JOIN b", ["id", "size"]),
    ("SELECT x.id FROM a AS x WHERE x.id = ? ORDER BY rank", ["id"]),
    ("SELECT count(*) AS n FROM a", ["n"]),
    ("SELECT title, n FROM book JOIN a ON a.book = book.id", ["title", "n"]),
  ])
  func `are known by a query's own names where its tables are not`(sql: String, columns: [String]) {
    #expect(schema(Self.book).columns(of: sql) == columns)
  }

  @Test(arguments: [
    "SELECT * FROM a", "SELECT a.*, 1 AS n FROM a", "SELECT FROM", "SELECT nope() FROM a",
  ])
  func `are not known of a query that does not name them`(sql: String) {
    #expect(schema(Self.book).columns(of: sql) == nil)
  }

  @Test(arguments: [
    ("SELECT 1", [String?]()), ("SELECT ?, ?", [nil, nil]),
    ("SELECT :a, @b, $c, :a", ["a", "b", "c"]), ("SELECT :id || @id", ["id", "id"]),
    ("SELECT :größe", ["größe"]), ("SELECT '?', ? /* ? */ -- ?", [nil]),
    ("SELECT title FROM book WHERE id = ?2", [nil, "2"]),
    ("SELECT n FROM a WHERE n > :least AND m = ?", ["least", nil]),
    ("INSERT INTO a (n, m) VALUES (:n, ?)", ["n", nil]),
  ])
  func `come with the parameters that SQLite counts`(sql: String, names: [String?]) {
    #expect(schema(Self.book).parameters(of: sql) == names)
  }

  @Test(arguments: ["SELECT ?; SELECT ?", "SELECT ? FROM", "SELECT nope(?)"])
  func `come with no parameters where SQLite cannot read the text`(sql: String) {
    #expect(schema(Self.book).parameters(of: sql) == nil)
  }

  @Test func `take no longer to read than a moment`() {
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n"
    let made = schema(Self.book, "CREATE TABLE slow AS \(endless)")
    #expect(made.read("SELECT * FROM book") == .unknown)
    // Reading a query does not run it.
    #expect(schema(Self.book).read(endless) == .columns(["c"]))
  }

  @Test func `leave files alone`() throws {
    let folder = try ScratchFolder()
    let made = schema(
      "ATTACH '\(folder.path)/other.db' AS other", "CREATE TABLE other.t (a)",
      "CREATE TABLE t AS SELECT load_extension('x')")
    _ = made.read("VACUUM INTO '\(folder.path)/copy.db'")
    #expect(folder.entries(of: ".").isEmpty)
  }

  /// Reads a text in every way; it must not trap.
  private func read(_ text: String) {
    let made = schema(Self.book, text)
    _ = made.read(text)
    _ = made.read("SELECT * FROM book")
    _ = made.syntaxFailure(in: text)
    _ = made.parameters(of: text)
    var texts = SchemaTexts()
    texts.note(text, isConditional: false)
  }

  @Test(arguments: [
    "CREATE TABLE IF NOT EXISTS loan (id INTEGER PRIMARY KEY, t TEXT DEFAULT (1), UNIQUE (t))",
    "ALTER TABLE \"book\" ADD COLUMN 'pages' INTEGER -- many",
    "SELECT DISTINCT b.title AS `name`, b.*, (SELECT max(id) FROM book) AS z FROM book b WHERE id = ?",
  ])
  func `no beginning of a statement traps`(sql: String) {
    for end in sql.indices { read(String(sql[..<end])) }
    for start in sql.indices { read(String(sql[start...])) }
  }

  @Test(arguments: 0..<5) func `no text of its words traps`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let words = [
      "CREATE", "TABLE", "VIEW", "TRIGGER", "ALTER", "ADD", "COLUMN", "DROP", "RENAME", "TO",
      "SELECT", "DISTINCT", "FROM", "AS", "WITH", "WHERE", "PRIMARY", "KEY", "book", "title", "a",
      "*", ",", ".", "(", ")", ";", "\"", "'", "`", "[", "]", "--", "/*", "*/", "\n", "\0", "é",
      "7", "?", "%s", "PRAGMA", "BEGIN", "END", "EXPLAIN",
    ]
    for _ in 0..<400 {
      let count = Int.random(in: 0...9, using: &generator)
      let picked = (0..<count).compactMap { _ in words.randomElement(using: &generator) }
      read(picked.joined(separator: Bool.random(using: &generator) ? " " : ""))
    }
  }

  @Test(arguments: 0..<3) func `no text of any bytes traps`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let count = Int.random(in: 0...40, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      read("CREATE TABLE t (" + String(decoding: bytes, as: UTF8.self))
    }
  }
}

@Suite struct `SQL in a script` {
  private func problems(_ script: String) throws -> [String] {
    let folder = try ScratchFolder()
    folder.write(script, to: "app.lua")
    let check = try ScriptCheck(sql: LiteralSQL())
    return try check.run([folder.path]).flatMap(\.problems).map {
      "\($0.error.location?.line ?? 0): \($0.error.code.name) \($0.error.message)"
    }
  }

  private func app(_ migration: String, _ query: String, _ column: String) -> String {
    """
    local db = store.open("a.db")
    db:migrate { [[CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT, qty REAL)]], [[\(migration)]] }
    local rows = db:list [[\(query)]]
    for _, row in ipairs(rows) do print(row.\(column)) end
    """
  }

  @Test(arguments: [
    ("SELECT * FROM a AS q", "nme"), ("SELECT q.* FROM a q", "nme"),
    ("SELECT /* c */ name FROM a", "nme"), ("SELECT ALL name FROM a", "nme"),
    ("WITH t AS (SELECT id, name FROM a) SELECT * FROM t", "nme"), ("SELECT * FROM v", "nme"),
    ("SELECT count(*) FROM a", "x"),
  ])
  func `gives rows whose other properties are mistakes`(query: String, column: String) throws {
    let found = try problems(app("CREATE VIEW v AS SELECT id, name FROM a", query, column))
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("4: ") == true && found.first?.contains(column) == true)
  }

  @Test(arguments: [
    ("SELECT nam FROM a", "no such column: nam"), ("SELECT name FROM aa", "no such table: aa"),
    ("SELECT name FRM a", "near \"a\": syntax error"),
  ])
  func `is a mistake where running it fails`(query: String, reason: String) throws {
    let found = try problems(app("CREATE TABLE b (id)", query, "id"))
    #expect(found.contains("3: store SQLite refuses this statement: \(reason)"), "\(found)")
  }

  @Test func `of a migration is a mistake while it is half typed`() throws {
    let found = try problems(app("ALTER TABLE a ADD COLUMN", "SELECT * FROM a", "nme"))
    #expect(found == ["2: store SQLite refuses this migration: incomplete input"])
  }

  @Test(arguments: [
    "local db = store.open(\"a.db\")\nprint(#db:list \"SELECT name FROM theirs\")\n",
    "local db = store.open(\"a.db\")\ndb:run \"CREATE TABLE a (b)\"\nprint(#db:list \"SELECT c FROM d\")\n",
    "local db = store.open(\"a.db\")\ndb:migrate { file.read \"1.sql\" }\nprint(#db:list \"SELECT c FROM d\")\n",
    "local db = store.open(\"a.db\")\ndb:migrate { \"CREATE TABLE a (b)\" }\nprint(pcall(function() db:run \"SELEC\" end))\n",
  ])
  func `is left alone where its tables may be others'`(script: String) throws {
    #expect(try problems(script).filter { $0.contains("SQLite") }.isEmpty)
  }
}
