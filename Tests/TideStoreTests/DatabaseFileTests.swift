import OwnThread
import Synchronization
import TestFolders
import TideBindings
import TideLua
import TideScript
import TideSystem
import Testing

@testable import TideStore

@Suite struct `Where databases are` {
  private let app: StoredApp
  private let outside: ScratchFolder

  init() throws {
    app = try StoredApp()
    outside = try ScratchFolder()
  }

  private func open(_ name: String) -> String { "other = store.open('\(app.folder.path)/\(name)')" }

  @Test func `a folder that becomes a link while a database is open leads nowhere else`() throws {
    let runtime = try app.runtimeWithoutTables()
    mkdir(app.folder.path + "/data", 0o755)
    try runtime.evaluate("\(open("data/a.db")) other:run('CREATE TABLE t (x)')", as: Value.self)
    rename(app.folder.path + "/data", app.folder.path + "/moved")
    symlink(outside.path, app.folder.path + "/data")
    try runtime.evaluate(
      "other:run('INSERT INTO t VALUES (1)') other:flush() other = nil collectgarbage()",
      as: Value.self)
    #expect(access(outside.path + "/a.db", F_OK) != 0)
    #expect(access(outside.path + "/a.db-wal", F_OK) != 0)
    #expect(try app.query("SELECT count(*) FROM t", "moved/a.db") == "1")
  }

  @Test(arguments: ["", "-wal", "-shm", "-journal"])
  func `a link in the place of one of its files is not followed`(suffix: String) throws {
    outside.write("", to: "target")
    symlink(outside.path + "/target", app.folder.path + "/a.db" + suffix)
    let runtime = try app.runtimeWithoutTables()
    let message = StoredApp.message(runtime, "\(open("a.db")) other:run('CREATE TABLE t (x)')")
    if suffix != "-journal" { #expect(message != "") }
    #expect(outside.read("target") == "")
  }

  @Test func `links that come and go while databases are opened never lead outside`() throws {
    let (place, outside) = (app.folder.path + "/data", outside.path)
    mkdir(app.folder.path + "/real", 0o755)
    let runtime = try app.runtimeWithoutTables()
    let isOver = Atomic(false)
    let flipping = JoinedThread {
      while !isOver.load(ordering: .relaxed) {
        unlink(place)
        symlink("real", place)
        unlink(place)
        symlink(outside, place)
      }
    }
    for round in 0..<300 { _ = StoredApp.message(runtime, open("data/a\(round).db")) }
    isOver.store(true, ordering: .relaxed)
    flipping.join()
    let found = self.outside.entries(of: "")
    #expect(found.isEmpty, "\(found)")
  }

  @Test(arguments: [0o600, 0o640, 0o644] as [mode_t])
  func `a file keeps its permissions, and those beside it get them`(mode: mode_t) throws {
    do { _ = try app.runtime() }
    let path = app.folder.path + "/ledger.db"
    chmod(path, mode)
    let runtime = try app.runtimeWithoutTables()
    try runtime.evaluate(
      "\(open("ledger.db")) other:run(\"INSERT INTO entry (payee) VALUES ('x')\")",
      as: Value.self)
    for suffix in ["", "-wal", "-shm"] {
      var information = stat()
      #expect(stat(path + suffix, &information) == 0)
      #expect(information.st_mode & 0o777 == mode, "\(suffix)")
    }
  }

  @Test func `a folder, a pipe or a device is no database`() throws {
    mkdir(app.folder.path + "/folder.db", 0o755)
    mkfifo(app.folder.path + "/pipe.db", 0o600)
    let runtime = try app.runtimeWithoutTables()
    for name in ["folder.db", "pipe.db"] {
      #expect(StoredApp.message(runtime, open(name)).contains("is no file"))
    }
  }
}
