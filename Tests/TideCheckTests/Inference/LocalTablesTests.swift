import Testing

@testable import TideCheck

@Suite struct `Tables that variables hold` {
  private func tables(_ text: String) throws -> LocalTables {
    var parser = try LuaParser(Array(text.utf8))
    let statements = try parser.script()
    // The tree owns the variables.
    return withExtendedLifetime(statements) { LocalTables(statements) }
  }

  private func names(_ text: String) throws -> [[String]] {
    try tables(text).shapes.values.map { $0.names.sorted() }
  }

  @Test func `have what the script puts into them`() throws {
    #expect(
      try names(
        "local M = { a = 1 } function M.b() end function M:c() self.d = 1 end M.e = 2 return M")
        == [["a", "b", "c", "d", "e"]])
  }

  @Test(arguments: [
    "local M = { a = 1 } fill(M)", "local M = { a = 1 } local N = M",
    "local M = { a = 1 } M[k] = 1",
    "local M = { a = 1 } return setmetatable(M, {})", "local M = {}", "local M = { 1, 2 }",
    "local M = { [k] = 1 }", "local M = { a = 1 } M = other", "local M = { a = 1 } x.y = M",
    "local M = { a = 1 } function M:f() fill(self) end", "local M = { a = 1 } return { M }",
  ])
  func `are left out if others may add to them`(text: String) throws {
    #expect(try names(text) == [])
  }

  @Test func `may be iterated, compared and counted`() throws {
    let text = "local M = { a = 1 } for _ in pairs(M) do end print(M == x, #M, M.a) M:f() M[1] = 2"
    #expect(try names(text) == [["a"]])
  }

  @Test func `in others are open if they escape or are written to by computed keys`()
    throws
  {
    let text = "local t = x.rows t[k] = 1 fill(x.list) x.other[k] = 1"
    #expect(try tables(text).openNames == ["rows", "list", "other"])
  }
}
