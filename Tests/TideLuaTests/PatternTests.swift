import CLua54
import Testing
import TideLua

/// Runs a chunk that returns one string in an interpreter without any of ours.
private func runStock(_ source: String, seed: Int) throws -> String {
  let L = try #require(luaL_newstate())
  defer { lua_close(L) }
  luaL_openlibs(L)
  lua_pushinteger(L, lua_Integer(seed))
  lua_setglobal(L, "seed")
  try #require(luaL_loadbufferx(L, source, source.utf8.count, "=t", "t") == LUA_OK)
  try #require(lua_pcallk(L, 0, 1, 0, 0, nil) == LUA_OK)
  return String(cString: try #require(lua_tolstring(L, -1, nil)))
}

private func runOurs(_ source: String, seed: Int) throws -> String {
  var configuration = LuaConfiguration()
  configuration.turn = nil
  let state = try LuaState(configuration)
  try state.globals.rawSet("seed", .integer(seed))
  return try #require(try state.run(source, name: "=t").first?.string)
}

private func expectSame(_ source: String, seed: Int) throws {
  let stock = try runStock(source, seed: seed).split(separator: "\n")
  let ours = try runOurs(source, seed: seed).split(separator: "\n")
  #expect(stock.count == ours.count)
  for (expected, got) in zip(stock, ours) where expected != got {
    Issue.record("stock: \(expected)\nours:  \(got)\nseed \(seed)")
    return
  }
}

private let helpers = #"""
  math.randomseed(seed)
  local random, out = math.random, {}
  local function show(v) return type(v) == "string" and ("%q"):format(v) or tostring(v) end
  local function note(label, ...)
    local t = table.pack(...)
    for i = 1, t.n do t[i] = show(t[i]) end
    out[#out + 1] = (label .. " => " .. table.concat(t, ", ")):gsub("\\?\n", "\\n")
  end
  local function pick(t) return t[random(#t)] end
  local function make(n, parts)
    local t = {}
    for i = 1, random(0, n) do t[i] = pick(parts) end
    return table.concat(t)
  end

  """#

@Suite struct `Pattern functions` {
  @Test(arguments: [1, 20, 300, 4000, 50000])
  func `find, match, gmatch and gsub agree with stock on generated patterns`(seed: Int) throws {
    try expectSame(
      helpers + #"""
        local atoms = { "a", "b", "c", ".", "%a", "%d", "%s", "%w", "%W", "%p", "%x", "[abc]",
          "[^ab]", "[a-c]", "[%d_]", "[]a]", "[^]]", "[a-", "[", "%", "%%", "%.", "(", ")", "()",
          "^", "$", "%b()", "%b", "%bxy", "%f[%w]", "%f", "%f[^%z]", "%1", "%2", "%0", "*", "+",
          "-", "?", "a*", "b+", ".-", ".*", "c?", "(a*)", "(.-)", "(%w+)", "\0", "[\0-\9]", "[%a-z]",
          "[a%", "[^", "]", "é", "%z" }
        local letters = { "a", "b", "c", "(", ")", "x", "y", " ", "1", "2", "_", ".", "\0", "\n",
          "-", "]", "A", "é" }
        local templates = { "", "x", "<%0>", "%1", "%2", "%%", "%", "%9", "[%1%1]", "%x", "\0" }
        for i = 1, 4000 do
          local s, p = make(12, letters), make(6, atoms)
          local init = pick { 1, 0, -1, -3, 2, 5, 40, -40 }
          note("find " .. show(s) .. show(p), pcall(string.find, s, p, init))
          note("plain " .. show(s) .. show(p), pcall(string.find, s, p, init, true))
          note("match " .. show(s) .. show(p), pcall(string.match, s, p, init))
          note("gsub " .. show(s) .. show(p), pcall(string.gsub, s, p, pick(templates)))
          note("gsub n " .. show(s) .. show(p), pcall(string.gsub, s, p, "<%0>", random(-1, 3)))
          note("gsub t " .. show(s) .. show(p),
            pcall(string.gsub, s, p, { a = 1, b = "B", ab = false, [1] = "one", c = {} }))
          note("gsub f " .. show(s) .. show(p), pcall(string.gsub, s, p, function(...)
            return select("#", ...) == 2 and select(2, ...) or nil end))
          note("gmatch " .. show(s) .. show(p), pcall(function()
            local t = {}
            for a, b in string.gmatch(s, p, init) do t[#t + 1] = tostring(a) .. tostring(b) end
            return table.concat(t, "|")
          end))
        end
        return table.concat(out, "\n")
        """#, seed: seed)
  }

  @Test func `nesting and argument errors read as stock`() throws {
    try expectSame(
      helpers + #"""
        for _, n in ipairs { 31, 32, 33, 100, 198, 199, 200, 201, 250 } do
          note("captures " .. n, pcall(string.match, ("a"):rep(n), ("(a)"):rep(n)))
          note("optional " .. n, pcall(string.match, ("a"):rep(n), ("a?"):rep(n)))
          note("nested " .. n, pcall(string.find, "a", ("("):rep(n) .. "a" .. (")"):rep(n)))
        end
        for _, f in ipairs { "find", "match", "gmatch", "gsub", "rep", "upper", "reverse" } do
          note(f, pcall(string[f]))
          note(f, pcall(string[f], {}))
          note(f, pcall(string[f], "a"))
          note(f, pcall(string[f], "a", {}))
          note(f, pcall(string[f], "a", "b", {}))
          note(f, pcall(string[f], 12, 1, "x"))
          note(f, pcall(string[f], "a", "a", print, {}))
        end
        note("gsub bad", pcall(string.gsub, "abc", "%w", true))
        note("gsub nil", pcall(string.gsub, "abc", "%w", nil))
        return table.concat(out, "\n")
        """#, seed: 1)
  }

  @Test(arguments: [3, 44])
  func `rep, upper, lower, reverse and the table functions agree with stock`(seed: Int) throws {
    try expectSame(
      helpers + #"""
        for i = 1, 300 do
          local s, n = make(5, { "ab", "é", "\0", "Z" }), random(-1, 5)
          note("rep", pcall(string.rep, s, n))
          note("rep sep", pcall(string.rep, s, n, make(2, { ",", "--" })))
          note("case", s:upper(), s:lower(), s:reverse())
          local t = {}
          for k = 1, random(0, 20) do t[k] = random(-9, 9) end
          local function copy() return table.move(t, 1, #t, 1, {}) end
          local function all(c) return table.concat(c, " ") end
          local c = copy() table.sort(c) note("sort", all(c))
          c = copy() table.sort(c, function(a, b) return a > b end) note("sort >", all(c))
          local at, from, to = random(-1, #t + 2), random(-1, 6), random(-1, 9)
          c = copy() note("insert", pcall(table.insert, c, at, 77)) note("insert", all(c))
          c = copy() note("remove", pcall(table.remove, c, at)) note("remove", all(c))
          c = copy() note("remove last", pcall(table.remove, c)) note("remove", all(c))
          c = copy() note("move", pcall(function() return all(table.move(c, from, to, at)) end))
          note("unpack", pcall(table.unpack, t, from, to))
          note("concat", pcall(table.concat, t, ",", from, to))
        end
        note("bad concat", pcall(table.concat, { 1, {}, 3 }))
        note("bad insert", pcall(table.insert, { 1 }, 1, 2, 3))
        note("bad insert", pcall(table.insert, 12, 1))
        note("bad move", pcall(table.move, {}, 1, math.maxinteger, 2))
        note("bad move", pcall(table.move, {}, -1, math.maxinteger, 2))
        note("bad sort", pcall(table.sort, { 1, "x" }))
        note("bad sort", pcall(table.sort, { 1, 2 }, 3))
        note("bad unpack", pcall(table.unpack, {}, 1, 1e8))
        return table.concat(out, "\n")
        """#, seed: seed)
  }

  @Test func `sorting is stable and leaves the table alone when the comparator fails`() throws {
    let state = try LuaState()
    let results = try state.run(
      """
      local t = {}
      for i = 1, 200 do t[i] = { key = i % 7, at = i } end
      table.sort(t, function(a, b) return a.key < b.key end)
      for i = 2, #t do
        local a, b = t[i - 1], t[i]
        if a.key > b.key or (a.key == b.key and a.at > b.at) then return false end
      end
      local u, calls = { 5, 4, 3, 2, 1 }, 0
      local ok = pcall(table.sort, u, function() calls = calls + 1 if calls > 3 then error("x") end end)
      return ok == false and table.concat(u, " ")
      """, name: "=sort")
    #expect(results == ["5 4 3 2 1"])
  }
}
