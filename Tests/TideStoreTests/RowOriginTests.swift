import TideBindings
import TideScript
import Testing

@testable import TideStore

/// Edits of rows that a query puts together from several rows of their table.
@Suite("Edits of rows of joined tables") struct RowOriginTests {
  private let app: StoredApp
  private let runtime: Runtime

  init() throws {
    app = try StoredApp()
    runtime = try app.runtime(
      """
      db:run [[CREATE TABLE page (id INTEGER PRIMARY KEY, parent INTEGER, title TEXT)]]
      db:run [[INSERT INTO page VALUES (1, 2, 'one'), (2, 3, 'two'), (3, 1, 'two')]]
      db:run [[CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)]]
      db:run [[INSERT INTO note VALUES (1, 'a'), (7, 'b')]]
      class "page" { id = 0, title = "", name = "" }
      """)
  }

  private func list(_ sql: String, _ parameters: String = "nil") throws {
    try runtime.evaluate(
      """
      pages = db:list([[\(sql)]], \(parameters), { class = "page", writes = true })
      """, as: Value.self)
  }

  private var titles: String {
    get throws { try app.query("SELECT group_concat(title) FROM page") }
  }

  @Test(
    arguments: [
      "SELECT a.id, b.title FROM page a JOIN page b ON b.id = a.parent ORDER BY a.id",
      "SELECT a.id, (SELECT title FROM page b WHERE b.id = a.parent) AS title FROM page a ORDER BY a.id",
      "WITH p AS (SELECT * FROM page) SELECT a.id, b.title FROM p a JOIN p b ON b.id = a.parent ORDER BY 1;",
    ], [1, 2])
  func `edits are refused if the column is of another row than the key`(_ sql: String, _ index: Int)
    throws
  {
    try list(sql)
    let message = StoredApp.message(runtime, "pages[\(index)].title = 'new' db:flush()")
    #expect(message.contains("\"title\" of this query may be of another row of page"), "\(message)")
    #expect(try titles == "one,two,two")
    try runtime.evaluate("pages[3].title = 'next'", as: Value.self)
    _ = StoredApp.message(runtime, "db:flush()")
    #expect(try titles == "one,two,two")
  }

  @Test(arguments: [("?", "{ 0 }"), ("?2", "{ 9, 0 }"), (":least", "{ least = 0 }")])
  func `edits are judged with the parameters of the query`(_ name: String, _ parameters: String)
    throws
  {
    try list(
      "SELECT a.id, b.title FROM page a JOIN page b ON b.id = a.parent WHERE a.id > \(name)",
      parameters)
    #expect(
      StoredApp.message(runtime, "pages[1].title = 'new' db:flush()").contains(
        "another row of page"))
    try list("SELECT id, title FROM page WHERE id > \(name) ORDER BY id", parameters)
    try runtime.evaluate("pages[1].title = 'new' db:flush()", as: Value.self)
    #expect(try titles == "new,two,two")
  }

  @Test func `edits are refused in a row of another table`() throws {
    try list("SELECT id, title FROM page UNION ALL SELECT id, text FROM note ORDER BY title")
    #expect(
      StoredApp.message(runtime, "pages[1].title = 'new' db:flush()").contains(
        "another row of page"))
    #expect(try titles == "one,two,two")
  }

  @Test(arguments: [
    "SELECT a.id, a.title, b.title AS name FROM page a JOIN page b ON b.id = a.parent ORDER BY a.id",
    "SELECT id, title FROM page WHERE id < (SELECT max(id) FROM page) -- but the last",
    "SELECT page.id, title FROM page LEFT JOIN note ON note.id = page.id ORDER BY page.id;",
    "SELECT id, title FROM page WHERE title IN (SELECT title FROM page) ORDER BY id",
    "SELECT id, title FROM page WHERE title IN (SELECT title FROM page) ORDER BY id; -- all",
  ])
  func `edits are written where the column is of the row`(_ sql: String) throws {
    try list(sql)
    try runtime.evaluate("pages[1].title = 'new' db:flush()", as: Value.self)
    #expect(try titles == "new,two,two")
    #expect(runtime.errors.isEmpty, "\(runtime.errors.map(\.message))")
  }
}
