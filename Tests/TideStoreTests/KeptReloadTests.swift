import TestFolders
import TideBindings
import TideLua
import TideReload
import TideScript
import Testing

@testable import TideStore

/// What is kept when the script that keeps it is saved in a new version.
@Suite struct `Kept models and new versions` {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func script(_ theme: String = "dark", _ rest: String = "") -> String {
    """
    db = store.open(arg[1] .. "/kept.db")
    db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, n INTEGER)" }
    class "entry" { id = 0, n = 0 }
    settings = model "settings" { theme = "\(theme)", width = 30, rows = list {} }
    db:keep(settings)
    names = list {}
    db:keep(names, "names")
    all = db:list("SELECT id, n FROM entry ORDER BY id", nil, { class = "entry" })
    \(rest)
    """
  }

  private func start() throws -> Runtime {
    folder.write(script(), to: "app.lua")
    var configuration = Runtime.Configuration()
    configuration.addStores()
    configuration.lua.access.store = [folder.path]
    configuration.arguments = [folder.path]
    let runtime = try Runtime(file: folder.path + "/app.lua", configuration: configuration)
    try runtime.load()
    try runtime.evaluate(
      """
      settings.width = 40
      settings.rows:append { n = 1 }
      names:append "ann"
      db:run("INSERT INTO entry (n) VALUES (1), (2)")
      """, as: Value.self)
    return runtime
  }

  private func save(_ text: String, _ runtime: Runtime) {
    folder.write(text, to: "app.lua")
    _ = try? runtime.reload()
  }

  private func shown(_ runtime: Runtime) throws -> String {
    try runtime.evaluate(
      """
      settings.theme .. settings.width .. #settings.rows .. settings.rows[1].n .. names[1] .. #names .. #all
        .. all[1].n
      """, as: String.self)
  }

  private func stored() throws -> String {
    let connection = try SQLiteConnection(folder.path + "/kept.db", .readWrite, patience: 1)
    return try connection.rows(
      """
      SELECT coalesce(object || property || CAST(value AS TEXT), object || property) FROM tide_kept
      UNION ALL SELECT object || property || CAST(value AS TEXT) FROM tide_kept_row
      """
    ).map { "\($0)" }.sorted().joined()
  }

  @Test func `a new version goes on with them`() throws {
    let runtime = try start()
    let before = try shown(runtime)
    save(script("dark", "-- saved"), runtime)
    #expect(try shown(runtime) == before)
    try runtime.evaluate(
      "settings.width = 50 settings.rows[1].n = 7 names:append 'bob' db:flush()", as: Value.self)
    let text = try stored()
    #expect(text.contains("settingswidth50") && text.contains("bob"), "\(text)")
    #expect(text.contains("\\\"n\\\": 7"), "\(text)")
  }

  @Test func `what is stored beats a default that has changed`() throws {
    let runtime = try start()
    save(script("light"), runtime)
    #expect(try shown(runtime) == "dark4011ann121")
  }

  @Test func `a version that is refused leaves them as they were`() throws {
    let runtime = try start()
    try runtime.evaluate("db:flush()", as: Value.self)
    let (before, kept) = (try shown(runtime), try stored())
    save(
      script(
        "dark",
        """
        settings.width = 99
        settings.rows:append { n = 9 }
        settings.rows[1].n = 9
        names:append "eve"
        other = model "other" { n = 1 }
        db:keep(other)
        error "late"
        """), runtime)
    #expect(try shown(runtime) == before)
    runtime.turn(timeout: 0.01)
    try runtime.evaluate("db:flush()", as: Value.self)
    #expect(try stored() == kept)
    save(script(), runtime)
    #expect(try shown(runtime) == before)
  }

  @Test func `a model that is kept again goes on with the program's values`() throws {
    let runtime = try start()
    try runtime.evaluate("db:flush()", as: Value.self)
    save(script().replacing("db:keep(settings)", with: ""), runtime)
    runtime.turn(timeout: 0.01)
    try runtime.evaluate("settings.width = 70 settings.rows:append { n = 2 }", as: Value.self)
    folder.write(script(), to: "app.lua")
    try runtime.reload()
    #expect(try runtime.evaluate("settings.width .. #settings.rows", as: String.self) == "702")
    let messages = runtime.errors.map(\.message)
    #expect(messages.count == 2)
    #expect(messages.contains { $0.contains("settings.width is 70 in the program and 40 in the") })
    #expect(
      messages.contains { $0.contains("settings.rows is a list of 2 in the program and one") })
    try runtime.evaluate("db:flush() settings.width = 80 db:flush()", as: Value.self)
    #expect(try stored().contains("settingswidth80"))
  }

  @Test func `a model that is first kept while the app runs lists what differs, also in kind`()
    throws
  {
    let runtime = try start()
    try runtime.evaluate("db:flush()", as: Value.self)
    runtime.end()
    folder.write(
      script().replacing("db:keep(settings)", with: "").replacing(
        "rows = list {}", with: "rows = property { type = 'list' }"), to: "app.lua")
    var configuration = Runtime.Configuration()
    configuration.addStores()
    configuration.lua.access.store = [folder.path]
    configuration.arguments = [folder.path]
    let second = try Runtime(file: folder.path + "/app.lua", configuration: configuration)
    try second.load()
    folder.write(
      script().replacing("rows = list {}", with: "rows = property { type = 'list' }"),
      to: "app.lua")
    try second.reload()
    #expect(
      try second.evaluate("settings.width .. tostring(settings.rows)", as: String.self) == "30nil")
    let messages = second.errors.map(\.message)
    #expect(messages.contains { $0.contains("settings.width is 30 in the program and 40 in the") })
    #expect(
      messages.contains { $0.contains("settings.rows is nil in the program and a list of 1 in") })
  }

  @Test func `a kept value that no longer fits does not reject a version`() throws {
    let runtime = try start()
    try runtime.evaluate("db:flush()", as: Value.self)
    save(script().replacing("db:keep(settings)", with: ""), runtime)
    save("print 'no model'", runtime)
    let strict = "width = property { default = 30, validate = function() error('never') end }"
    folder.write(
      script().replacing("\"settings\"", with: "\"others\"").replacing(
        "settings)", with: "settings, 'settings')"
      )
      .replacing("width = 30", with: strict), to: "app.lua")
    try runtime.reload()
    #expect(try runtime.evaluate("settings.theme .. settings.width", as: String.self) == "dark30")
    #expect(
      runtime.errors.contains { $0.message.hasPrefix("what was kept of settings.width does not") })
  }

  @Test func `rows come back when their class is declared again`() throws {
    let runtime = try start()
    let person = "Person = class \"Person\" { name = \"\" }"
    save(script("dark", person), runtime)
    try runtime.evaluate(
      "names:append(Person { name = 'b' }) names:append 'c' db:flush()", as: Value.self)
    save(script(), runtime)
    runtime.turn(timeout: 0.01)
    #expect(try runtime.evaluate("#names", as: Int.self) == 2)
    save(script("dark", person), runtime)
    runtime.turn(timeout: 0.01)
    #expect(
      try runtime.evaluate("names[1] .. names[2].name .. names[3]", as: String.self) == "annbc")
  }

  @Test func `an app that begins anew has what is stored`() throws {
    let runtime = try start()
    let before = try shown(runtime)
    try runtime.reset()
    #expect(try shown(runtime) == before)
    try runtime.evaluate("settings.width = 60 db:flush()", as: Value.self)
    #expect(try stored().contains("settingswidth60"))
  }

  @Test func `a row that is being edited stays so`() throws {
    let runtime = try start()
    try runtime.evaluate("all[1].n = 100 row = all[1]", as: Value.self)
    save(script("dark", "error 'late'"), runtime)
    #expect(try runtime.evaluate("all[1].n", as: Int.self) == 100)
    try runtime.evaluate("db:write(all[1])", as: Value.self)
    #expect(
      try runtime.evaluate("db:value('SELECT n FROM entry WHERE id = 1').value", as: Int.self)
        == 100)
  }
}
