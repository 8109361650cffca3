import Fuzzing
import TestFolders
import TideBindings
import TideLua
import TideReload
import TideScript
import Testing

@testable import TideStore

@Suite struct QueryListTests {
  private let app: StoredApp

  init() throws { app = try StoredApp() }

  private func text(_ runtime: Runtime, _ expression: String) throws -> String {
    StoredApp.finishReading(runtime)
    return try runtime.evaluate(expression, as: String.self)
  }

  @Test func `a list shows what a query gives`() throws {
    let runtime = try app.runtime(
      "rich = db:list('SELECT * FROM entry WHERE cents > ? ORDER BY id', { 100 })")
    #expect(try text(runtime, "payees(rich)") == "baker miller")
    #expect(try text(runtime, "tostring(rich[1].cents) .. tostring(rich[1].isPaid)") == "300nil")
  }

  @Test func `it follows the database`() throws {
    let runtime = try app.runtime("all = db:list('SELECT * FROM entry ORDER BY payee')")
    try runtime.evaluate("first = all[1]", as: Value.self)
    try runtime.evaluate(
      "db:run(\"INSERT INTO entry (payee, cents) VALUES ('cook', 7)\")", as: Value.self)
    #expect(try text(runtime, "payees(all)") == "baker cook miller smith")
    try runtime.evaluate(
      "db:run(\"UPDATE entry SET cents = 9 WHERE payee = 'baker'\")", as: Value.self)
    #expect(try text(runtime, "tostring(first == all[1]) .. first.cents") == "true9")
    try runtime.evaluate("db:run('DELETE FROM entry WHERE cents < 100')", as: Value.self)
    #expect(try text(runtime, "payees(all)") == "miller")
  }

  @Test func `a value of a row is told by its query`() throws {
    let runtime = try app.runtime(
      """
      all = db:list('SELECT * FROM entry ORDER BY payee')
      shown = object { text = "" }
      bind("cents -> text", all[1], shown)
      db:run("UPDATE entry SET cents = 9 WHERE payee = 'baker'")
      """)
    let chain = try text(
      runtime,
      "(function() local c = why(shown, 'text') return shown.text .. ': ' .. tostring(c[#c].act) end)()"
    )
    #expect(chain.hasPrefix("9: the query SELECT * FROM entry ORDER BY payee of database \""))
  }

  @Test func `only the edits that happened are told`() throws {
    let runtime = try app.runtime(
      """
      all = db:list("SELECT * FROM entry ORDER BY cents")
      told = ""
      all:observe(function(change) told = told .. change.kind .. " " end)
      """)
    try runtime.evaluate(
      "db:run(\"UPDATE entry SET cents = 301 WHERE payee = 'baker'\")", as: Value.self)
    runtime.settle()
    #expect(try text(runtime, "told") == "")
    try runtime.evaluate(
      "db:run(\"UPDATE entry SET cents = 3000 WHERE payee = 'baker'\")", as: Value.self)
    runtime.settle()
    #expect(try text(runtime, "told") == "move ")
    #expect(try text(runtime, "payees(all)") == "smith miller baker")
  }

  @Test func `scripts read it, and change the database instead`() throws {
    let runtime = try app.runtime("all = db:list('SELECT * FROM entry')")
    #expect(throws: (any Error).self) { try runtime.evaluate("all:append {}", as: Value.self) }
    #expect(throws: (any Error).self) { try runtime.evaluate("all[1].cents = 5", as: Value.self) }
  }

  @Test func `values and rows follow as well`() throws {
    let runtime = try app.runtime(
      """
      sum = db:value("SELECT sum(cents) FROM entry")
      largest = db:row("SELECT payee, cents FROM entry ORDER BY cents DESC")
      """)
    #expect(try runtime.evaluate("sum.value", as: Int.self) == 1550)
    try runtime.evaluate(
      "db:run(\"INSERT INTO entry (payee, cents) VALUES ('king', 9000)\")", as: Value.self)
    #expect(try text(runtime, "sum.value .. largest.payee .. largest.cents") == "10550king9000")
    try runtime.evaluate("db:run('DELETE FROM entry')", as: Value.self)
    #expect(try text(runtime, "tostring(sum.value) .. tostring(largest.payee)") == "nilnil")
  }

  @Test func `another program's commit is seen`() throws {
    let runtime = try app.runtime("all = db:list('SELECT * FROM entry ORDER BY id')")
    let other = try app.runtime()
    try other.evaluate("db:run(\"INSERT INTO entry (payee) VALUES ('cook')\")", as: Value.self)
    #expect(
      try StoredApp.turn(runtime) { try text(runtime, "payees(all)") == "baker miller smith cook" })
  }

  @Test func `rows have the columns that their table has now`() throws {
    let runtime = try app.runtime(
      """
      sql = "SELECT * FROM entry ORDER BY id"
      all, first = db:list(sql), db:row(sql)
      """)
    try runtime.evaluate(
      "db:run(\"ALTER TABLE entry ADD COLUMN place DEFAULT 'here'\")", as: Value.self)
    #expect(try text(runtime, "all[1].payee .. all[1].place .. #all") == "bakerhere3")
    #expect(app.errors.contains { $0.contains("new columns: \"place\"; call db:row again") })
    #expect(try text(runtime, "db:row(sql).place") == "here")
    try runtime.evaluate("db:run('ALTER TABLE entry RENAME COLUMN payee TO who')", as: Value.self)
    #expect(try text(runtime, "all[1].who .. db:list(sql)[2].who") == "bakermiller")
    #expect(try text(runtime, "tostring(first.payee)") == "nil")
    try runtime.evaluate("db:run('ALTER TABLE entry DROP COLUMN cents')", as: Value.self)
    #expect(try text(runtime, "all[3].who .. all[3].place") == "smithhere")
    try runtime.evaluate(
      """
      db:transaction(function()
        db:run("DROP TABLE entry")
        db:run("CREATE TABLE entry (payee TEXT, id INTEGER PRIMARY KEY)")
        db:run("INSERT INTO entry VALUES ('king', 7)")
      end)
      """, as: Value.self)
    #expect(try text(runtime, "all[1].id .. all[1].payee .. #all") == "7king1")
  }

  @Test func `a table that has lost its rows with its columns shows none`() throws {
    let runtime = try app.runtime("all = db:list('SELECT * FROM entry')")
    try runtime.evaluate(
      """
      db:transaction(function()
        db:run("DROP TABLE entry")
        db:run("CREATE TABLE entry (number)")
      end)
      """, as: Value.self)
    #expect(try runtime.evaluate("#all", as: Int.self) == 0)
  }

  @Test func `rows of a class stay the same objects when a column is added`() throws {
    let runtime = try app.runtime(
      """
      class "entry" { id = 0, payee = "", cents = 0, place = "" }
      all = db:list("SELECT * FROM entry ORDER BY id", nil, { class = "entry" })
      first = all[1]
      first.payee = "being edited"
      db:run("ALTER TABLE entry ADD COLUMN place DEFAULT 'here'")
      """)
    #expect(try text(runtime, "tostring(all[1] == first) .. first.place") == "truehere")
    #expect(try text(runtime, "first.payee") == "being edited")
    try runtime.evaluate("first.place = 'there' db:write(first)", as: Value.self)
    #expect(try app.query("SELECT payee, place FROM entry WHERE id = 1") == "being edited|there")
  }

  @Test func `another program may alter the table`() throws {
    let runtime = try app.runtime("all = db:list('SELECT * FROM entry ORDER BY id')")
    let other = try app.runtime()
    try other.evaluate(
      "db:run(\"ALTER TABLE entry ADD COLUMN place DEFAULT 'here'\")", as: Value.self)
    let list = "db:list('SELECT * FROM entry ORDER BY id')"
    #expect(try text(runtime, "\(list)[1].place") == "here")
    #expect(
      try StoredApp.turn(runtime) {
        try runtime.evaluate("(pcall(function() return all[1].place end))", as: Bool.self)
      })
    #expect(try text(runtime, "all[3].payee .. all[3].place") == "smithhere")
  }

  @Test func `lists follow a view that is made anew`() throws {
    let runtime = try app.runtime(
      """
      db:run("CREATE TABLE other (payee TEXT)")
      db:run("CREATE VIEW shown AS SELECT payee FROM entry")
      all = db:list("SELECT * FROM shown")
      db:run("DROP VIEW shown")
      db:run("CREATE VIEW shown AS SELECT payee FROM other")
      later = db:list("SELECT * FROM shown")
      db:run("INSERT INTO other VALUES ('king')")
      """)
    #expect(try text(runtime, "payees(all) .. payees(later)") == "kingking")
  }

  @Test func `rows of a class are written back`() throws {
    let runtime = try app.runtime(
      """
      class "entry" { id = 0, payee = "", cents = 0 }
      all = db:list("SELECT id, payee, cents FROM entry ORDER BY id", nil, { class = "entry" })
      all[1].payee = "bakery"
      before = db:value("SELECT payee FROM entry WHERE id = 1").value
      db:write(all[1])
      """)
    #expect(try text(runtime, "before") == "baker")
    #expect(try text(runtime, "db:value('SELECT payee FROM entry WHERE id = 1').value") == "bakery")
  }

  @Test func `what a person is changing is not overwritten`() throws {
    let runtime = try app.runtime(
      """
      class "entry" { id = 0, payee = "", cents = 0 }
      all = db:list("SELECT id, payee, cents FROM entry ORDER BY id", nil, { class = "entry" })
      all[1].payee = "cook"
      db:run("UPDATE entry SET payee = 'other', cents = 1 WHERE id = 1")
      """)
    #expect(try text(runtime, "all[1].payee .. all[1].cents") == "cook1")
  }

  @Test func `what was asked in a transaction that fails shows what there is`() throws {
    let runtime = try app.runtime()
    _ = StoredApp.message(
      runtime,
      """
      db:transaction(function()
        db:run("DELETE FROM entry WHERE id > 1")
        all = db:list("SELECT * FROM entry ORDER BY id")
        count = db:value("SELECT count(*) FROM entry")
        error("no")
      end)
      """)
    #expect(try text(runtime, "payees(all) .. ' ' .. count.value") == "baker miller smith 3")
  }

  @Test func `a key that is not one is not written by`() throws {
    let runtime = try app.runtime(
      """
      db:run("UPDATE entry SET isPaid = 1")
      class "Entry" { payee = "", isPaid = false }
      all = db:list("SELECT payee, isPaid FROM entry", {}, { class = "Entry", key = "isPaid" })
      """)
    let message = StoredApp.message(runtime, "all[1].payee = 'same' db:write(all[1])")
    #expect(message.contains("3 rows of entry have this key"), "\(message)")
    #expect(try app.query("SELECT count(*) FROM entry WHERE payee = 'same'") == "0")
  }

  @Test func `with writes each change is written by itself`() throws {
    let runtime = try app.runtime(
      """
      class "entry" { id = 0, payee = "", cents = 0 }
      all = db:list("SELECT id, payee, cents FROM entry ORDER BY id", nil,
        { class = "entry", writes = true })
      all[2].cents = 77
      """)
    runtime.settle()
    #expect(
      try StoredApp.turn(runtime) {
        try runtime.evaluate("db:value('SELECT cents FROM entry WHERE id = 2').value", as: Int.self)
          == 77
      })
  }

  @Test func `an edit that another program holds up is written when that has ended`() throws {
    let runtime = try app.runtime(
      """
      class "Entry" { id = 0, payee = "", cents = 0 }
      all = db:list("SELECT id, payee, cents FROM entry ORDER BY id", {}, { class = "Entry", writes = true })
      """)
    let other = try SQLiteConnection("\(app.folder.path)/ledger.db", .readWrite, patience: 1)
    try other.configure("BEGIN IMMEDIATE")
    try runtime.evaluate("all[1].payee = 'cook'", as: Value.self)
    #expect(StoredApp.turn(runtime) { !runtime.errors.isEmpty })
    #expect(runtime.errors.contains { $0.message.contains("another program is writing") })
    try other.configure("ROLLBACK")
    #expect(
      try StoredApp.turn(runtime) {
        try app.query("SELECT payee FROM entry WHERE id = 1") == "cook"
      })
    #expect(runtime.errors.isEmpty)
  }

  @Test
  func `a list of a new version has the rows of the one before, also after one that was refused`()
    throws
  {
    let script = { (rest: String) in
      """
      db = store.open(arg[1] .. "/rows.db")
      db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO entry (n) VALUES (1), (2)" }
      class "entry" { id = 0, n = 0 }
      all = db:list("SELECT id, n FROM entry ORDER BY id", nil, { class = "entry" })
      \(rest)
      """
    }
    app.folder.write(script(""), to: "app.lua")
    var configuration = Runtime.Configuration()
    configuration.addStores()
    configuration.lua.access.store = [app.folder.path]
    configuration.arguments = [app.folder.path]
    let runtime = try Runtime(file: app.folder.path + "/app.lua", configuration: configuration)
    try runtime.load()
    try runtime.evaluate("hold = { all[1], all[2] }", as: Value.self)
    for rest in ["error 'no'", "-- saved", "error 'no'", "-- saved again"] {
      app.folder.write(script(rest), to: "app.lua")
      _ = try? runtime.reload()
      #expect(
        try runtime.evaluate("all[1] == hold[1] and all[2] == hold[2]", as: Bool.self), "\(rest)")
    }
  }

  @Test func `in a task it waits for its first result`() throws {
    let runtime = try app.runtime(
      """
      spawn(function()
        local all = db:list("SELECT * FROM entry ORDER BY id")
        names = payees(all)
        changes = db:run("UPDATE entry SET cents = 0")
      end)
      """)
    #expect(
      try StoredApp.turn(runtime) {
        try runtime.evaluate("(names or '') .. tostring(changes)", as: String.self)
          == "baker miller smith3"
      })
  }

  /// Statements in any order, a quarter of them in transactions of which some fail: the list always
  /// holds what the query gives that is asked anew.
  @Test(arguments: 0..<20) func `after whatever happens it holds what the query gives`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let queries = [
      "SELECT * FROM entry ORDER BY cents, id",
      "SELECT payee, cents FROM entry ORDER BY payee, cents",
      "SELECT payee, count(*) AS n FROM entry GROUP BY payee ORDER BY payee",
    ]
    let columns = ["payee cents id", "payee cents", "payee n"]
    let runtime = try app.runtime(
      queries.enumerated().map { "list\($0) = db:list(\"\($1)\")" }.joined(separator: "\n"))
    for _ in 0..<60 {
      let (id, cents) = (
        Int.random(in: 1...12, using: &random), Int.random(in: 0...5, using: &random)
      )
      let name = ["ann", "bob", "cid"][Int.random(in: 0..<3, using: &random)]
      let sql =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: "DELETE FROM entry WHERE id = \(id)"
        case 1: "UPDATE entry SET cents = \(cents) WHERE id = \(id)"
        case 2: "UPDATE entry SET payee = '\(name)' WHERE cents = \(cents)"
        case 3:
          "INSERT OR REPLACE INTO entry (id, payee, cents) VALUES (\(id), '\(name)', \(cents))"
        default: "INSERT INTO entry (payee, cents) VALUES ('\(name)', \(cents))"
        }
      let fails = Int.random(in: 0..<3, using: &random) == 0
      let script =
        Int.random(in: 0..<4, using: &random) > 0
        ? "db:run(\"\(sql)\")"
        : "pcall(db.transaction, db, function() db:run(\"\(sql)\") \(fails ? "error('no')" : "") end)"
      try runtime.evaluate(script, as: Value.self)
      for (index, query) in queries.enumerated() {
        // One that takes longer, as on a busy machine, follows a little later.
        let same = try StoredApp.turn(runtime) {
          try runtime.evaluate(
            """
            (function()
              local function text(list)
                local all = {}
                for index = 1, #list do
                  local row, fields = list[index], {}
                  for name in ("\(columns[index])"):gmatch("%a+") do fields[#fields + 1] = tostring(row[name]) end
                  all[index] = table.concat(fields, ",")
                end
                return table.concat(all, ";")
              end
              return text(list\(index)) == text(db:list("\(query)"))
            end)()
            """, as: Bool.self)
        }
        #expect(same, "\(script): \(query)")
      }
    }
  }

  // MARK: Budgets

  @Test(arguments: ["a task", "another program"])
  func `its observers have the time of one turn together, whoever has written`(_ writer: String)
    throws
  {
    let runtime = try app.runtime(
      """
      all = db:list "SELECT payee FROM entry ORDER BY id"
      begun = 0
      for _ = 1, 20 do all:observe(function() begun = begun + 1 while true do end end) end
      """)
    let statement = "INSERT INTO entry (payee) VALUES ('cook')"
    if writer == "a task" {
      try runtime.evaluate("spawn(function() db:run(\"\(statement)\") end)", as: Value.self)
    } else {
      try app.otherProgram().run(statement)
    }
    runtime.lua.setTurnLimit(.milliseconds(500))
    let haveEnded = StoredApp.turn(runtime) { runtime.errors.count == 20 }
    runtime.lua.setTurnLimit(.seconds(60))
    #expect(haveEnded)
    #expect(try runtime.evaluate("begun", as: Int.self) == 1)
  }
}
