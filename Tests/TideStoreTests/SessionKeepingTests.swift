import TestFolders
import TideBindings
import TideLua
import TideReload
import TideScript
import Testing

@testable import TideStore

/// What `session.keep` keeps for the owner of a session.
@Suite struct `Models that are kept for a person` {
  private let app: StoredApp
  private static let shown = """
    shown = model "shown" { search = "", width = 14 }
    isKept = session.keep(shown)
    """

  init() throws { app = try StoredApp() }

  private static let ann = SessionOwner.person("ann")
  private static let bo = SessionOwner.person("bo")

  /// A session that has opened the database, and has run a script.
  private func session(of owner: SessionOwner, _ script: String = shown) throws -> Runtime {
    let runtime = try empty(of: owner)
    try runtime.evaluate("\(open())\n\(script)", as: Value.self)
    return runtime
  }

  private func empty(of owner: SessionOwner) throws -> Runtime {
    try SessionOwner.$current.withValue(owner) { try app.runtimeWithoutTables() }
  }

  private func open(_ name: String = "app", as variable: String = "db") -> String {
    "\(variable) = store.open(\"\(app.folder.path)/\(name).db\")"
  }

  /// Runs a script in a session of its own, and ends that.
  private func run(_ owner: SessionOwner, _ script: String) throws {
    let runtime = try session(of: owner)
    try runtime.evaluate(script, as: Value.self)
    runtime.end()
  }

  private func search(_ owner: SessionOwner) throws -> String {
    let runtime = try session(of: owner)
    defer { runtime.end() }
    return try runtime.evaluate("shown.search", as: String.self)
  }

  @Test func `two people keep their own in one file, and find it at the next start`() throws {
    let (ann, bo) = (try session(of: Self.ann), try session(of: Self.bo))
    #expect(try ann.evaluate("isKept", as: Bool.self))
    try ann.evaluate("shown.search = 'camera'", as: Value.self)
    try bo.evaluate("shown.search = 'laptop' shown.width = 20", as: Value.self)
    ann.end()
    bo.end()
    #expect(try search(Self.ann) == "camera")
    #expect(try search(Self.bo) == "laptop")
    #expect(try search(.person("cleo")) == "")
    #expect(app.errors.isEmpty)
  }

  @Test func `whoever uses the screen is one owner`() throws {
    try run(.screen, "shown.search = 'wrench'")
    #expect(try search(.screen) == "wrench")
    #expect(try search(Self.ann) == "")
  }

  @Test func `a session whose owner is unknown goes on with the script's values`() throws {
    let runtime = try session(of: .page)
    #expect(try !runtime.evaluate("isKept", as: Bool.self))
    try runtime.evaluate("shown.search = 'camera' db:flush()", as: Value.self)
    runtime.end()
    #expect(try search(.page) == "")
    #expect(app.errors.isEmpty)
    // Mistakes are told there as everywhere.
    let other = try session(of: .page)
    #expect(StoredApp.message(other, "session.keep(list {})").contains("needs a name"))
  }

  @Test func `a list is kept under a name`() throws {
    let recent = "recent = list {} session.keep(recent, 'recent', db)"
    let runtime = try session(of: Self.ann, recent)
    try runtime.evaluate("recent:append('C-002')", as: Value.self)
    runtime.end()
    let again = try session(of: Self.ann, recent)
    #expect(try again.evaluate("recent[1]", as: String.self) == "C-002")
    let message = StoredApp.message(again, "session.keep(list {})")
    #expect(message.contains("session.keep(object, \"name\")"), "\(message)")
  }

  // MARK: Names

  @Test func `no name of a person reaches what another one keeps, or what db:keep keeps`() throws {
    let names = [
      "ann", "ann/shown", "ann%2Fshown", "", "/", "//shown", "../ann", "person:ann", "Ann", "ann ",
      "\u{338}ann", "ann/\u{338}", "session.keep/person:ann",
    ]
    let owners = names.map(SessionOwner.person) + [.named("browser:ann"), .named("ann"), .screen]
    for (number, owner) in owners.enumerated() { try run(owner, "shown.search = '\(number)'") }
    let plain = try session(of: .screen, "shown = model 'shown' { search = '' } db:keep(shown)")
    #expect(try plain.evaluate("shown.search", as: String.self) == "")
    plain.end()
    for (number, owner) in owners.enumerated() { #expect(try search(owner) == "\(number)") }
  }

  @Test func `names of models do not run into those of people`() {
    let names = [
      KeptName("b/c", of: "a"), KeptName("c", of: "a/b"), KeptName("c", of: "a%2Fb"),
      KeptName("b/c", of: nil), KeptName("a/b/c", of: nil), KeptName("c", of: "/a/b"),
    ]
    #expect(Set(names.map(\.key)).count == names.count)
  }

  @Test func `db:keep takes no name of a session's`() throws {
    let runtime = try session(of: Self.ann)
    for name in ["session.keep/person:bo/shown", "session.keep//shown", "session.keep/\u{338}"] {
      let message = StoredApp.message(runtime, "db:keep(list {}, '\(name)')")
      #expect(message.contains("which marks what session.keep keeps"), "\(name): \(message)")
    }
    #expect(StoredApp.message(runtime, "db:keep(list {}, 'session.keep')") == "")
  }

  @Test func `a property that is declared no more is let go of by the model's name`() throws {
    try run(Self.ann, "shown.width = 30")
    let without = "shown = model 'shown' { search = '' } session.keep(shown)"
    let runtime = try session(of: Self.ann, without)
    try runtime.evaluate("db:forget('shown', 'width')", as: Value.self)
    runtime.end()
    let again = try session(of: Self.ann)
    #expect(try again.evaluate("shown.width", as: Int.self) == 14)
  }

  // MARK: Where

  @Test func `without an open database it says how to open one`() throws {
    let runtime = try empty(of: Self.ann)
    let message = StoredApp.message(runtime, Self.shown)
    #expect(message.contains("none is open") && message.contains("store.open("), "\(message)")
  }

  @Test func `of several open databases it has to be told which`() throws {
    let runtime = try empty(of: Self.ann)
    try runtime.evaluate("\(open()) \(open("other", as: "other"))", as: Value.self)
    let message = StoredApp.message(runtime, Self.shown)
    #expect(
      message.contains("app.db\" and ") && message.contains("session.keep(model, db)"),
      "\(message)")
    try runtime.evaluate("session.keep(shown, other) shown.search = 'lamp'", as: Value.self)
    runtime.end()
    #expect(try app.query("SELECT count(*) FROM tide_kept", "other.db") == "2")
  }

  @Test func `only a model, a name and a database are taken`() throws {
    let runtime = try session(of: Self.ann)
    for (call, words) in [
      ("session.keep('shown')", "model"), ("session.keep(shown, 3)", "database"),
      ("session.keep(shown, shown)", "database"), ("session.keep(shown, 'n', 'db')", "database"),
      ("session.keep(shown, db, 'n')", "before the database"),
      ("session.keep(shown, 'n', db, 1)", "one too many"),
    ] {
      let message = StoredApp.message(runtime, call)
      #expect(message.contains(words), "\(call): \(message)")
    }
    #expect(StoredApp.message(runtime, "session.kept(shown)").contains("keep"))
  }

  @Test func `a shared model is refused, since it is common`() throws {
    let runtime = try session(of: Self.ann)
    let message = StoredApp.message(runtime, "session.keep(shared('desk', { loans = list {} }))")
    #expect(message.contains("\"desk\" is shared") && message.contains("db:keep"), "\(message)")
  }

  @Test func `an owner has one session at a time`() throws {
    let first = try session(of: Self.ann)
    let second = try empty(of: Self.ann)
    let message = StoredApp.message(second, "\(open())\n\(Self.shown)")
    #expect(
      message.contains("\"shown\" is kept by another session") && message.contains("same owner")
        && !message.contains("person:ann"), "\(message)")
    first.end()
    withExtendedLifetime(first) {}
  }

  // MARK: New versions

  /// Loads a version of the app's script from a file.
  private func load(_ script: String) throws -> Runtime {
    app.folder.write(script, to: "app.lua")
    let runtime = try SessionOwner.$current.withValue(Self.ann) {
      var configuration = Runtime.Configuration()
      configuration.addStores()
      configuration.lua.access.store = [app.folder.path]
      return try Runtime(file: app.folder.path + "/app.lua", configuration: configuration)
    }
    try runtime.load()
    return runtime
  }

  @Test func `a new version goes on with it, and one that is refused leaves it`() throws {
    let runtime = try load("\(open())\n\(Self.shown)")
    try runtime.evaluate("shown.search = 'camera'", as: Value.self)
    app.folder.write("\(open())\n\(Self.shown)\nshown.search = 'x' error 'late'", to: "app.lua")
    _ = try? runtime.reload()
    #expect(try runtime.evaluate("shown.search", as: String.self) == "camera")
    app.folder.write("-- saved\n\(open())\n\(Self.shown)", to: "app.lua")
    try runtime.reload()
    try runtime.evaluate("shown.width = 30", as: Value.self)
    try runtime.reset()
    #expect(
      try runtime.evaluate("shown.search .. shown.width", as: String.self) == "camera30")
    runtime.end()
    #expect(try search(Self.ann) == "camera")
  }

  @Test func `a new version may open another database in place of the first`() throws {
    let runtime = try load("\(open())\n\(Self.shown)")
    app.folder.write("\(open("other"))\n\(Self.shown)", to: "app.lua")
    try runtime.reload()
    try runtime.evaluate("shown.search = 'lamp' db:flush()", as: Value.self)
    runtime.end()
    #expect(
      try app.query(
        "SELECT object || CAST(value AS TEXT) FROM tide_kept WHERE property = 'search'", "other.db")
        == "session.keep/person:ann/shown\"lamp\"")
  }

  // MARK: Specs

  @Test func `databases in memory outlive their runtime as a copy`() throws {
    func session(_ copy: AnyObject? = nil) throws -> Runtime {
      let runtime = try SessionOwner.$current.withValue(Self.ann) {
        try app.runtimeWithoutTables { $0.takesStubs = true }
      }
      if let copy { try runtime.restoreDatabases(copy) }
      try runtime.evaluate("\(open())\n\(Self.shown)", as: Value.self)
      return runtime
    }
    var copy: AnyObject?
    do {
      let runtime = try session()
      try runtime.evaluate("shown.search = 'camera'", as: Value.self)
      let databases = runtime.openDatabases
      runtime.end()
      copy = try runtime.copyDatabases(databases)
    }
    let again = try session(copy)
    #expect(try again.evaluate("shown.search", as: String.self) == "camera")
    #expect(try session().evaluate("shown.search", as: String.self) == "")
  }
}
