import TideBindings
import TideScript
import TideSystem
import Testing

@testable import TideStore

/// Edits of rows that statements remove, or whose keys they give to other rows.
@Suite("Edits of removed rows") struct RowRemovalTests {
  private let app: StoredApp
  private static let reuse =
    "db:run(\"INSERT INTO entry (id, payee, cents) VALUES (3, 'new', 1)\")"

  init() throws { app = try StoredApp() }

  private func runtime(_ script: String = StoredApp.editedList) throws -> Runtime {
    try app.runtime(script)
  }

  private func run(_ runtime: Runtime, _ script: String) throws {
    try runtime.evaluate(script, as: Value.self)
  }

  @Test(arguments: [
    "all[3].payee = 'cook' db:transaction(function() db:run('DELETE FROM entry WHERE id = 3') \(reuse) end)",
    // db:run does not wait for another thread within string.gsub, so that the change has not settled.
    """
    string.gsub('x', '.', function()
      all[3].payee = 'cook' db:run('DELETE FROM entry WHERE id = 3') \(reuse)
    end)
    """,
    "row = all[3] db:run('DELETE FROM entry WHERE id = 3') \(reuse) row.payee = 'cook'",
    """
    db:transaction(function()
      db:run('DELETE FROM entry WHERE id = 3') all[3].payee = 'cook' \(reuse)
    end)
    """,
    """
    db:transaction(function()
      db:run('DELETE FROM entry WHERE id = 3') \(reuse) all[3].payee = 'cook'
    end)
    """,
    """
    db:transaction(function()
      db:run('UPDATE entry SET id = 30 WHERE id = 3') \(reuse) all[3].payee = 'cook'
    end)
    """,
    """
    all[3].payee = 'cook'
    db:transaction(function() db:run('UPDATE entry SET rowid = 30 WHERE id = 3') \(reuse) end)
    """,
    """
    db:transaction(function()
      all[3].payee = 'cook' db:run("REPLACE INTO entry (id, payee, cents) VALUES (3, 'new', 1)")
    end)
    """,
  ])
  func `edits of a removed row go into no other row that has its key`(_ act: String) throws {
    let runtime = try runtime()
    try run(runtime, act)
    #expect(StoredApp.turn(runtime) { !runtime.errors.isEmpty })
    try run(runtime, "db:flush()")
    let text = "the row has been removed from entry; not written: \"payee\": \"cook\""
    #expect(
      runtime.errors.map(\.message).filter { $0.contains(text) }.count == 1,
      "\(runtime.errors.map(\.message))")
    #expect(try app.query("SELECT payee FROM entry WHERE id = 3") == "new")
    StoredApp.finishReading(runtime)
    let shown = try runtime.evaluate(
      "(function() for i = 1, #all do if all[i].id == 3 then return all[i].payee end end end)()",
      as: String.self)
    #expect(shown == "new")
  }

  @Test func `edits of a removed row do not go into a row that is moved to its key`() throws {
    let runtime = try runtime()
    try run(
      runtime,
      """
      all[3].payee = 'cook'
      db:transaction(function()
        db:run('DELETE FROM entry WHERE id = 3')
        db:run("UPDATE entry SET id = 3, payee = 'new' WHERE id = 2")
      end)
      db:flush()
      """)
    #expect(try app.query("SELECT group_concat(id || payee) FROM entry") == "1baker,3new")
  }

  @Test(arguments: [
    "db:run [[UPDATE OR REPLACE entry SET id = 3 WHERE id = 2]]",
    """
    db:transaction(function()
      db:run [[REPLACE INTO entry (id, payee, cents) VALUES (9, 'new', 50)]]
      db:run [[UPDATE entry SET id = 3 WHERE id = 2]]
    end)
    """,
    """
    db:transaction(function()
      db:run [[UPDATE OR REPLACE entry SET cents = 50 WHERE id = 1]]
      db:run [[UPDATE entry SET id = 3 WHERE id = 2]]
    end)
    """,
    """
    db:transaction(function()
      db:run [[DELETE FROM parent WHERE id = 1]]
      db:run [[UPDATE entry SET id = 3 WHERE id = 2]]
    end)
    """,
  ])
  func `edits go into no row that is moved to the key of a replaced one`(_ act: String) throws {
    for isEditedFirst in [true, false] {
      let app = try StoredApp()
      let runtime = try app.runtime(
        """
        db:run [[CREATE TABLE parent (id INTEGER PRIMARY KEY)]]
        db:run [[INSERT INTO parent VALUES (1)]]
        db:run [[ALTER TABLE entry ADD COLUMN parent INTEGER REFERENCES parent ON DELETE CASCADE]]
        db:run [[UPDATE entry SET parent = 1 WHERE id = 3]]
        db:run [[CREATE UNIQUE INDEX by_cents ON entry (cents)]]
        class "entry" { id = 0, payee = "" }
        all = db:list("SELECT id, payee FROM entry ORDER BY id", nil,
          { class = "entry", writes = true })
        local row = all[3]
        -- The change does not settle within string.gsub.
        string.gsub("x", ".", function()
          if \(isEditedFirst) then row.payee = "cook" end
          db:transaction(function()
            \(act)
            if not \(isEditedFirst) then row.payee = "cook" end
          end)
        end)
        db:flush()
        """)
      #expect(try app.query("SELECT payee FROM entry WHERE id = 3") == "miller")
      let text = "the row has been removed from entry; not written: \"payee\": \"cook\""
      #expect(
        runtime.errors.contains { $0.message.contains(text) }, "\(runtime.errors.map(\.message))")
    }
  }

  @Test func `a row that gets its own key again takes its edits`() throws {
    let runtime = try runtime()
    try run(
      runtime,
      """
      string.gsub('x', '.', function()
        all[3].payee = 'cook'
        db:run [[UPDATE entry SET id = 3, cents = 7 WHERE id = 3]]
      end)
      db:flush()
      """)
    #expect(try app.query("SELECT payee, cents FROM entry WHERE id = 3") == "cook|7")
    #expect(runtime.errors.isEmpty, "\(runtime.errors.map(\.message))")
  }

  @Test func `edits of a replaced row whose key is a text go into no other row`() throws {
    let runtime = try runtime(
      """
      db:run [[CREATE TABLE tag (name TEXT PRIMARY KEY, code INTEGER UNIQUE, text TEXT)
        WITHOUT ROWID]]
      db:run [[INSERT INTO tag VALUES ('a', 1, 'one'), ('b', 2, 'two')]]
      class "tag" { name = "", text = "" }
      tags = db:list("SELECT name, text FROM tag ORDER BY name", nil,
        { class = "tag", writes = true })
      string.gsub("x", ".", function()
        tags[1].text = "mine"
        db:transaction(function()
          db:run [[REPLACE INTO tag VALUES ('c', 1, 'new')]]
          db:run [[UPDATE tag SET name = 'a' WHERE name = 'b']]
        end)
      end)
      db:flush()
      """)
    #expect(try app.query("SELECT text FROM tag WHERE name = 'a'") == "two")
    #expect(runtime.errors.contains { $0.message.contains("removed from tag") })
  }

  @Test func `edits of a row with a key of several columns go into no other row`() throws {
    let runtime = try runtime(
      """
      db:run [[CREATE TABLE tag (name TEXT, lang TEXT, text TEXT, PRIMARY KEY (name, lang))
        WITHOUT ROWID]]
      db:run [[INSERT INTO tag VALUES ('a', 'en', 'one')]]
      class "tag" { name = "", lang = "", text = "" }
      tags = db:list("SELECT * FROM tag", nil, { class = "tag", writes = true })
      tags[1].text = "two"
      db:transaction(function()
        db:run("DELETE FROM tag") db:run("INSERT INTO tag VALUES ('a', 'en', 'new')")
      end)
      db:flush()
      """)
    #expect(try app.query("SELECT text FROM tag") == "new")
    #expect(runtime.errors.contains { $0.message.contains("removed from tag") })
  }

  @Test func `edits of a row whose removal is rolled back are written`() throws {
    let runtime = try runtime()
    _ = StoredApp.message(
      runtime,
      """
      all[3].payee = 'cook'
      db:transaction(function() db:run('DELETE FROM entry WHERE id = 3') error('no') end)
      """)
    #expect(try app.isWritten(runtime, "cook", id: 3))
    #expect(runtime.errors.isEmpty, "\(runtime.errors.map(\.message))")
  }

  @Test func `edits of a row are written after its replacement is rolled back`() throws {
    let runtime = try runtime()
    try run(
      runtime,
      """
      db:transaction(function()
        pcall(function()
          db:transaction(function()
            db:run('DELETE FROM entry WHERE id = 3') \(Self.reuse) error('no')
          end)
        end)
        all[3].payee = 'cook'
      end)
      """)
    #expect(try app.isWritten(runtime, "cook", id: 3))
    #expect(runtime.errors.isEmpty, "\(runtime.errors.map(\.message))")
  }

  @Test func `edits of a row that the transaction has inserted are written`() throws {
    let runtime = try runtime()
    try run(
      runtime,
      """
      db:transaction(function()
        db:run('DELETE FROM entry WHERE id = 3') \(Self.reuse)
        fresh = db:list("SELECT * FROM entry WHERE id = 3", nil, { class = "entry", writes = true })
        fresh[1].payee = 'cook'
      end)
      """)
    #expect(try app.isWritten(runtime, "cook", id: 3))
    #expect(runtime.errors.isEmpty, "\(runtime.errors.map(\.message))")
  }

  // MARK: Cost

  /// The processor time of a script, with a list of some length.
  private func time(_ count: Int, _ list: String, _ script: String) throws -> Double {
    let app = try StoredApp()
    let runtime = try app.runtime(
      """
      db:run [[WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT OR IGNORE INTO entry (id, payee, cents) SELECT i, 'x', i FROM n]]
      \(list)
      """)
    StoredApp.finishReading(runtime)
    let start = EventLoop.threadTime()
    try run(runtime, script)
    defer { withExtendedLifetime(app) {} }
    return EventLoop.threadTime() - start
  }

  @Test func `edits of rows that are deleted one by one take time for each of them only`() throws {
    let script = """
      db:transaction(function()
        for i = 1, #all do all[i].cents = -i end
        for i = 1, #all do db:run("DELETE FROM entry WHERE id = ?", { all[i].id }) end
      end)
      """
    _ = try time(50, StoredApp.editedList, script)
    let (few, many) = (
      try time(100, StoredApp.editedList, script), try time(1000, StoredApp.editedList, script)
    )
    #expect(many < 40 * few, "\(few) \(many)")
  }

  @Test func `edits of rows that have left the list do not slow down each write`() throws {
    let list = """
      class "entry" { payee = "" }
      open = db:list("SELECT id, payee FROM entry WHERE isPaid IS NULL", nil, { class = "entry" })
      held = {}
      for i = 1, #open do held[i] = open[i] end
      db:run("UPDATE entry SET isPaid = 1")
      """
    let script = "for i = 1, 10 do db:run(\"UPDATE entry SET payee = 'y' WHERE id = 1\") end"
    _ = try time(300, list, script)
    let (few, many) = (try time(600, list, script), try time(6000, list, script))
    #expect(many < 4 * few, "\(few) \(many)")
  }
}
