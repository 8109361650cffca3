import Testing

/// Tables with and without metamethods; those that have some write down each use.
private let tables = #"""
  local log = {}
  local function logged(text) log[#log + 1] = text end
  local function say(v)
    local meta = type(v) == "table" and getmetatable(v)
    if type(v) == "function" then return "function" end
    return (type(v) ~= "table" or meta and meta.__tostring) and tostring(v) or "table"
  end
  local function values(n)
    local t = {}
    for i = 1, random(0, n) do t[i] = random(12) == 1 and anything() or random(2) == 1 and small() or "v" .. i end
    if random(6) == 1 and #t > 2 then t[random(#t)] = nil end
    return t
  end
  local function acting(n, methods)
    local store, size = values(n), random(-2, n)
    local meta = {}
    if methods:find("i") then
      meta.__index = function(_, k) logged("get " .. say(k)) return store[k] end
    end
    if methods:find("n") then
      meta.__newindex = function(_, k, v) logged("set " .. say(k) .. say(v)) store[k] = v end
    end
    if methods:find("l") then
      meta.__len = function() logged("len") return size end
    end
    if methods:find("L") then meta.__len = function() return pick { 2.0, 2.5, "2", "x", {}, nil } end end
    if methods:find("e") then meta.__eq = function() logged("eq") return true end end
    return setmetatable(methods:find("s") and values(3) or {}, meta), store
  end
  local kinds = { "inl", "inl", "in", "il", "nl", "l", "i", "inls", "inL", "inle", "s", "inlse" }
  local function anyTable()
    local roll = random(8)
    if roll <= 4 then return values(10) end
    if roll == 8 and random(4) == 1 then return pick { 5, "text", rawlen, true, "" } end
    return acting(6, pick(kinds))
  end
  local function contents(t, store)
    if type(t) ~= "table" then return line(t) end
    local parts = {}
    for _, from in ipairs { t, store } do
      for i = -3, 25 do
        local v = rawget(from, i)
        if v ~= nil then parts[#parts + 1] = i .. "=" .. say(v) end
      end
    end
    return table.concat(parts, " ")
  end
  local function report(label, t, store, ...)
    note(label .. " " .. contents(t, store) .. " | " .. table.concat(log, ","), ...)
    log = {}
  end
  local function position()
    if random(6) == 1 then return near(anything()) end
    return random(-2, 12)
  end

  """#

@Suite struct `The table functions agree with stock` {
  @Test(arguments: Agreement.seeds(1, 2, 3))
  func `insert, remove, move, concat, unpack and pack, with and without metamethods`(seed: Int)
    throws
  {
    try Agreement.expect(
      tables + #"""
        local calls = {
          function(t) return "insert", table.insert, table.pack(t, 77) end,
          function(t) return "insert", table.insert, table.pack(t, position(), 77) end,
          function(t) return "insert", table.insert, table.pack(t, position(), 7, 8) end,
          function(t) return "insert", table.insert, table.pack(t) end,
          function(t) return "remove", table.remove, table.pack(t) end,
          function(t) return "remove", table.remove, table.pack(t, position()) end,
          function(t) return "move", table.move, table.pack(t, position(), position(), position()) end,
          function(t) return "concat", table.concat, table.pack(t) end,
          function(t) return "concat", table.concat, table.pack(t, pick { ",", "", 1, "--" }) end,
          function(t) return "concat", table.concat, table.pack(t, ",", position(), position()) end,
          function(t) return "unpack", table.unpack, table.pack(t) end,
          function(t) return "unpack", table.unpack, table.pack(t, position(), position()) end,
        }
        for i = 1, 4000 do
          local t, store = anyTable()
          local name, call, given = calls[random(#calls)](t)
          report(name .. line(table.unpack(given, 2, given.n)), t, store,
            pcall(call, table.unpack(given, 1, given.n)))
          if i % 5 == 0 then
            local to, toStore = anyTable()
            local a, b, c = random(-2, 6), random(-2, 9), random(-2, 9)
            note("move " .. line(a, b, c) .. contents(to, toStore), pcall(table.move, t, a, b, c, to))
            report("moved", to, toStore)
          end
          if i % 50 == 0 then
            local p = table.pack(anything(), anything(), nil)
            note("pack", p.n, p[1], p[2])
          end
        end
        local far = math.maxinteger
        note("far", pcall(table.concat, { [far] = "a", [far - 1] = "b" }, ",", far - 1, far))
        note("far", pcall(table.unpack, { [far] = "a", [far - 1] = "b" }, far - 1, far))
        note("far", pcall(table.unpack, {}, 1, 1e8), pcall(table.unpack, {}, -far, far))
        note("far", pcall(table.move, {}, 1, far, 2), pcall(table.move, {}, -1, far, 2),
          pcall(table.move, { 1, 2 }, 1, 2, far), pcall(table.move, {}, far, far, far))
        local longest = setmetatable({}, { __len = function() return far end })
        note("far", pcall(table.insert, longest, 5), pcall(table.insert, longest, far, 5), #log)
        note("far", pcall(table.remove, longest), pcall(table.remove, longest, far))
        note("many", pcall(table.unpack, {}, 1, 900000) == true, pcall(table.unpack, {}, 1, 1100000))
        """#, seed: seed)
  }

  @Test(arguments: Agreement.seeds(4, 5))
  func `bad arguments, however the function is called`(seed: Int) throws {
    try Agreement.expect(
      #"""
      local names = { "insert", "remove", "move", "concat", "unpack", "sort" }
      for i = 1, 1500 do
        local name = "table." .. pick(names)
        local first = anything()
        if random(2) == 1 then first = { 3, 1, 2 } end
        note(name .. line(first), callAs(pick { "local", "field" }, name,
          allNear(arguments(first, 5))))
      end
      """#, seed: seed)
  }

  @Test(arguments: Agreement.seeds(6, 7, 8))
  func `sort by any comparator, an invalid one among them`(seed: Int) throws {
    try Agreement.expect(
      tables + #"""
        local made = {
          function() return random(-20, 20) end,
          function() return random(0, 3) end,
          function() return random() * 10 - 5 end,
          function() return pick { 1, 1.0, 2, 2.5, -0.0, 0.0, 0 } end,
          function() return pick { 1.5, 0/0, 2.5, 1/0, -1/0 } end,
          function() return pick { "b", "a", "ab", "a\0b", "a\0", "", "é", "B", "\xff", "a\0c" } end,
          function() return "key" .. random(1000) end,
          function() return pick { math.maxinteger, math.mininteger, 2^53, 2^53 + 1, 0, 2^63 } end,
          function() return random(40) == 1 and anything() or random(9) end,
          function() return pick { 1, "1", 2, "a" } end,
        }
        local counted = 0
        local orders = {
          function(a, b) return a < b end,
          function(a, b) return a > b end,
          function(a, b) return say(a) < say(b) end,
          function(a, b) return #say(a) < #say(b) end,
          function(a, b) return a <= b end,
          function() return true end,
          function() return false end,
          function() return nil end,
          function() return 0 end,
          function() return random(2) == 1 end,
          function(a, b) counted = counted + 1 if counted % 30 == 0 then error("enough") end return a < b end,
          function(a, b) logged(say(a) .. "<" .. say(b)) return say(a) < say(b) end,
        }
        local less = { __lt = function(a, b) logged(a.key .. "<" .. b.key) return a.key < b.key end,
          __tostring = function(v) return "t" .. v.key end }
        for i = 1, 1500 do
          local t, maker = {}, pick(made)
          local size = random(4) == 1 and random(100) or random(0, 14)
          for k = 1, size do t[k] = maker() end
          if random(20) == 1 and size > 3 then t[random(size)] = nil end
          if random(10) == 1 then
            for k = 1, size do t[k] = setmetatable({ key = random(10) }, less) end
          end
          local order = random(2) == 1 and pick(orders) or nil
          local before = contents(t)
          local subject, store = t, nil
          if random(5) == 1 and size < 20 then
            subject, store = acting(6, "inl")
          end
          counted = 0
          local ok, message = pcall(table.sort, subject, order)
          local after = {}
          for k = 1, size do
            local v = t[k]
            after[k] = type(v) == "table" and (v.key or "t") or math.type(v) == "float" and show(v) or say(v)
          end
          note("sort " .. table.concat(after, " ") .. contents(store or {}) .. table.concat(log, ","), ok, message)
          log = {}
        end
        for _, size in ipairs { 2, 7, 8, 9, 100, 101, 128, 500, 3000 } do
          for _, maker in ipairs { made[1], made[3], made[6], made[7] } do
            local t = {}
            for k = 1, size do t[k] = maker() end
            local u = table.move(t, 1, size, 1, {})
            table.sort(t)
            table.sort(u, orders[2])
            note("sorted " .. size, table.concat(t, " "), table.concat(u, " "))
          end
        end
        note("yield", coroutine.resume(coroutine.create(function()
          table.sort({ 3, 2, 1 }, function() coroutine.yield() end)
        end)))
        note("odd length", pcall(table.sort, setmetatable({}, { __len = function() return 1 << 31 end })))
        """#, seed: seed)
  }
}
