import TestFolders
import TideBindings
import TideScript
import TideSystem
import Testing

@testable import TideStore

/// A program with sessions, which keeps a shared model in one file.
final class KeptDesk {
  let app: StoredApp
  /// What the sessions of the running program share.
  private(set) var models = SharedModels()
  private(set) var sessions: [Runtime] = []

  init(_ app: StoredApp) { self.app = app }

  static let script = """
    Loan = class "Loan" { who = "", days = 1 }
    desk = shared("desk", { title = "Desk", loans = list { Loan { who = "first" } } })
    db:keep(desk)
    """

  /// Runs expressions that a session may use.
  private static let functions = """
    function names()
      local all = {}
      for _, loan in ipairs(desk.loans) do all[#all + 1] = loan.who end
      return table.concat(all, " ")
    end
    function lend(who) desk.loans:append(Loan { who = who }) end
    """

  /// Begins a session. Before its script it has opened the database as `db`.
  @discardableResult
  func join(
    _ script: String = KeptDesk.script, database: String = "desk.db",
    adjust: (inout Runtime.Configuration) -> Void = { _ in }
  ) throws -> Runtime {
    let runtime = try app.runtimeWithoutTables { [models] configuration in
      configuration.shared = models
      adjust(&configuration)
    }
    try runtime.evaluate(
      """
      db = store.open("\(app.folder.path)/\(database)")
      \(Self.functions)
      \(script)
      """, as: Value.self)
    sessions.append(runtime)
    return runtime
  }

  func leave(_ session: Runtime) {
    session.end()
    sessions.removeAll { $0 === session }
  }

  /// Delivers to all sessions what the others have written.
  func deliver() {
    for _ in 0..<8 { for session in sessions { session.turn(timeout: 0) } }
  }

  /// Ends the program.
  func end() {
    for session in sessions { session.end() }
    sessions = []
    models = SharedModels()
  }

  /// The last session. Tests do not hold sessions beyond their program's end, which would go on then.
  var last: Runtime {
    get throws { try #require(sessions.last) }
  }

  func names() throws -> [String] {
    try sessions.map { try $0.evaluate("names()", as: String.self) }
  }
}

@Suite struct KeptSharingTests {
  private let app: StoredApp
  private let desk: KeptDesk

  init() throws {
    app = try StoredApp()
    desk = KeptDesk(app)
  }

  private func documents(_ list: String = "loans") throws -> Int? {
    Int(
      try app.query("SELECT count(*) FROM tide_shared_model WHERE list = '\(list)'", "desk.db"))
  }

  // MARK: Once for the process

  @Test func `each row is there once after any number of sessions and restarts`() throws {
    var wanted = ["first"]
    for round in 0..<3 {
      for number in 0..<3 {
        let session = try desk.join()
        #expect(try session.evaluate("names()", as: String.self) == wanted.joined(separator: " "))
        try session.evaluate("lend('r\(round)s\(number)')", as: Value.self)
        desk.deliver()
        wanted.append("r\(round)s\(number)")
        #expect(try Set(desk.names()) == [wanted.joined(separator: " ")])
        if number == 1 { desk.leave(session) }
      }
      #expect(try documents() == wanted.count)
      desk.end()
    }
    #expect(app.errors.isEmpty, "\(app.errors)")
  }

  @Test func `a session finds all rows when the call returns`() throws {
    try desk.join().evaluate("for n = 1, 500 do lend('n' .. n) end db:flush()", as: Value.self)
    let count = "count = #desk.loans"
    #expect(
      try desk.join(KeptDesk.script + "\n" + count).evaluate("count", as: Int.self) == 501)
    desk.end()
    #expect(
      try desk.join(KeptDesk.script + "\n" + count).evaluate("count", as: Int.self) == 501)
  }

  @Test func `what a session has confirmed is in the file`() throws {
    try desk.join()
    desk.deliver()
    #expect(try documents() == 1)
    try desk.last.evaluate("lend('ann') desk.loans[1].days = 9", as: Value.self)
    #expect(
      try StoredApp.turn(desk.last) {
        try desk.last.evaluate("desk.sync.pending", as: Int.self) == 0
      })
    #expect(try documents() == 2)
    try desk.last.evaluate("desk.loans:remove(1) lend('bob') db:flush()", as: Value.self)
    #expect(try documents() == 2)
    desk.end()
    #expect(try desk.join().evaluate("names()", as: String.self) == "ann bob")
  }

  @Test func `a program that ends leaves nothing unsaved`() throws {
    try desk.join().evaluate("lend('ann') desk.title = 'Loans'", as: Value.self)
    desk.end()
    let session = try desk.join()
    #expect(try session.evaluate("desk.title .. names()", as: String.self) == "Loansfirst ann")
  }

  @Test func `a stored value beats a default that has changed, and a new property has its own`()
    throws
  {
    try desk.join().evaluate("db:flush()", as: Value.self)
    desk.end()
    let session = try desk.join(
      """
      Loan = class "Loan" { who = "", days = 1 }
      desk = shared("desk", { title = "Other", place = "Hall", loans = list { Loan { who = "x" } } })
      db:keep(desk)
      """)
    desk.deliver()
    #expect(
      try session.evaluate("desk.title .. desk.place .. names()", as: String.self)
        == "DeskHallfirst")
  }

  @Test func `an app that shares with nobody keeps its model in the same way`() throws {
    for round in 1...3 {
      try desk.join { $0.shared = nil }.evaluate("lend('r\(round)')", as: Value.self)
      desk.end()
    }
    #expect(
      try desk.join { $0.shared = nil }.evaluate("names()", as: String.self) == "first r1 r2 r3")
    #expect(app.errors.isEmpty, "\(app.errors)")
  }

  @Test func `rows that were written before the model is kept stay beside those of the file`()
    throws
  {
    try desk.join().evaluate("lend('ann') desk.title = 'Loans' db:flush()", as: Value.self)
    desk.end()
    let unkept = KeptDesk.script.replacing("db:keep(desk)", with: "")
    let early = try desk.join(unkept)
    try early.evaluate("lend('bob')", as: Value.self)
    desk.deliver()
    try desk.join()
    desk.deliver()
    #expect(
      try desk.names().map { Set($0.split(separator: " ")) } == [
        ["first", "ann", "bob"], ["first", "ann", "bob"],
      ])
    #expect(try early.evaluate("#desk.loans .. desk.title", as: String.self) == "3Loans")
    #expect(try documents() == 3)
  }

  // MARK: What is refused

  @Test func `a shared model is kept under one name, and in one database`() throws {
    let session = try desk.join()
    let name = StoredApp.message(session, "db:keep(desk, 'other')")
    #expect(name.contains("kept as \"desk\" already") && name.contains("under one name"), "\(name)")
    let other = StoredApp.message(
      session, "store.open('\(app.folder.path)/other.db'):keep(desk)")
    #expect(other.contains("desk.db") && other.contains("in one database"), "\(other)")
    // Again, and in another session, it is the same model in the same place.
    #expect(StoredApp.message(session, "db:keep(desk)").isEmpty)
    let unkept = KeptDesk.script.replacing("db:keep(desk)", with: "")
    let second = try desk.join(unkept)
    #expect(StoredApp.message(second, "db:keep(desk, 'other')").contains("under one name"))
  }

  @Test func `one name in a database is one model's`() throws {
    let session = try desk.join()
    #expect(
      StoredApp.message(session, "db:keep(shared('more', { n = 1 }), 'desk')")
        .contains("something else is kept as \"desk\""))
    #expect(
      StoredApp.message(session, "db:keep(model 'plain' { n = 1 }, 'desk')")
        .contains("\"desk\" is kept by another session of this program"))
    try session.evaluate("plain = model 'plain' { n = 1 } db:keep(plain)", as: Value.self)
    #expect(
      StoredApp.message(session, "db:keep(shared('more', { n = 1 }), 'plain')")
        .contains("something else is kept as \"plain\""))
  }

  @Test func `a second program is told who keeps a shared model`() throws {
    try desk.join()
    let other = KeptDesk(app)
    let session = try other.join(KeptDesk.script.replacing("db:keep(desk)", with: ""))
    let message = StoredApp.message(session, "db:keep(desk)")
    #expect(
      message.contains("\"desk\" is kept by") && message.contains("\(getpid())"), "\(message)")
    try session.evaluate("spawn(function() db:keep(desk, { wait = true }) end)", as: Value.self)
    try desk.sessions[0].evaluate("lend('ann')", as: Value.self)
    desk.end()
    #expect(
      try StoredApp.turn(session) {
        try session.evaluate("names()", as: String.self) == "first ann"
      })
  }

  @Test func `a transaction does not keep a shared model`() throws {
    let session = try desk.join(KeptDesk.script.replacing("db:keep(desk)", with: ""))
    #expect(
      StoredApp.message(session, "db:transaction(function() db:keep(desk) end)")
        .contains("outside of transactions"))
  }

  // MARK: Other files

  @Test func `rows of a class that is gone stay in the file`() throws {
    try desk.join().evaluate("lend('ann') db:flush()", as: Value.self)
    desk.end()
    try desk.join("desk = shared('desk', { title = 'Desk', loans = list {} }) db:keep(desk)")
    #expect(try desk.last.evaluate("#desk.loans", as: Int.self) == 0)
    try desk.last.evaluate("desk.loans:append('text') db:flush()", as: Value.self)
    desk.end()
    #expect(try documents() == 3)
    let again = try desk.join(
      KeptDesk.script
        + "\nall = {} for _, row in ipairs(desk.loans) do all[#all + 1] = row.who or row end")
    #expect(try again.evaluate("table.concat(all, ' ')", as: String.self) == "first ann text")
  }

  @Test func `a copy shows what is kept, and writes nothing`() throws {
    try desk.join().evaluate("lend('ann') db:flush()", as: Value.self)
    desk.end()
    try desk.join { $0.addStores(copying: true) }
    #expect(try desk.names() == ["first ann"])
    try desk.last.evaluate("lend('bob') db:flush()", as: Value.self)
    desk.end()
    #expect(try documents() == 2)
  }

  @Test func `a document that cannot be read stays, and is listed`() throws {
    try desk.join().evaluate("lend('ann') db:flush()", as: Value.self)
    desk.end()
    _ = try app.query(
      "INSERT INTO tide_shared_model VALUES ('desk', 'loans', 'odd', x'ffff')", "desk.db")
    let session = try desk.join()
    #expect(try session.evaluate("names()", as: String.self) == "first ann")
    #expect(app.errors.contains { $0.contains("1 row of the shared model") }, "\(app.errors)")
    #expect(try documents() == 3)
  }
}
