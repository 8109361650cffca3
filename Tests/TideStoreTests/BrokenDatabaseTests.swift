import TestFolders
import TideBindings
import TideLua
import TideScript
import TideSystem
import Testing

@testable import TideStore

@Suite struct `Databases that cannot be used` {
  private let app: StoredApp

  init() throws { app = try StoredApp() }

  private static let letter = String(
    repeating: "this is a letter and no database\n", count: 100)
  /// Begins like a database, and is none.
  private static let broken = "SQLite format 3\0" + letter

  private func open(_ name: String) -> String { "other = store.open('\(app.folder.path)/\(name)')" }

  @Test func `a broken database is kept aside, and a new one is begun with its permissions`() throws
  {
    let path = app.folder.write(Array(Self.broken.utf8), to: "broken.db")
    chmod(path, 0o600)
    app.folder.write("log", to: "broken.db-wal")
    let runtime = try app.runtime()
    try runtime.evaluate(
      "\(open("broken.db")) other:run('CREATE TABLE t (x)')", as: Value.self)
    #expect(app.folder.read("broken.db.broken") == Self.broken)
    #expect(app.folder.read("broken.db.broken-wal") == "log")
    #expect(try app.query("SELECT name FROM sqlite_schema", "broken.db") == "t")
    for message in try [app.errors.last ?? "", runtime.evaluate("other.error", as: String.self)] {
      #expect(message.contains("broken.db\" cannot be read: file is not a database"), "\(message)")
      #expect(message.contains("broken.db.broken\", and a new one was begun"), "\(message)")
    }
    for suffix in ["", "-wal", "-shm"] {
      var information = stat()
      #expect(stat(path + suffix, &information) == 0)
      #expect(information.st_mode & 0o777 == 0o600, "\(suffix)")
    }
  }

  @Test(arguments: [letter, "SQLite format 2\0", "return { 1 }", "x"])
  func `a file that does not begin like a database stays as it is`(text: String) throws {
    app.folder.write(Array(text.utf8), to: "letter.db")
    app.folder.write("log", to: "letter.db-wal")
    let runtime = try app.runtime()
    let message = StoredApp.message(runtime, open("letter.db"))
    #expect(message.contains("stays as it is"), "\(message)")
    #expect(app.folder.read("letter.db") == text)
    #expect(app.folder.read("letter.db-wal") == "log")
    #expect(access(app.folder.path + "/letter.db.broken", F_OK) != 0)
  }

  @Test func `each one gets a name of its own, and when there are many they stay`() throws {
    for number in 1...9 {
      app.folder.write(Array("\(Self.broken)\(number)".utf8), to: "broken.db")
      let runtime = try app.runtime()
      let message = StoredApp.message(runtime, open("broken.db"))
      if number == 9 {
        #expect(message.contains("8 broken ones are kept already"), "\(message)")
        #expect(app.folder.read("broken.db").hasSuffix("9"))
      } else {
        #expect(message == "")
        let name = number == 1 ? "broken.db.broken" : "broken.db.broken-\(number)"
        #expect(app.folder.read(name).hasSuffix("\(number)"))
      }
    }
  }

  @Test func `one whose tables are damaged is kept aside with its log`() throws {
    do { _ = try app.runtime() }
    let path = app.folder.path + "/ledger.db"
    let file = try #require(fopen(path, "r+"))
    // Behind the header, where the schema is.
    fseek(file, 100, SEEK_SET)
    for _ in 0..<3000 { fputc(0x5a, file) }
    fclose(file)
    let runtime = try app.runtime()
    #expect(try runtime.evaluate("db:value('SELECT count(*) FROM entry').value", as: Int.self) == 3)
    #expect(access(path + ".broken", F_OK) == 0)
  }

  @Test func `one that turns out damaged later is reported, and stays`() throws {
    do {
      let runtime = try app.runtime()
      try runtime.evaluate(
        """
        db:run("CREATE TABLE long (id INTEGER PRIMARY KEY, text TEXT)")
        for number = 1, 200 do db:run("INSERT INTO long (text) VALUES (?)", { ("x"):rep(1000) }) end
        """, as: Value.self)
    }
    let path = app.folder.path + "/ledger.db"
    let file = try #require(fopen(path, "r+"))
    fseek(file, 4096 * 8, SEEK_SET)
    for _ in 0..<4096 * 20 { fputc(0x5a, file) }
    fclose(file)
    let runtime = try app.runtime()
    let message = StoredApp.message(runtime, "db:list('SELECT * FROM long')")
    #expect(message.contains("malformed"), "\(message)")
    #expect(access(path + ".broken", F_OK) != 0)
    #expect(try runtime.evaluate("db:value('SELECT count(*) FROM entry').value", as: Int.self) == 3)
  }

  @Test func `while another program writes, a call says so, and what is kept waits`() throws {
    let runtime = try app.runtime(
      "settings = model 'settings' { theme = 'dark' } db:keep(settings) db:flush()")
    let other = try SQLiteConnection(app.folder.path + "/ledger.db", .readWrite, patience: 0)
    try other.configure("BEGIN IMMEDIATE")
    let message = StoredApp.message(runtime, "db:transaction(function() end)")
    #expect(message.contains("another program is writing to it"), "\(message)")
    try runtime.evaluate("settings.theme = 'light'", as: Value.self)
    #expect(
      try StoredApp.turn(runtime) {
        try runtime.evaluate("db.error or ''", as: String.self).contains("another program")
      })
    try other.configure("COMMIT")
    #expect(
      try StoredApp.turn(runtime) {
        try app.query("SELECT value FROM tide_kept WHERE property = 'theme'") == "\"light\""
      })
    #expect(try runtime.evaluate("tostring(db.error)", as: String.self) == "nil")
  }

  @Test func `what cannot be written when its context ends is written as soon as it can be`() throws
  {
    let runtime = try app.runtime(
      """
      settings = model "settings" { theme = "dark" }
      context("page", function() db:keep(settings) end)
      db:flush()
      """)
    let other = try SQLiteConnection(app.folder.path + "/ledger.db", .readWrite, patience: 0)
    try other.configure("BEGIN IMMEDIATE")
    try runtime.evaluate("settings.theme = 'light' context.clear 'page'", as: Value.self)
    #expect(app.errors.contains { $0.contains("another program") }, "\(app.errors)")
    try other.configure("COMMIT")
    #expect(
      try StoredApp.turn(runtime) {
        try app.query("SELECT value FROM tide_kept WHERE property = 'theme'") == "\"light\""
      })
    try runtime.evaluate(
      "other = model 'other' { theme = 'new' } db:keep(other, 'settings')", as: Value.self)
    #expect(try runtime.evaluate("other.theme", as: String.self) == "light")
  }

  @Test func `what could not be written when its context ended is written before it is kept again`()
    throws
  {
    let runtime = try app.runtime(
      """
      first = model "first" { theme = "dark" }
      second = model "second" { theme = "new" }
      context("page", function() db:keep(first, "settings") end)
      db:flush()
      """)
    let other = try SQLiteConnection(app.folder.path + "/ledger.db", .readWrite, patience: 0)
    try other.configure("BEGIN IMMEDIATE")
    try runtime.evaluate("first.theme = 'light' context.clear 'page'", as: Value.self)
    let message = StoredApp.message(runtime, "db:keep(second, 'settings')")
    #expect(message.contains("another program is writing to it"), "\(message)")
    try other.configure("COMMIT")
    try runtime.evaluate("db:keep(second, 'settings')", as: Value.self)
    #expect(try runtime.evaluate("second.theme", as: String.self) == "light")
  }

  /// A list of two rows whose table cannot be read.
  private func hideRows() throws -> SQLiteConnection {
    do {
      let runtime = try app.runtime("names = list {} db:keep(names, 'names')")
      try runtime.evaluate("names:append 'ann' names:append 'bob' db:flush()", as: Value.self)
      runtime.end()
    }
    let other = try SQLiteConnection(app.folder.path + "/ledger.db", .readWrite, patience: 1)
    try other.configure(
      """
      ALTER TABLE tide_kept_row RENAME TO hidden;
      CREATE VIEW tide_kept_row AS SELECT * FROM missing;
      """)
    return other
  }

  private static let showRows =
    "DROP VIEW tide_kept_row; ALTER TABLE hidden RENAME TO tide_kept_row;"

  @Test func `a list that could not be read is read as soon as it can be`() throws {
    let other = try hideRows()
    let runtime = try app.runtime("names = list { 'eve' } db:keep(names, 'names')")
    #expect(
      app.errors.contains { $0.contains("what was kept of names could not be read") },
      "\(app.errors)")
    try other.configure(Self.showRows)
    #expect(
      try StoredApp.turn(runtime) {
        try runtime.evaluate("table.concat(names:totable(), ' ')", as: String.self) == "ann bob"
      })
    try runtime.evaluate("names:append 'cid' db:flush()", as: Value.self)
    #expect(
      try app.query("SELECT value FROM tide_kept_row ORDER BY place")
        == "\"ann\"\n\"bob\"\n\"cid\"")
  }

  @Test func `rows that could not be read stay beside what the list holds meanwhile`() throws {
    let other = try hideRows()
    let runtime = try app.runtime("names = list { 'eve' } db:keep(names, 'names')")
    try runtime.evaluate("names:append 'cid'", as: Value.self)
    #expect(StoredApp.message(runtime, "db:flush()").contains("no such table"))
    try other.configure(Self.showRows)
    try runtime.evaluate("db:flush()", as: Value.self)
    #expect(
      try app.query("SELECT value FROM tide_kept_row ORDER BY place")
        == "\"ann\"\n\"bob\"\n\"eve\"\n\"cid\"")
  }

  @Test func `a full disk is told, and what is kept is written when there is room`() throws {
    let runtime = try app.runtime(
      "settings = model 'settings' { text = '' } db:keep(settings) db:flush()")
    let store = try runtime.evaluate("db", as: Store.self)
    try store.connection.configure("PRAGMA max_page_count = 8")
    try runtime.evaluate("settings.text = ('x'):rep(1000000)", as: Value.self)
    #expect(
      try StoredApp.turn(runtime) {
        try runtime.evaluate("db.error or ''", as: String.self).contains("no room left")
      })
    let message = StoredApp.message(
      runtime,
      """
      db:transaction(function()
        db:run("INSERT INTO entry (payee) VALUES (?)", { ("x"):rep(1000000) })
      end)
      """)
    #expect(message.contains("no room left"), "\(message)")
    #expect(try runtime.evaluate("db:value('SELECT count(*) FROM entry').value", as: Int.self) == 3)
    try store.connection.configure("PRAGMA max_page_count = 1000000")
    #expect(
      try StoredApp.turn(runtime) {
        try app.query("SELECT length(value) FROM tide_kept WHERE property = 'text'") == "1000002"
      })
  }

  @Test func `a file that cannot be written is told, and what is kept is written when it can be`()
    throws
  {
    let runtime = try app.runtime(
      "settings = model 'settings' { theme = 'dark' } db:keep(settings) db:flush()")
    let store = try runtime.evaluate("db", as: Store.self)
    // Who runs the tests may write whatever the permissions are.
    try store.connection.configure("PRAGMA query_only = ON")
    let message = StoredApp.message(
      runtime, "db:transaction(function() db:run('DELETE FROM entry') end)")
    #expect(message.contains("cannot be written to: change its permissions"), "\(message)")
    try runtime.evaluate("settings.theme = 'light'", as: Value.self)
    #expect(
      try StoredApp.turn(runtime) {
        try runtime.evaluate("db.error or ''", as: String.self).contains("cannot be written to")
      })
    try store.connection.configure("PRAGMA query_only = OFF")
    #expect(
      try StoredApp.turn(runtime) {
        try app.query("SELECT value FROM tide_kept WHERE property = 'theme'") == "\"light\""
      })
    #expect(try runtime.evaluate("db:value('SELECT count(*) FROM entry').value", as: Int.self) == 3)
  }

  @Test(.disabled(if: geteuid() == 0, "root may write everything"))
  func `a file without permission to write is refused, and left as it is`() throws {
    do { _ = try app.runtime() }
    chmod(app.folder.path + "/ledger.db", 0o400)
    let runtime = try app.runtimeWithoutTables()
    #expect(StoredApp.message(runtime, open("ledger.db")).contains("cannot be written to"))
    chmod(app.folder.path + "/ledger.db", 0o600)
    #expect(try app.query("SELECT count(*) FROM entry") == "3")
  }

  @Test func `a file that is newer than the script is refused, and left as it is`() throws {
    let runtime = try app.runtime("db:migrate { '', 'CREATE TABLE newer (x)' }")
    #expect(
      StoredApp.message(runtime, "db:migrate { '' }").contains("the database is of version 2"))
    #expect(try app.query("PRAGMA user_version") == "2")
  }

  @Test func `two programs that begin at once make the tables once`() throws {
    let first = try app.runtime(), second = try app.runtime()
    for runtime in [first, second] {
      #expect(
        try runtime.evaluate("db:value('SELECT count(*) FROM entry').value", as: Int.self) == 3)
    }
    try first.evaluate("db:run(\"DELETE FROM entry WHERE id = 1\")", as: Value.self)
    #expect(
      try second.evaluate("db:run(\"UPDATE entry SET cents = 0\")", as: Int.self) == 2)
  }
}
