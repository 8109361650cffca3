import TideBindings
import TideStore
import Testing

@testable import TideCheck

/// SQL that a script puts together, from its own words or from values.
@Suite struct `SQL that is put together` {
  private func told(_ script: String) throws -> [String] {
    let start = """
      local db = store.open "a.db"
      db:migrate { "CREATE TABLE item (id INTEGER, name TEXT)" }
      local ids = { 1, 2 }

      """
    return try ScriptCheck(sql: LiteralSQL()).check(start + script, path: "app.lua")
      .filter { $0.error.code == .composedSQL }.map(\.error.message)
  }

  @Test(arguments: [
    #"db:list("SELECT id FROM item WHERE id IN (" .. ("?, "):rep(#ids):sub(1, -3) .. ")", ids)"#,
    #"db:list(("SELECT id FROM item WHERE id IN (%s)"):format(("?,"):rep(#ids):sub(1, -2)), ids)"#,
    #"local where = { "id > ?", "name <> ?" } "#
      + #"db:list("SELECT id FROM item WHERE " .. table.concat(where, " AND "), { 0, "z" })"#,
    #"local where = { "id > 0" } where[#where + 1] = "name <> 'z'" table.insert(where, "id < 9") "#
      + #"db:list("SELECT id FROM item WHERE " .. table.concat(where, " AND "))"#,
    #"local order = { up = "ORDER BY id", down = "ORDER BY id DESC" } "#
      + #"db:list("SELECT id FROM item " .. order.down)"#,
    #"local orders = { name = "name" } local function all(by) "#
      + #"return db:list("SELECT id FROM item ORDER BY " .. (orders[by] or "id")) end all "name""#,
    #"local marks = table.concat({ "?", "?" }, ", ") "#
      + #"db:list("SELECT id FROM item WHERE id IN (" .. marks .. ")", { 1, 2 })"#,
    #"local function marks(n) return ("?,"):rep(n):sub(1, -2) end "#
      + #"db:list("SELECT id FROM item WHERE id IN (" .. marks(2) .. ")", ids)"#,
    #"for _, name in ipairs { "a", "b" } do db:run("DELETE FROM " .. name) end"#,
    #"for name in pairs { id = 1, name = 2 } do db:run("UPDATE item SET " .. name .. " = 1") end"#,
    #"local sizes = { id = 1, name = 2 } sizes[#sizes + 1] = 1 "#
      + #"for name in pairs(sizes) do db:run("UPDATE item SET " .. name .. " = 1") end"#,
    #"local up = arg[1] == "up" "#
      + #"db:list("SELECT id FROM item ORDER BY id " .. (up and "ASC" or "DESC"))"#,
    #"db:list("SELECT id FROM item LIMIT " .. #ids * 2)"#,
    #"db:list(("SELECT id FROM item LIMIT %d"):format(tonumber(arg[1])))"#,
  ])
  func `from the script's own words and numbers is no mistake`(script: String) throws {
    #expect(try told(script) == [])
  }

  @Test(arguments: [
    #"db:list("SELECT id FROM item WHERE name = '" .. arg[1] .. "'")"#,
    #"local where = { "id > 0" } where[#where + 1] = "name = '" .. arg[1] .. "'" "#
      + #"db:list("SELECT id FROM item WHERE " .. table.concat(where, " AND "))"#,
    #"local sizes = { id = 1 } sizes[arg[1]] = 2 "#
      + #"for name in pairs(sizes) do db:run("UPDATE item SET " .. name .. " = 1") end"#,
    #"for name in pairs { [arg[1]] = 1 } do db:run("UPDATE item SET " .. name .. " = 1") end"#,
    #"local where = { "id > 0" } add(where) "#
      + #"db:list("SELECT id FROM item WHERE " .. table.concat(where, " AND "))"#,
    #"local function all(by) return db:list("SELECT id FROM item ORDER BY " .. by) end all "name""#,
    #"db:list(("SELECT id FROM item WHERE name = '%s'"):format(arg[1]:upper()))"#,
  ])
  func `from values is told`(script: String) throws {
    #expect(try told(script).count == 1)
  }

  @Test func `from a value beyond the search's depth is told where it is nearer`() throws {
    let parts = (1...40).map { "local a\($0) = a\($0 - 1) .. 'x'" }.joined(separator: "\n")
    let script = """
      local a0 = arg[1]
      \(parts)
      db:run("DELETE FROM " .. a40)
      db:run("DELETE FROM " .. a30)
      db:run("DELETE FROM " .. a5)
      """
    #expect(try told(script).count == 1)
  }
}
