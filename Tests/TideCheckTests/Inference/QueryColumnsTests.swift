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

  @Test func `no text traps`() {
    for text in [
      "CREATE TABLE", "create table (", "ALTER TABLE a ADD", "SELECT (", "SELECT \"", "a.b,",
    ] {
      var tables: [String: Set<String>] = [:]
      QueryColumns(of: text).note(in: &tables)
      _ = QueryColumns(of: text).names(in: tables)
    }
  }
}
