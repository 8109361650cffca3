import CTideSQLite
import TestFolders
import Testing

@testable import TideStore

/// What a statement does with each value bounds how long its values may be.
@Suite struct StatementCostTests {
  private let connection: SQLiteConnection

  init() throws {
    connection = try SQLiteConnection(":memory:", .inMemory, patience: 0)
    connection.limitValues(to: 1 << 30)
    try connection.run("CREATE TABLE photo (id INTEGER PRIMARY KEY, album INTEGER, data BLOB)")
  }

  private func longest(_ sql: String) throws -> Int {
    var cost = TideSQLiteCost()
    let code = tide_sqlite_measure(
      connection.handle, sql, Int32(sql.utf8.count), 16 << 20, false, &cost)
    #expect(code == 0)
    return Int(cost.longest)
  }

  @Test(arguments: [
    "INSERT INTO photo VALUES (?, ?, ?)", "SELECT data FROM photo WHERE id = ?",
    "SELECT data FROM photo",
  ])
  func `a statement that puts values in their place may have long ones`(sql: String) throws {
    #expect(try longest(sql) > 4_000_000)
  }

  @Test func `the more a statement does, the shorter its values are`() throws {
    func calculated(_ count: Int) -> String {
      let columns = Array(repeating: "x + x", count: count).joined(separator: ", ")
      return "SELECT \(columns) FROM (SELECT ? AS x)"
    }
    let lengths = try [1, 10, 100, 450].map { try longest(calculated($0)) }
    #expect(lengths == lengths.sorted(by: >))
    #expect(try #require(lengths.last) < 20_000)
  }

  @Test func `views and triggers count where they are used`() throws {
    let parts = Array(repeating: "new.data + new.data", count: 300).joined(separator: ", ")
    let sql = "INSERT INTO photo VALUES (?, ?, ?)"
    let before = try longest(sql)
    try connection.run(
      "CREATE TRIGGER reads BEFORE INSERT ON photo BEGIN SELECT \(parts); END")
    #expect(try longest(sql) < before / 100)
  }

  @Test func `a statement is measured again when the schema has changed`() throws {
    let sql = "INSERT INTO photo VALUES (?, ?, ?)"
    let long = SQLiteParameters.positions([
      .null, .integer(1), .text(String(repeating: "1", count: 1_000_000)),
    ])
    try connection.run(sql, long)
    let parts = Array(repeating: "new.data + new.data", count: 300).joined(separator: ", ")
    try connection.run(
      "CREATE TRIGGER reads BEFORE INSERT ON photo BEGIN SELECT \(parts); END")
    #expect(throws: SQLiteFailure.self) { try connection.run(sql, long) }
    try connection.run(sql, .positions([.null, .integer(1), .text("1")]))
    try connection.run("DROP TRIGGER reads")
    try connection.run(sql, long)
    #expect(try connection.number("SELECT count(*) FROM photo") == 3)
  }

  @Test func `a check made again keeps tables of pragmas readable`() throws {
    let sql = "SELECT name FROM pragma_table_info('photo')"
    try connection.run(sql)
    try connection.run("ALTER TABLE photo ADD COLUMN day TEXT")
    try connection.run(sql)
    try connection.run("VACUUM")
  }
}
