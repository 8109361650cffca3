import Fuzzing
import Testing

@testable import TideCheck

@Suite struct `The columns of a query` {
  private func tables(_ statements: String...) -> [String: Set<String>] {
    statements.reduce(into: [:]) { QueryColumns(of: $1).note(in: &$0) }
  }

  @Test(arguments: [
    ("SELECT id, title FROM book", ["id", "title"]),
    ("select distinct b.title as name, count(*) AS total from book b", ["name", "total"]),
    (
      "SELECT (SELECT max(x) FROM y) AS most, \"odd name\" FROM t -- a comment",
      ["most", "odd name"]
    ),
  ])
  func `are those that it names`(sql: String, columns: [String]) {
    #expect(QueryColumns(of: sql).names(in: [:]) == Set(columns))
  }

  @Test(arguments: [
    "SELECT count(*) FROM book", "SELECT a + b FROM t", "SELECT * FROM unknown", "SELECT",
    "SELECT * FROM book JOIN loan", "INSERT INTO book VALUES (1)", "",
    "WITH x AS (SELECT 1) SELECT a FROM x", "SELECT 'text' FROM book",
  ])
  func `are not guessed`(sql: String) {
    let known = tables("CREATE TABLE book (id INTEGER)")
    #expect(QueryColumns(of: sql).names(in: known) == nil)
  }

  @Test func `are all those of a table that the app creates`() {
    let known = tables(
      "CREATE TABLE IF NOT EXISTS book (id INTEGER PRIMARY KEY, title TEXT DEFAULT (1, 2), "
        + "UNIQUE (title), FOREIGN KEY (id) REFERENCES x(id))",
      "ALTER TABLE book ADD COLUMN pages INTEGER", "ALTER TABLE book ADD year INTEGER")
    #expect(
      QueryColumns(of: "SELECT * FROM book WHERE id = ?").names(in: known)
        == ["id", "title", "pages", "year"])
    #expect(tables("CREATE TABLE a (b)", "ALTER TABLE a RENAME COLUMN b TO c").isEmpty)
  }

  @Test(arguments: ["ALTER TABLE a ADD COLUMN", "ALTER TABLE a ADD", "ALTER TABLE", "ALTER"])
  func `are as before while the next one is typed`(text: String) {
    #expect(tables("CREATE TABLE a (b)", text) == ["a": ["b"]])
  }

  @Test func `are those of a table whose name is quoted`() {
    #expect(
      tables("CREATE TABLE \"Old Book\" (id)", "ALTER TABLE \"Old Book\" ADD COLUMN year")
        == ["old book": ["id", "year"]])
  }

  /// What is read of a text, whatever it is.
  private func read(_ text: String) {
    var tables: [String: Set<String>] = [:]
    QueryColumns(of: text).note(in: &tables)
    _ = QueryColumns(of: text).names(in: tables)
    _ = QueryColumns.mayDeclare(text)
  }

  @Test(arguments: [
    "CREATE TABLE IF NOT EXISTS book (id INTEGER PRIMARY KEY, t TEXT DEFAULT (1), UNIQUE (t))",
    "ALTER TABLE \"book\" ADD COLUMN 'pages' INTEGER -- many",
    "SELECT DISTINCT b.title AS `name`, b.*, (SELECT max(x) FROM y) AS z FROM b WHERE id = ?",
  ])
  func `no beginning of a statement traps`(sql: String) {
    for end in sql.indices { read(String(sql[..<end])) }
    for start in sql.indices { read(String(sql[start...])) }
  }

  @Test(arguments: 0..<5) func `no text of its words traps`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let words = [
      "CREATE", "TABLE", "ALTER", "ADD", "COLUMN", "DROP", "RENAME", "TO", "SELECT", "DISTINCT",
      "FROM", "AS", "WHERE", "PRIMARY", "a", "b", "*", ",", ".", "(", ")", ";", "\"", "'", "`",
      "--", "\n", "é", "7",
    ]
    for _ in 0..<2000 {
      let count = Int.random(in: 0...9, using: &generator)
      let picked = (0..<count).compactMap { _ in words.randomElement(using: &generator) }
      read(picked.joined(separator: " "))
    }
  }
}
