import Testing

/// Patterns here are made of whole items, good and bad ones, or of any bytes that mean something.
private let patterns = #"""
  local atoms = { "a", "b", "c", ".", "%a", "%d", "%s", "%w", "%W", "%p", "%x", "%C", "%g", "%u", "%L",
    "[abc]", "[^ab]", "[a-c]", "[%d_]", "[]a]", "[^]]", "[a-", "[", "%", "%%", "%.", "(", ")", "()",
    "(a", "b)", "^", "$", "%b()", "%b", "%bxy", "%baa", "%f[%w]", "%f", "%f[^%z]", "%f[\0]", "%1",
    "%2", "%0", "*", "+", "-", "?", "a*", "b+", ".-", ".*", "c?", "(a*)", "(.-)", "(%w+)", "(%s*)",
    "[^,]+", "[%w_]*", "%S+", "(%d+)", ",", ":", "=", "\0", "[\0-\9]", "[%a-z]", "[a%", "[^", "]",
    "é", "%é", "\xff", "[\x80-\xff]", "%z", "%Z" }
  local signs = { "^", "$", "*", "+", "?", ".", "(", ")", "[", "]", "%", "-", "a", "b", "c", "1",
    "f", "\0", "]", "^", "x", "," }
  local letters = { "a", "b", "c", "(", ")", "x", "y", " ", "1", "2", "_", ".", ",", ":", "=", "\0",
    "\n", "-", "]", "A", "é", "\xff", "aa", "abc", "  ", "12" }
  local templates = { "", "x", "<%0>", "%1", "%2", "%%", "%", "%9", "[%1%1]", "%x", "\0", 5, 1.5,
    "%1%%", "a%", "%0%0%0%0%0%0%0%0%0%0" }
  -- Long subjects get short patterns: what matching takes grows with a power of the pattern.
  local function subjectAndPattern()
    local roll = random(10)
    if roll == 1 then return make(300, letters), make(2, atoms) end
    if roll == 2 then return bytes(40), make(3, atoms) end
    if roll == 3 then return make(8, letters), make(8, signs) end
    if roll == 4 then return make(60, letters), make(3, atoms) end
    return make(12, letters), make(6, atoms)
  end
  local function position() return random(3) == 1 and random(-15, 15) or nil end
  local function times(count, try)
    for i = 1, count do
      local s, p = subjectAndPattern()
      try(s, p, position())
    end
  end

  """#

@Suite struct `Pattern functions agree with stock` {
  @Test(arguments: Agreement.seeds(1, 20, 300))
  func `find, with a position and as plain text`(seed: Int) throws {
    try Agreement.expect(
      patterns + #"""
        times(3000, function(s, p, init)
          note("find " .. line(s, p, init), pcall(string.find, s, p, init))
          if random(3) == 1 then
            if random(2) == 1 then p = s:sub(random(#s + 1), random(#s + 1)) end
            note("plain " .. line(s, p, init), pcall(string.find, s, p, init, true))
          end
        end)
        """#, seed: seed)
  }

  @Test(arguments: Agreement.seeds(2, 21, 301))
  func `match and gmatch`(seed: Int) throws {
    try Agreement.expect(
      patterns + #"""
        times(2000, function(s, p, init)
          note("match " .. line(s, p, init), pcall(string.match, s, p, init))
          note("gmatch " .. line(s, p, init), pcall(function()
            local t = {}
            for a, b, c in string.gmatch(s, p, init) do t[#t + 1] = line(a, b, c) end
            return table.concat(t, "|")
          end))
        end)
        """#, seed: seed)
  }

  @Test(arguments: Agreement.seeds(3, 22, 302))
  func `gsub with every kind of replacement`(seed: Int) throws {
    try Agreement.expect(
      patterns + #"""
        local values = { a = 1, b = "B", ab = false, ["1"] = "one", c = {}, [1] = "first", [2] = 2.5,
          [""] = "empty", x = thing, abc = true }
        local indexed = setmetatable({}, { __index = function(_, key)
          if key == "c" then error("no c") end
          return key ~= "b" and key or nil
        end })
        local function call(...)
          local n = select("#", ...)
          if n == 3 then return {} end
          return n == 2 and select(2, ...) or (...) ~= "b" and (...) or nil
        end
        for i = 1, 1500 do
          local s, p = subjectAndPattern()
          local n = random(4) == 1 and random(-1, 3) or nil
          note("text " .. line(s, p, n), pcall(string.gsub, s, p, pick(templates), n))
          note("table " .. line(s, p, n), pcall(string.gsub, s, p, pick { values, indexed }, n))
          note("function " .. line(s, p, n), pcall(string.gsub, s, p, call, n))
        end
        """#, seed: seed)
  }

  @Test(arguments: Agreement.seeds(4, 23))
  func `bad arguments, however the function is called`(seed: Int) throws {
    try Agreement.expect(
      #"""
      for i = 1, 1500 do
        local name = "string." .. pick { "find", "match", "gmatch", "gsub" }
        local first = random(3) > 1 and make(5, { "a", "1", "%", "(" }) or anything()
        local form = pick { "local", "field", "method" }
        if form == "method" and type(first) ~= "string" and type(first) ~= "number" then form = "field" end
        note(form .. name .. line(first), callAs(form, name, arguments(first, 5)))
      end
      """#, seed: seed)
  }

  @Test func `deep nesting and many captures`() throws {
    try Agreement.expect(
      #"""
      for _, n in ipairs { 1, 30, 31, 32, 33, 34, 66, 99, 100, 101, 197, 198, 199, 200, 201, 250 } do
        for _, p in ipairs { "(a)", "a?", "a*", "a-", "()", "(", "(a", "%f[%w]", "(a?)" } do
          note(p .. n, pcall(string.match, ("a"):rep(n), p:rep(n)))
          note(p .. n, pcall(string.gsub, "", p:rep(n) .. "$", "<%1>"))
        end
        note("nested " .. n, pcall(string.find, "a", ("("):rep(n) .. "a" .. (")"):rep(n)))
        note("balanced " .. n, pcall(string.find, ("()"):rep(n), ("%b()"):rep(n) .. "$"))
        for _, last in ipairs { "(a*)", "a*", ".-b", "a-", "%w*$", "(.-)b$", "[ab]*$" } do
          note("after " .. n .. last, pcall(string.find, ("a"):rep(n) .. "aab", ("a?"):rep(n) .. last))
          note("after " .. n .. last, pcall(string.find, ("a"):rep(n) .. "aab", ("(a)"):rep(31) .. last))
        end
      end
      note("back", pcall(string.match, "aa", "(a)%1"), pcall(string.match, "aa", "(a%1)"))
      note("repeated", pcall(string.match, ("a"):rep(9), ("a"):rep(10)))
      """#, seed: 0)
  }

  @Test func `long subjects, needles that almost match, and greedy items`() throws {
    try Agreement.expect(
      #"""
      local long = ("ab"):rep(1000) .. "abc" .. ("x y "):rep(300)
      for _, p in ipairs { "abc", "bb", "c", "%a+", "(%a+) (%a+)$", ".-c", "[^a-c]+", "%s()", "c.*y",
        ".*(b)c", "x?y", "(y) $", "%f[%W]" } do
        note("find " .. p, pcall(string.find, long, p))
        note("find " .. p, pcall(string.find, long, p, 2001))
        note("plain " .. p, pcall(string.find, long, p, 1990, true))
        note("gsub " .. p, select(2, string.gsub(long, p, "")))
      end
      -- Longer than what is gone through between two tests of the time.
      long = (" "):rep(40000) .. "x" .. ("-"):rep(40000)
      for _, p in ipairs { "%S", "x", "%s*x", "[^ ]", "^%s+", "x%p+$", "x.*", "x.-$", "x%W-$", "()x" } do
        note("long " .. p, string.find(long, p))
      end
      note("almost", ("a"):rep(3000):find(("a"):rep(500) .. "b", 1, true))
      note("almost", (("a"):rep(3000) .. "b"):find(("a"):rep(500) .. "b", 1, true))
      note("shared", (("ab"):rep(700000) .. "c"):find("bc", 1, true))
      note("across", (("ab"):rep(524288 - 2) .. "abacab"):find("aca", 1, true))
      """#, seed: 0)
  }
}
