-- Live lists: filtered, sorted, mapped, sliced, grouped, concatenated.

local function text(l) return joined(l) end

local function people(...)
  local l = list {}
  for _, age in ipairs { ... } do l:append(object { age = age, name = "p" .. age }) end
  return l
end

local function ages(l) return joined(l, "age") end

case("Lists 1 a filtered list follows edits and what its function read", function()
  local l = people(1, 20, 30)
  local limit = object { value = 18 }
  local adults = l:filter(function(p) return p.age >= limit.value end)
  same(ages(adults), "20,30")
  l[1].age = 25
  same(ages(adults), "25,20,30")
  l:append(object { age = 50, name = "x" })
  l:remove(2)
  same(ages(adults), "25,30,50")
  limit.value = 30
  same(ages(adults), "30,50")
  l:move(3, 1)
  same(ages(adults), "50,30")
end)

case("Lists 2 a sorted list keeps its order by a property, a path, a key and a comparison", function()
  local l = people(3, 1, 2)
  local byName = l:sorted("age")
  local down = l:sorted(function(a, b) return a.age > b.age end)
  local key = l:sorted(function(p) return -p.age end)
  same(ages(byName), "1,2,3")
  same(ages(down), "3,2,1")
  same(ages(key), "3,2,1")
  l[1].age = 0
  same(ages(byName), "0,1,2")
  same(ages(down), "2,1,0")
  same(ages(key), "2,1,0")
  same(text(list { 3, "b", 1, "a" }:sorted()), "1,3,a,b")
  local nested = list { { at = { x = 2 } }, { at = { x = 1 } } }
  local sorted = nested:sorted("at.x")
  same(sorted[1].at.x, 1)
  nested[1].at.x = 0
  same(sorted[1].at.x, 0)
end)

case("Lists 3 a mapped list follows its rows", function()
  local l = people(1, 2)
  local double = l:map(function(p) return p.age * 2 end)
  same(text(double), "2,4")
  l[2].age = 10
  l:insert(1, object { age = 7, name = "n" })
  same(text(double), "14,2,20")
  same(text(list { "a", "b" }:map(string.upper)), "A,B")
  local seen = 0
  double:observe(function(change) seen = seen + 1; same(change.kind, "replacement") end)
  l[1].age = 8
  same(seen, 1)
  same(text(list { 1, 2 }:map(function() end)), "null,null")
end)

case("Lists 4 derived lists are derived from again", function()
  local l = people(5, 4, 3, 2, 1)
  local names = l:filter(function(p) return p.age > 1 end):sorted("age")
    :map(function(p) return p.name end):slice(1, 2)
  same(text(names), "p2,p3")
  l[5].age = 9
  l:removeObject(l[4])
  same(text(names), "p3,p4")
end)

case("Lists 5 a view follows a derived list", function()
  local l = people(1, 20)
  local adults = l:filter(function(p) return p.age >= 18 end)
  local t = object { text = "" }
  bind("@count -> text", adults, t)
  same(t.text, "1")
  l[1].age = 44
  same(t.text, "2")
  local runs = 0
  effect(function() runs = runs + 1; return #adults and nil end)
  l[1].name = "unread"
  same(runs, 1)
  l[1].age = 2
  same(runs, 2)
end)

case("Lists 6 a function is called for what changed alone", function()
  local l = list {}
  for i = 1, 500 do l:append(object { age = i, other = 0 }) end
  local calls = 0
  local odd = l:filter(function(p) calls = calls + 1; return p.age % 2 == 1 end)
  same(#odd, 250)
  same(calls, 500)
  l[7].age = 8
  l[9].other = 1
  l:append(object { age = 1, other = 0 })
  same(#odd, 250)
  same(calls, 502)
end)

case("Lists 7 a batch is followed inside and told of once", function()
  local l = list { 1, 2, 3 }
  local even = l:filter(function(v) return v % 2 == 0 end)
  local told = {}
  even:observe(function(changes) told[#told + 1] = #changes end, { batch = true })
  batch(function()
    l:append(4)
    same(#even, 2)
    l:append(6)
    same(#even, 3)
  end)
  same(text(told), "2")
end)

case("Lists 8 a slice is a window", function()
  local l = list { "a", "b", "c", "d", "e" }
  local s, rest, none = l:slice(2, 2), l:slice(4, math.maxinteger), l:slice(1, 0)
  same(text(s) .. " " .. text(rest) .. " " .. text(none), "b,c d,e ")
  l:insert(1, "x")
  same(text(s) .. " " .. text(rest), "a,b c,d,e")
  l:remove(2, 2)
  same(text(s) .. " " .. text(rest), "c,d e")
  l:move(4, 2)
  same(text(s), "e,c")
  l:clear()
  same(text(s) .. text(rest) .. text(none), "")
  fails("begins at position 1", l.slice, l, 0, 1)
  fails("0 elements or more", l.slice, l, 1, -1)
  fails("number expected", l.slice, l, 1)
end)

case("Lists 9 lists one after the other", function()
  local a, b = list { 1, 2 }, list { 3 }
  local all, twice, none = concat(a, b), concat(a, b, a), concat()
  same(text(all) .. " " .. text(twice) .. " " .. #none, "1,2,3 1,2,3,1,2 0")
  b:insert(1, 9)
  a:remove(1)
  a:append(5)
  same(text(all) .. " " .. text(twice), "2,5,9,3 2,5,9,3,2,5")
  local kinds = {}
  all:observe(function(c) kinds[#kinds + 1] = c.kind .. c.indexes[1] end)
  b:move(1, 2)
  b[1] = 4
  b:clear()
  same(table.concat(kinds, " "), "move3 replacement3 removal3")
  fails("list expected, got number", concat, a, 3)
  fails("list expected, got table", concat, a, {})
end)

case("Lists 10 what is observed may be chosen", function()
  local l = list { "a", "b" }
  local log = {}
  local function note(name)
    return function(c) log[#log + 1] = name .. " " .. c.kind .. " " .. text(c.indexes) .. " " .. text(c.objects) end
  end
  l:observe(note "first", { initial = true, insertion = true })
  l:observe(note "moves", { move = true })
  local rest = l:observe(note "rest", { insertion = false, move = false })
  l:append("c")
  l:move(3, 1)
  l[1] = "d"
  l:remove(1)
  rest:cancel()
  l:clear()
  same(table.concat(log, "; "), "first insertion 1,2 a,b; first insertion 3 c; moves move 3,1 c; "
    .. "rest replacement 1 d; rest removal 1 d")
  fails('did you mean "batch"', l.observe, l, function() end, { bach = true })
  fails("function expected", l.observe, l)
  fails("list:observe", observe, l, function() end)
end)

case("Lists 11 a wave's changes come in one call", function()
  local l = list {}
  local calls = {}
  l:observe(function(changes)
    local kinds = {}
    for i, c in ipairs(changes) do kinds[i] = c.kind end
    calls[#calls + 1] = table.concat(kinds, ",")
  end, { batch = true, initial = true })
  batch(function()
    l:append(1, 2)
    l:move(1, 2)
    l:remove(1)
  end)
  l:append(3)
  same(table.concat(calls, " | "), "insertion,move,removal | insertion")
end)

case("Lists 12 mistakes are told", function()
  local l = list { 1, 2, 3 }
  fails("function expected, got number", l.filter, l, 3)
  fails("function expected, got no value", l.map, l)
  fails("property name or function expected, got number", l.sorted, l, 3)
  fails('did you mean "filter"', function() return l.fliter end)
  local even = l:filter(function(v) return v % 2 == 0 end)
  fails("follows another one; change that one", even.append, even, 4)
  fails("follows another one; change that one", function() even[1] = 4 end)
  fails("follows another one; change that one", even.clear, even)
end)

case("Lists 13 a function that raises is listed with its line, until no row fails", function()
  local l = people(1, 2, 3)
  local before = #errors()
  local long = l:filter(function(p)
    if p.age == 1 then error("too young") end
    return true
  end)
  same(ages(long), "2,3")
  same(#errors(), before + 1)
  local message = tostring(errors()[#errors()].message)
  same(message:find("too young", 1, true) ~= nil, true)
  l[1].age = 4
  same(ages(long), "4,2,3")
  same(#errors(), before)
  local odd = l:sorted("agee")
  same(#odd, 3)
  same(errors()[#errors()].message:find('did you mean "age"', 1, true) ~= nil, true)
  list { 1, 2 }:sorted("age")
  same(errors()[#errors()].message:find("use a function to make its key", 1, true) ~= nil, true)
end)

case("Lists 14 a list has no properties of its own", function()
  local l = list { 1 }
  fails('has no property "version"', function() return l.version end)
  for name in properties(l) do error("a list has a property " .. name) end
  for k in pairs(l) do same(k, 1) end
end)

case("Lists 15 a dict names the entry that changed", function()
  local d = dict { a = 1 }
  local log = {}
  observe(d, function(name, new, old)
    log[#log + 1] = name .. " " .. tostring(new) .. " " .. tostring(old)
  end)
  d.a = 2
  d.b = 3
  d.a = nil
  batch(function()
    d.c = 1
    d.c = 2
    d.b = 4
    d.b = 3
  end)
  same(table.concat(log, "; "), "a 2 1; b 3 nil; a nil 2; c 2 nil")
  for name in properties(d) do error("a dict has a property " .. name) end
end)

local function groups(l)
  local parts = {}
  for i, g in ipairs(l) do parts[i] = tostring(g.key) .. ":" .. ages(g.items) end
  return table.concat(parts, " ")
end

case("Lists 16 groups follow edits and keys", function()
  local l = list {}
  for _, p in ipairs { { 1, "a" }, { 2, "b" }, { 3, "a" } } do
    l:append(object { age = p[1], city = p[2] })
  end
  local g = l:group("city")
  same(groups(g), "a:1,3 b:2")
  local a = g[1]
  l[1].city = "b"
  same(groups(g), "b:1,2 a:3")
  same(g[2], a)
  l:append(object { age = 4, city = "c" })
  l:remove(3)
  same(groups(g), "b:1,2 c:4")
  l:move(3, 1)
  same(groups(g), "c:4 b:1,2")
  local odd = l:group(function(p) return p.age % 2 == 1 end)
  same(groups(odd), "false:4,2 true:1")
  fails("follows another one", function() g[1].items:append(1) end)
  fails("read only", function() g[1].key = 1 end)
  fails("property name or function expected", l.group, l)
end)

case("Lists 17 a group's rows are live without the list of groups", function()
  local l = people(1, 2, 3)
  local odd = l:group(function(p) return p.age % 2 end)[1].items
  collectgarbage()
  collectgarbage()
  local seen = {}
  odd:observe(function(c) seen[#seen + 1] = c.kind end)
  l[2].age = 5
  same(ages(odd), "1,5,3")
  l:remove(1)
  same(ages(odd), "5,3")
  same(text(seen), "insertion,removal")
end)

case("Lists 17a two labels of a cell count a group's rows, and are told no loop", function()
  local l = people(1, 2, 3)
  local rows = view.list { items = l:group(function(p) return p.age % 2 end), rowHeight = 1,
    cell = function()
      return view.cell {
        view.label { bindTo = { text = "dataObject.items.@count" } },
        view.label { bindTo = { text = "dataObject.items.@count" } },
      }
    end }
  show(view.column { rows })
  local function shown() return (rows:snapshot():gsub("%s+", " ")) end
  same(shown(), "2 2 1 1")
  for age = 4, 9 do
    batch(function() l:append(object { age = age, name = "" }) l:append(object { age = age, name = "" }) end)
  end
  same(shown(), "8 8 7 7")
  same(#errors(), 0)
end)

case("Lists 18 a row without a group is left out and listed", function()
  local l = list { object { age = 1, city = property {} }, object { age = 2, city = property {} } }
  l[1].city = "x"
  local before = #errors()
  local g = l:group("city")
  same(groups(g), "x:1")
  same(errors()[#errors()].message:find("give a key for every row", 1, true) ~= nil, true)
  l[2].city = "x"
  same(groups(g), "x:1,2")
  same(#errors(), before)
end)

case("Lists 19 a feed fetches page by page", function()
  local asked = {}
  local l
  l = feed { page = 3, fetch = function(offset, count)
    asked[#asked + 1] = offset .. "+" .. count
    same(l.isFetching, true)
    same(l:fetchMore(), false)
    local rows = {}
    for i = offset + 1, math.min(offset + count, 5) do rows[#rows + 1] = "row " .. i end
    return rows
  end }
  same(#l, 0)
  same(l.hasMore, true)
  same(l.isFetching, false)
  local states = {}
  observe(l, "isFetching", function(new) states[#states + 1] = tostring(new) end)
  same(l:fetchMore(), true)
  same(#l, 3)
  same(l.hasMore, true)
  l:fetchMore()
  same(text(l:slice(4, 9)), "row 4,row 5")
  same(l.hasMore, false)
  same(l:fetchMore(), false)
  same(text(asked), "0+3,3+3")
  same(text(states), "true,false,true,false")
  local shown = object { more = true, n = "" }
  bind("hasMore -> more", l, shown)
  bind("@count -> n", l, shown)
  same(tostring(shown.more) .. shown.n, "false5")
end)

case("Lists 20 a fetch that fails is listed and may be tried again", function()
  local fail = true
  local l = feed { fetch = function()
    if fail then error("no network") end
    return { 1 }
  end }
  same(l:fetchMore(), false)
  same(errors()[#errors()].message:find("no network", 1, true) ~= nil, true)
  same(l.hasMore, true)
  same(l.isFetching, false)
  fail = false
  same(l:fetchMore(), true)
  same(text(l), "1")
  local wrong = feed { fetch = function() return 3 end }
  wrong:fetchMore()
  same(errors()[#errors()].message:find("this one gave 3", 1, true) ~= nil, true)
  same(tostring(errors()[#errors()].location):find("lists.lua", 1, true) ~= nil, true)
end)

case("Lists 21 mistakes with feeds are told", function()
  fails("a feed needs fetch", feed, {})
  fails('did you mean "page"', feed, { fetch = print, pag = 3 })
  fails("a whole number of rows", feed, { fetch = print, page = 0 })
  fails("does not fetch", function() list {}:fetchMore() end)
  local l = feed { fetch = function() return {} end }
  fails("read only", function() l.hasMore = false end)
end)

case("Lists 22 random edits agree with a recomputation", function()
  local seed = os.time()
  print("seed of live lists: " .. seed)
  math.randomseed(seed)
  local l = list {}
  local function row() return object { age = math.random(1, 9), name = "" } end
  local odd = l:filter(function(p) return p.age % 2 == 1 end)
  local sorted = l:sorted("age")
  local window = l:slice(3, 4)
  local both = concat(odd, l)
  local grouped = l:group("age")
  local heard = {}
  sorted:observe(function(c)
    if c.kind == "insertion" then
      for i, at in ipairs(c.indexes) do table.insert(heard, at, c.objects[i]) end
    elseif c.kind == "removal" then
      for i = #c.indexes, 1, -1 do table.remove(heard, c.indexes[i]) end
    elseif c.kind == "replacement" then
      for i, at in ipairs(c.indexes) do heard[at] = c.objects[i] end
    else
      table.insert(heard, c.indexes[2], table.remove(heard, c.indexes[1]))
    end
  end)
  for step = 1, 300 do
    local kind = math.random(1, 6)
    if kind <= 2 or #l == 0 then l:insert(math.random(1, #l + 1), row())
    elseif kind == 3 then l:remove(math.random(1, #l))
    elseif kind == 4 then l:move(math.random(1, #l), math.random(1, #l))
    elseif kind == 5 then l:replace(math.random(1, #l), row())
    else l[math.random(1, #l)].age = math.random(1, 9) end
    local o, s, w, g, keys = {}, {}, {}, {}, {}
    for i, p in ipairs(l) do
      if p.age % 2 == 1 then o[#o + 1] = p.age end
      s[i] = { p.age, i }
      if i >= 3 and i < 7 then w[#w + 1] = p.age end
      if not g[p.age] then keys[#keys + 1] = p.age; g[p.age] = {} end
      table.insert(g[p.age], p.age)
    end
    table.sort(s, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
    for i, pair in ipairs(s) do s[i] = pair[1] end
    for i, k in ipairs(keys) do keys[i] = k .. ":" .. table.concat(g[k], ",") end
    same(ages(odd), table.concat(o, ","))
    same(ages(sorted), table.concat(s, ","))
    same(ages(heard), table.concat(s, ","))
    same(ages(window), table.concat(w, ","))
    local joined = table.pack(table.unpack(o))
    for _, p in ipairs(l) do joined[#joined + 1] = p.age end
    same(ages(both), table.concat(joined, ","))
    same(groups(grouped), table.concat(keys, " "))
  end
end)

case("L40 a function that edits the list it follows leaves no row behind", function()
  local l = list { 1, 2, 3 }
  local filtered = l:filter(function(v)
    if #l < 20 then l:append(v) end
    return true
  end)
  same(#filtered, #l)
  same(#l, 20)
  l:append(4)
  same(#filtered, 21)
end)

case("LS1 sorted takes what a controller's sort takes", function()
  local rows = list { { n = 2, s = "b" }, { n = 1, s = "b" }, { n = 3, s = "a" } }
  local function order(sorted)
    local found = {}
    for _, row in ipairs(sorted) do found[#found + 1] = row.n end
    return table.concat(found, ",")
  end
  same(order(rows:sorted("-n")), "3,2,1")
  same(order(rows:sorted("n")), "1,2,3")
  same(order(rows:sorted { "s", "-n" }), "3,2,1")
  same(order(rows:sorted { key = "n", descending = true }), "3,2,1")
  local sorted = rows:sorted("-n")
  rows:append { n = 9, s = "" }
  same(order(sorted), "9,3,2,1")
  fails("sort is a property's name", function() rows:sorted { "s", 5 } end)
end)

case("rows that are the same stay the same objects, wherever they are set", function()
  local function rows(order)
    local made = {}
    for id in order:gmatch "." do made[#made + 1] = { id = id, tags = { id, { deep = id } } } end
    return made
  end
  local function kept(before, now)
    local known, count = {}, 0
    for _, row in ipairs(before) do known[row] = true end
    for _, row in ipairs(now) do if known[row] then count = count + 1 end end
    return count
  end
  local pairs_of = { "abcd dcba 4", "abcd xabcd 4", "abcd bcd 3", "abcd badc 4", "abcd dxb 2", "aab baa 3", "abc abc 3" }
  for _, pair in ipairs(pairs_of) do
    local old, new, count = pair:match "(%w+) (%w+) (%d)"
    local set = list(rows(old))
    local before = set:totable()
    set:set(rows(new))
    same(kept(before, set), tonumber(count))
    same((joined(set, "id"):gsub(",", "")), new)
    local holder = object { rows = list(rows(old)) }
    before = holder.rows:totable()
    holder.rows = rows(new)
    same(kept(before, holder.rows), tonumber(count))
    local source = object { order = old }
    local fetched = resource(function() return rows(source.order) end)
    advance(0.1)
    before = fetched.value:totable()
    source.order = new
    advance(0.1)
    same(kept(before, fetched.value), tonumber(count))
  end
end)

case("rows with the same key stay the same objects, with their new fields", function()
  local byName = list { { id = 1, name = "a", old = 1 }, { id = 2, name = "b", old = 2 } }
  local first, second = byName[1], byName[2]
  byName:set({ { id = 2, name = "B", old = 2 }, { id = 3, name = "c", old = 3 }, { id = 1, name = "a", old = 9 } }, { key = "id" })
  same(byName[1], second)
  same(byName[1].name, "B")
  same(byName[3], first)
  same(byName[3].old, 9)
  byName:set({ { id = 1, name = "x", old = 0 } }, { key = function(row) return row.id end })
  same(byName[1], first)
  same(first.name, "x")
  local source = object { order = { 1, 2, 3 } }
  local fetched = resource(function()
    local made = {}
    for i, id in ipairs(source.order) do made[i] = { id = id, at = i } end
    return made
  end, { key = "id" })
  advance(0.1)
  local row = fetched.value[1]
  source.order = { 3, 1 }
  advance(0.1)
  same(fetched.value[2], row)
  same(row.at, 2)
  fails("the name of a property, or a function", byName.set, byName, {}, { key = 1 })
  fails("no option", byName.set, byName, {}, { keys = "id" })
end)

case("an object that a script puts into a list stays that object", function()
  local held = list { { id = 1 } }
  local given = object { id = 1 }
  held:set { given }
  same(held[1], given)
  held:set { { id = 1 }, given }
  same(held[2], given)
  same(held[1] ~= given, true)
end)

case("a selection stays with its row when the rows are set anew", function()
  local function rows(order)
    local made = {}
    for id in order:gmatch "." do made[#made + 1] = { name = id } end
    return made
  end
  local people = list(rows "abcd")
  local arranged = controller.list { content = people }
  local shown = view.list { items = people, selectedIndex = 2 }
  show(shown)
  arranged.selectionIndex = 2
  people:set(rows "xdcba")
  same(arranged.selection.name, "b")
  same(shown.selectedIndex, 4)
end)

case("a refused row of several leaves all of them as they are", function()
  local Named = class "NamedRow" {
    id = 0,
    name = property { default = "", validate = function(_, name)
      if name == "bad" then return nil, "not that name" end
      return name
    end },
  }
  local rows = list { Named { id = 1, name = "a" }, Named { id = 2, name = "b" } }
  local first = rows[1]
  fails("not that name", function()
    rows:set({ { id = 2, name = "c" }, { id = 1, name = "bad" } }, { key = "id" })
  end)
  same(rows[1] == first and rows[1].name .. rows[2].name, "ab")
  rows:set({ { id = 2, name = "c" }, { id = 1, name = "d" } }, { key = "id" })
  same(rows[2] == first and rows[1].name .. rows[2].name, "cd")
end)
