import Glibc
import TestFolders
import Testing

/// What databases take of the machine, as the program's whole process shows it.
@Suite(.serialized) struct StoreBudgetTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let limit = 64 << 20
  /// What the program takes by itself, and the allocator's holes.
  private static let margin = hasSanitizer ? 400 << 20 : 64 << 20

  @Test(arguments: [
    "db:value('SELECT hex(randomblob(30000000))')",
    "db:value([[SELECT replace(hex(zeroblob(15000000)), '0', 'abcdef')]])",
    """
    db:value([[WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 100000)
      SELECT group_concat(hex(zeroblob(1000))) FROM n]])
    """,
    """
    db:list([[WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000)
      SELECT randomblob(1000000) AS b FROM n]])
    """,
    """
    db:list([[WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000)
      SELECT randomblob(1000000) AS b FROM n ORDER BY b]])
    """,
    """
    memory = {}
    for index = 1, 100 do
      memory[index] = store.open("other" .. index .. ".db")
      memory[index]:run("CREATE TEMP TABLE t AS SELECT randomblob(2000000) AS b")
    end
    """,
    """
    for index = 1, 50 do
      spawn(function() db:value("SELECT randomblob(15000000) || randomblob(?)", { index }) end)
    end
    """,
  ])
  func `SQLite and Lua together stay below the limit of memory`(script: String) throws {
    folder.write(
      """
      local db = store.open("ledger.db")
      after(0.001, function() \(script) end)
      after(2, function() print(db:value("SELECT 42").value) exit(0) end)
      """, to: "app.lua")
    let outcome = try Program.run(
      ["run", "app.lua", "--memory", "\(Self.limit)", "--allow", "store=."], in: folder)
    #expect(outcome.output.contains("42"), "\(outcome.errors)")
    #expect(outcome.peakMemory < Self.limit + Self.margin, "\(outcome.peakMemory >> 20) MiB")
  }

  @Test(arguments: [
    "SELECT printf('%.*c', 900000000, 'x')",
    "SELECT instr(x, substr(x, 1, 4000000) || '1') FROM (SELECT hex(zeroblob(5000000)) AS x)",
    "SELECT replace(x, substr(x, 1, 1000000) || '1', '2') FROM (SELECT hex(zeroblob(5000000)) AS x)",
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n",
    "SELECT x + x\(String(repeating: ", x + x", count: 449)) FROM (SELECT hex(zeroblob(3000000)) AS x)",
  ])
  func `a statement ends with its turn, also in a task`(sql: String) throws {
    folder.write(
      """
      local db = store.open("ledger.db")
      local function ask()
        local start = os.clock()
        pcall(db.value, db, [[\(sql)]])
        print("took", os.clock() - start)
      end
      after(0.001, ask)
      after(0.002, function() spawn(ask) end)
      after(2, function() print(db:value("SELECT 42").value) exit(0) end)
      """, to: "app.lua")
    let outcome = try Program.run(
      ["run", "app.lua", "--turn", "0.3", "--allow", "store=."], in: folder)
    #expect(outcome.output.contains("42"), "\(outcome.errors)")
    #expect(outcome.processorTime < 3, "\(outcome.processorTime) seconds")
  }

  @Test func `nothing native can be called from a script`() throws {
    folder.write(
      """
      local db = store.open("ledger.db")
      print(pcall(db.value, db, "SELECT fts3_tokenizer('evil', ?)", { "AAAAAAAA" }))
      print(pcall(db.run, db, "CREATE VIRTUAL TABLE f USING fts3(x, tokenize=evil)"))
      exit(7)
      """, to: "app.lua")
    let outcome = try Program.run(["run", "app.lua", "--allow", "store=."], in: folder)
    #expect(outcome.status == .exited(7), "\(outcome.errors)")
    #expect(outcome.output.ranges(of: "not for scripts").count == 2, "\(outcome.output)")
  }
}
