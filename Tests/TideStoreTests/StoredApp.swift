import TestFolders
import TideBindings
import TideLua
import TideScript

@testable import TideStore

/// Runtimes that may keep databases in one folder.
final class StoredApp {
  let folder: ScratchFolder
  private(set) var errors: [String] = []

  init() throws { folder = try ScratchFolder() }

  /// A runtime that has opened the database and made a table, and has run a script.
  func runtime(
    _ script: String = "", adjust: (inout Runtime.Configuration) -> Void = { _ in }
  ) throws -> Runtime {
    let runtime = try runtimeWithoutTables(adjust)
    try runtime.evaluate(
      """
      db = store.open("\(folder.path)/ledger.db")
      db:migrate { [[
        CREATE TABLE entry (id INTEGER PRIMARY KEY, payee TEXT, cents INTEGER, isPaid BOOLEAN);
        INSERT INTO entry (payee, cents) VALUES ('baker', 300), ('miller', 1200), ('smith', 50);
      ]] }
      function payees(list)
        local names = {}
        for index = 1, #list do names[index] = list[index].payee end
        return table.concat(names, " ")
      end
      \(script)
      """, as: Value.self)
    return runtime
  }

  /// A runtime that may open databases in the folder, and has opened none.
  func runtimeWithoutTables(
    file: String = "app.lua", _ adjust: (inout Runtime.Configuration) -> Void = { _ in }
  ) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.addStores()
    configuration.lua.access.store = [folder.path]
    // Of a busy machine: what is tested is no limit of time.
    configuration.lua.turn = .seconds(60)
    adjust(&configuration)
    let runtime = try Runtime(file: file, configuration: configuration)
    runtime.onError = { [weak self] in self?.errors.append($0.message) }
    return runtime
  }

  /// What a script that fails says; empty for one that does not.
  static func message(_ runtime: Runtime, _ script: String) -> String {
    do {
      try runtime.evaluate(script, as: Value.self)
      return ""
    } catch { return "\((error as? TideError)?.message ?? "\(error)")" }
  }

  /// Declares a list of all entries, whose edits are written.
  static let editedList = """
    class "entry" { id = 0, payee = "", cents = 0, isPaid = false }
    all = db:list("SELECT * FROM entry ORDER BY id", nil, { class = "entry", writes = true })
    """

  /// Whether the database has a payee after some turns.
  func isWritten(_ runtime: Runtime, _ payee: String, id: Int = 1) throws -> Bool {
    try Self.turn(runtime) {
      try query("SELECT payee FROM entry WHERE id = \(id)") == payee
    }
  }

  /// The connection of another program to the database.
  func otherProgram() throws -> SQLiteConnection {
    try SQLiteConnection("\(folder.path)/ledger.db", .readWrite, patience: 1)
  }

  /// What another connection says of the database, a line for each row.
  func query(_ sql: String, _ name: String = "ledger.db") throws -> String {
    let connection = try SQLiteConnection("\(folder.path)/\(name)", .readWrite, patience: 1)
    return try connection.rows(sql).map { row in row.map(\.described).joined(separator: "|") }
      .joined(separator: "\n")
  }

  /// Lets queries read to their end that take long on a busy machine.
  static func finishReading(_ runtime: Runtime) {
    _ = turn(runtime) {
      !((runtime.storeTable as? StoreTable)?.open ?? []).contains { store in
        store.queries(QueryList.self).contains { $0.reader.isReading }
          || store.queries(FirstRow.self).contains { $0.reader.isReading }
      }
    }
  }

  /// Turns a runtime until something holds. The limit is only reached by a test that fails, so it is
  /// far beyond what a busy machine needs.
  static func turn(
    _ runtime: Runtime, seconds: Double = 60, until condition: () throws -> Bool
  ) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      if try condition() { return true }
      runtime.turn(timeout: 0.01)
    }
    return try condition()
  }
}

extension SQLiteValue {
  fileprivate var described: String {
    switch self {
    case .null: ""
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): text
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }
}
