import TestFolders
import TideBindings
import TideScript
import Testing

@testable import TideStore

/// Two sessions that show, and change, one row of a database.
@Suite struct SharedRowsTests {
  private let app: StoredApp
  private let one: Runtime
  private let two: Runtime
  private static let list = """
    class "entry" { id = 0, payee = "", cents = 0 }
    all = db:list("SELECT id, payee, cents FROM entry ORDER BY id", nil,
      { class = "entry", writes = true })
    function shown() return all[1].payee .. all[1].cents end
    """

  init() throws {
    app = try StoredApp()
    one = try app.runtime(Self.list)
    two = try app.runtime(Self.list)
  }

  /// Lets both do what is due until both show the same, and gives it.
  private func quiet(_ wanted: String) throws -> Bool {
    try StoredApp.turn(one) {
      two.turn(timeout: 0)
      return try [one, two].allSatisfy { try $0.evaluate("shown()", as: String.self) == wanted }
        && app.query("SELECT payee || cents FROM entry WHERE id = 1") == wanted
    }
  }

  private func run(_ runtime: Runtime, _ script: String) throws {
    try runtime.evaluate(script, as: Value.self)
  }

  @Test func `both follow the last commit`() throws {
    try run(one, "all[1].payee = 'cook'")
    #expect(try quiet("cook300"))
    try run(two, "all[1].payee = 'smith'")
    #expect(try quiet("smith300"))
    #expect(app.errors.isEmpty, "\(app.errors)")
  }

  @Test func `changes of two columns at once are both kept`() throws {
    try run(one, "all[1].payee = 'cook'")
    try run(two, "all[1].cents = 9")
    #expect(try quiet("cook9"))
    #expect(app.errors.isEmpty, "\(app.errors)")
  }

  @Test func `changes at two places of a text at once are both kept`() throws {
    try run(one, "all[1].payee = 'the baker'")
    try run(two, "all[1].payee = 'bakery'")
    #expect(try quiet("the bakery300"))
    #expect(app.errors.isEmpty, "\(app.errors)")
  }

  @Test func `an edit that is not written yet is merged with what others commit`() throws {
    let three = try app.runtime(Self.list.replacing("writes = true", with: "writes = false"))
    try run(three, "all[1].payee = 'bakery'")
    try run(one, "all[1].payee = 'the baker' all[1].cents = 1")
    #expect(try quiet("the baker1"))
    #expect(
      try StoredApp.turn(three) {
        try three.evaluate("shown()", as: String.self) == "the bakery1"
      })
    try run(three, "db:write(all[1])")
    #expect(try quiet("the bakery1"))
    #expect(app.errors.isEmpty, "\(app.errors)")
  }

  @Test func `the later of two commits shows, and the author of the other is told`() throws {
    try run(one, "all[1].cents = 5")
    try run(two, "all[1].cents = 7")
    // The first one writes before the second one has seen it.
    #expect(
      try StoredApp.turn(one) { try app.query("SELECT cents FROM entry WHERE id = 1") == "5" })
    #expect(try quiet("baker7"))
    #expect(
      one.errors.contains {
        $0.code == .unwritten && $0.message.contains("\"cents\" of a row of entry: 5")
          && $0.message.contains("replaced by 7")
      }, "\(one.errors.map(\.message))")
    #expect(two.errors.isEmpty, "\(two.errors.map(\.message))")
  }

  @Test func `who writes over what another program wrote unseen is told`() throws {
    try run(two, "all[1].cents = 7")
    _ = try app.query("UPDATE entry SET cents = 5 WHERE id = 1")
    #expect(try quiet("baker7"))
    #expect(
      two.errors.contains { $0.message.contains("7 has replaced 5, which another program") },
      "\(two.errors.map(\.message))")
  }

  @Test func `who has seen a value may replace it, and nobody is told`() throws {
    for cents in 1...4 {
      try run(cents % 2 == 0 ? one : two, "all[1].cents = \(cents)")
      #expect(try quiet("baker\(cents)"))
    }
    try run(one, "all[1].cents = 8")
    try run(two, "all[1].cents = 8")
    #expect(try quiet("baker8"))
    #expect(app.errors.isEmpty, "\(app.errors)")
  }

  @Test func `a transaction that fails tells nobody of a loss`() throws {
    let three = try app.runtime(Self.list.replacing("writes = true", with: "writes = false"))
    try run(one, "all[1].cents = 5 db:flush()")
    let write = "all[1].cents = 7 db:write(all[1])"
    #expect(
      StoredApp.message(three, "db:transaction(function() \(write) error('no') end)").contains("no")
    )
    one.turn(timeout: 0)
    #expect(app.errors.isEmpty, "\(app.errors)")
    try run(three, write)
    one.turn(timeout: 0)
    #expect(one.errors.contains { $0.message.contains("replaced by 7") }, "\(app.errors)")
  }

  @Test func `a row that another session has removed takes no edit`() throws {
    try run(one, "db:run('DELETE FROM entry WHERE id = 1')")
    #expect(
      StoredApp.message(two, "all[1].payee = 'cook' db:write(all[1])").contains(
        "has been removed from entry"))
  }

  @Test func `a transaction that fails leaves the edit as it was`() throws {
    let other = try SQLiteConnection("\(app.folder.path)/ledger.db", .readWrite, patience: 1)
    try other.configure("BEGIN IMMEDIATE; UPDATE entry SET cents = 5 WHERE id = 1")
    #expect(
      StoredApp.message(two, "all[1].payee = 'cook' db:write(all[1])").contains("writing"))
    try other.configure("COMMIT")
    try run(two, "db:write(all[1])")
    #expect(try quiet("cook5"))
  }
}
