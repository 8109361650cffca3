import Fuzzing
import TestFolders
import TideBindings
import TideScript
import TideSystem
import Testing

@testable import TideStore

/// Two programs with one file do random things, and end and begin again: each list holds what its
/// query gives, both agree, and so does the program sqlite3.
@Suite struct `Two programs with one file` {
  private static let queries = [
    (sql: "SELECT id, payee, cents FROM entry ORDER BY cents, id", columns: "id payee cents"),
    (
      sql: "SELECT payee, count(*) AS n FROM entry GROUP BY payee ORDER BY payee",
      columns: "payee n"
    ),
  ]

  /// One of the two programs.
  private final class Side {
    let name: String
    private let app: StoredApp
    private(set) var runtime: Runtime

    init(_ name: String, _ app: StoredApp) throws {
      (self.name, self.app) = (name, app)
      runtime = try app.runtime(Self.script(name))
    }

    private static func script(_ name: String) -> String {
      """
      settings = model "settings \(name)" { n = 0, text = "", rows = list {} }
      db:keep(settings)
      function text(list, columns)
        local all = {}
        for index = 1, #list do
          local fields = {}
          for column in columns:gmatch("%a+") do
            local value = list[index][column]
            fields[#fields + 1] = value == nil and "" or tostring(value)
          end
          all[index] = table.concat(fields, "|")
        end
        return table.concat(all, "\\n")
      end
      function kept()
        return settings.n .. settings.text .. text(settings.rows, "n word")
      end
      """
        + queries.enumerated().map { "\nlist\($0) = db:list(\"\($1.sql)\")" }.joined()
    }

    func text(_ expression: String) throws -> String {
      try runtime.evaluate(expression, as: String.self)
    }

    func run(_ script: String) throws { try runtime.evaluate(script, as: Value.self) }

    /// Ends and begins again; what is kept must be what it was.
    func restart() throws {
      try run("db:flush()")
      let before = try text("kept()")
      runtime.end()
      runtime = try app.runtime(Self.script(name))
      #expect(try text("kept()") == before)
    }
  }

  @Test(arguments: 0..<8) func `agree after whatever they do`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let app = try StoredApp()
    let sides = [try Side("one", app), try Side("two", app)]
    for step in 0..<60 {
      let side = sides[Int.random(in: 0..<2, using: &random)]
      if Int.random(in: 0..<15, using: &random) == 0 {
        try side.restart()
      } else {
        try side.run(Self.script(&random))
      }
      guard step % 5 == 4 else { continue }
      for (index, query) in Self.queries.enumerated() {
        let wanted = try Self.program(query.sql, app)
        for side in sides {
          let agrees = try StoredApp.turn(side.runtime) {
            try side.text("text(list\(index), '\(query.columns)')") == wanted
          }
          #expect(agrees, "seed \(seed), step \(step), \(side.name): \(query.sql)\n\(wanted)")
        }
      }
    }
    for side in sides { try side.restart() }
    #expect(app.errors.isEmpty, "\(app.errors)")
    #expect(try app.query("PRAGMA integrity_check") == "ok")
  }

  private static func script(_ random: inout SeededGenerator) -> String {
    let (id, cents) = (
      Int.random(in: 1...12, using: &random), Int.random(in: 0...5, using: &random)
    )
    let name = ["ann", "bob", "cid"][Int.random(in: 0..<3, using: &random)]
    let sql =
      switch Int.random(in: 0..<5, using: &random) {
      case 0: "DELETE FROM entry WHERE id = \(id)"
      case 1: "UPDATE entry SET cents = \(cents) WHERE id = \(id)"
      case 2: "UPDATE entry SET payee = '\(name)' WHERE cents = \(cents)"
      default: "INSERT INTO entry (payee, cents) VALUES ('\(name)', \(cents))"
      }
    let kept =
      switch Int.random(in: 0..<7, using: &random) {
      case 0: "settings.n = \(cents)"
      case 1: "settings.text = '\(name)'"
      case 2: "if #settings.rows > 0 then settings.rows[1].n = \(id) end"
      case 3: "if #settings.rows > 1 then settings.rows:move(1, #settings.rows) end"
      case 4: "if #settings.rows > 3 then settings.rows:remove(2) end"
      default: "settings.rows:insert(1 + #settings.rows // 2, { n = \(id), word = '\(name)' })"
      }
    return switch Int.random(in: 0..<5, using: &random) {
    case 0: "db:run(\"\(sql)\")"
    case 1: "db:transaction(function() db:run(\"\(sql)\") \(kept) end)"
    case 2: "pcall(db.transaction, db, function() db:run(\"\(sql)\") \(kept) error('no') end)"
    case 3: "\(kept) db:run(\"\(sql)\")"
    default: kept
    }
  }

  /// What the program sqlite3 says, where it is installed.
  private static func program(_ sql: String, _ app: StoredApp) throws -> String {
    let command = "sqlite3 '\(app.folder.path)/ledger.db' \"\(sql)\" 2>/dev/null"
    guard access("/usr/bin/sqlite3", X_OK) == 0, let pipe = popen(command, "r") else {
      return try app.query(sql)
    }
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(pipe), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
