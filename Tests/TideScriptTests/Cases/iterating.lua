-- Loops over lists and dicts, which go over what was there when they began.

local function numbered(count)
  local l = list {}
  for i = 1, count do l:append { rank = 0, name = "r" .. i } end
  return l
end

local function ranks(l)
  local t = {}
  for i = 1, #l do t[i] = l[i].rank end
  return table.concat(t, " ")
end

local function raise(row) row.rank = row.rank + 1 end

case("a loop over what a controller has selected reaches each row once, however they are sorted", function()
  for _, kind in ipairs { "selectedObjects", "arrangedObjects" } do
    local l = numbered(4)
    local c = controller.list { content = l, sort = "rank" }
    c.selectionIndexes = { 1, 2, 3, 4 }
    for _, row in ipairs(c[kind]) do raise(row) end
    same(ranks(l), "1 1 1 1")
    for _, row in pairs(c[kind]) do raise(row) end
    same(ranks(l), "2 2 2 2")
    for index, row in c[kind]:each() do
      raise(row)
      same(row.name, "r" .. index)
    end
    same(ranks(l), "3 3 3 3")
  end
end)

case("so does one over any list that follows its rows", function()
  local derived = {
    filtered = function(l) return l:filter(function(row) return row.rank == 0 end) end,
    sorted = function(l) return l:sorted(function(a, b) return a.rank > b.rank end) end,
    mapped = function(l) return l:map(function(row) return row.rank >= 0 and row or nil end) end,
    sliced = function(l) return l:sorted("rank"):slice(1, 4) end,
    concatenated = function(l) return concat(l:filter(function(row) return row.rank == 0 end), list {}) end,
  }
  for name, derive in pairs(derived) do
    for _, loop in ipairs { ipairs, pairs } do
      local l = numbered(4)
      local rows = derive(l)
      for _, row in loop(rows) do raise(row) end
      same(name .. " " .. ranks(l), name .. " 1 1 1 1")
      l = numbered(4)
      rows = derive(l)
      batch(function() for _, row in loop(rows) do raise(row) end end)
      same(name .. " " .. ranks(l), name .. " 1 1 1 1")
      l = numbered(4)
      rows = derive(l)
      undo.group("raise", function() for _, row in loop(rows) do raise(row) end end)
      same(name .. " " .. ranks(l), name .. " 1 1 1 1")
    end
  end
end)

case("groups and their rows are gone over as they were", function()
  local l = numbered(4)
  l[3].rank = 1
  local groups = l:group("rank")
  for _, row in ipairs(groups[1].items) do raise(row) end
  same(ranks(l), "1 1 1 1")
  l[1].rank = 0
  local count = 0
  for _, group in ipairs(groups) do
    l:append { rank = 10 + count, name = group.items[1].name }
    count = count + 1
  end
  same(count, 2)
  same(#groups, 4)
end)

case("taking rows out or putting rows in neither skips, repeats, nor goes on for ever", function()
  local l = list { "a", "a", "b", "a", "a" }
  for _, value in ipairs(l) do if value == "a" then l:removeObject(value) end end
  same(joined(l), "b")
  local count = 0
  for _, value in ipairs(l) do
    l:append(value .. "+")
    l:insert(1, "first")
    count = count + 1
  end
  same(count, 1)
  for index, value in ipairs(l) do
    if index == 1 then l:clear() end
    count = count + 1
  end
  same(count, 4)
  same(#l, 0)
end)

case("a loop within a loop over the same list has rows of its own", function()
  local l, seen = list { 1, 2, 3 }, {}
  for _, outer in ipairs(l) do
    for _, inner in ipairs(l) do seen[#seen + 1] = outer .. inner end
    l:remove(1)
  end
  same(table.concat(seen, " "), "11 12 13 22 23 33")
end)

case("a loop that is left by break, return or an error lets go of its rows", function()
  local l = numbered(3)
  local gone = setmetatable({}, { __mode = "v" })
  for _, row in ipairs(l) do gone[1] = row break end
  local function first() for _, row in pairs(l) do return row.name end end
  same(first(), "r1")
  fails("stop", function() for _, row in ipairs(l) do error "stop" end end)
  l:clear()
  for _ = 1, 4 do collectgarbage() end
  same(gone[1], nil)
end)

case("an iterator that is called by hand goes on over what was there", function()
  local l = list { "a", "b" }
  local step, loop, index = ipairs(l)
  l:clear()
  same(select(2, step(loop, index)), "a")
  same(select(2, step(loop, 1)), "b")
  same(step(loop, 2), nil)
  same(step(loop, -1), nil)
  same(step(loop, math.maxinteger), nil)
  fails("loop expected", step, l, 0)
  fails("number expected", step, loop, "x")
  fails("attempt to index", function() return loop.rows end)
  for _, value in step, loop, 0 do same(value, "a") break end
end)

case("entries of a dict are those that it had", function()
  local d, seen = dict { a = 1, b = 2, c = 3 }, {}
  for key, value in pairs(d) do
    seen[#seen + 1] = key .. value
    d.c, d.z, d.b = nil, 26, 20
  end
  same(table.concat(seen, " "), "a1 b2 c3")
end)

case("a loop in an effect follows the list", function()
  local l, sums = list { 1, 2 }, {}
  effect(function()
    local sum = 0
    for _, value in ipairs(l) do sum = sum + value end
    sums[#sums + 1] = sum
  end)
  l:append(3)
  l:clear()
  same(table.concat(sums, " "), "3 6 0")
end)

case("a loop in a task that waits goes on over what was there", function()
  local l, seen = list { 1, 2, 3 }, {}
  spawn(function()
    for _, value in ipairs(l) do
      sleep(1)
      seen[#seen + 1] = value
    end
  end)
  l:set { 9 }
  advance(4)
  same(table.concat(seen, " "), "1 2 3")
end)
