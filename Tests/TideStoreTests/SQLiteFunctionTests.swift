import CSQLite
import Fuzzing
import TestFolders
import Testing

@testable import TideStore

/// The functions that stand in for SQLite's own give what those give.
@Suite struct SQLiteFunctionTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let texts = [
    "NULL", "0", "-1", "3", "2.5", "-0.125", "1e300", "9223372036854775807", "''", "'a'", "'aa'",
    "'abc'", "'ABC'", "'\u{E9}t\u{E9}'", "'a%b_c'", "'%b%'", "'_'", "'*b*'", "'[a-c]*'", "'[^a]'",
    "'[]a]*'",
    "'it''s'", "'  a b  '", "x''", "x'FF41'", "x'C3A9'", "x'6162'", "'\u{1F600}x'", "'b'",
  ]
  private static let calls = [
    "instr(?, ?)", "replace(?, ?, ?)", "trim(?)", "trim(?, ?)", "ltrim(?, ?)", "rtrim(?, ?)",
    "like(?, ?)", "like(?, ?, ?)", "glob(?, ?)", "length(?)", "upper(?)", "lower(?)", "hex(?)",
    "quote(?)", "substr(?, ?)", "substr(?, ?, ?)", "format('%c %.3c %-4c', 'abc', '\u{E9}', 'x')",
    "printf('%s|%5.2f|%-5d|', ?, ?, ?)",
    "format('%Q %q %w', ?, ?, ?)", "printf('%05d %+d %x %,d', ?, ?, ?, ?)",
    "printf(?, ?)",
  ]

  private func answer(_ handle: OpaquePointer?, _ expression: String) -> String {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let sql = "SELECT v, typeof(v) FROM (SELECT \(expression) AS v)"
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return "an error" }
    let count = Int(sqlite3_column_bytes(statement, 0))
    let bytes = sqlite3_column_blob(statement, 0).map {
      Array(UnsafeRawBufferPointer(start: $0, count: count))
    }
    return "\(bytes ?? []) \(sqlite3_column_text(statement, 1).map { String(cString: $0) } ?? "")"
  }

  @Test func `agree with SQLite's`() throws {
    let ours = try SQLiteConnection(":memory:", .inMemory, patience: 0)
    var theirs: OpaquePointer?
    #expect(sqlite3_open(":memory:", &theirs) == SQLITE_OK)
    defer { sqlite3_close(theirs) }
    var random = SeededGenerator(seed: FuzzRun.seed(of: "functions", otherwise: 5))
    for call in Self.calls {
      for _ in 0..<150 {
        let expression = call.split(separator: "?", omittingEmptySubsequences: false).reduce("") {
          $0.isEmpty ? String($1) : $0 + (Self.texts.randomElement(using: &random) ?? "1") + $1
        }
        let (first, second) = (answer(ours.handle, expression), answer(theirs, expression))
        #expect(first == second, "\(expression)")
      }
    }
  }

  @Test func `count what they take, and give all of it back`() throws {
    let account = try #require(SQLiteAccount())
    do {
      let connection = try SQLiteConnection(":memory:", .inMemory, patience: 0, account: account)
      try connection.using { (connection) throws(SQLiteFailure) in
        _ = try connection.run("CREATE TABLE t AS SELECT zeroblob(1000000) AS n")
      }
      #expect(account.used > 1_000_000)
    }
    #expect(account.used == 0)
  }

  @Test func `a reservation counts as long as it lives`() throws {
    let account = try #require(SQLiteAccount())
    do {
      let rows = RowReservation(account)
      #expect(rows.grow(by: 1000))
      #expect(account.used == 1000)
    }
    #expect(account.used == 0)
  }
}
