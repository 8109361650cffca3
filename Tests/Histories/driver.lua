-- Edits a shared model at random, and prints a history of what it has written and of what it has seen.
--
--   tidelock run driver.lua --share … -- runtime=2 life=1 seed=7 operations=1000 rate=500 folder=DIR
--
-- Each line is a JSON array: what happened, when, and what checker.py says about it. Every value that is
-- written is a new one, so that a value tells which write it comes from.

local options = {}
for _, text in ipairs(arg or {}) do
  local name, value = text:match("^(%w+)=(.*)$")
  options[name] = value
end
local runtime, life = options.runtime, options.life
local rate, folder = tonumber(options.rate), options.folder
-- With `hot=1` all write one property and one row.
local isHot = options.hot == "1"
local rest = math.tointeger(tonumber(options.operations))
math.randomseed(tonumber(options.seed) * 1000 + runtime * 100 + life)

local names = isHot and { "title" } or { "title", "place", "topic", "note" }
local mostRows, mostTags = tonumber(options.rows), tonumber(options.rows) // 2
local room = shared("room", {
  title = "0", place = "0", topic = "0", note = "0",
  rows = list {}, tags = list {},
})

-- The history. Lines wait until the turn's end, but none that tells of a write waits longer: whoever is
-- killed must not have sent what the history does not know.
local lines = {}
local function flush()
  if #lines == 0 then return end
  print(table.concat(lines, "\n"))
  lines = {}
end
local function quote(value)
  if value == nil or value == null then return "null" end
  return '"' .. tostring(value) .. '"'
end
local function note(what, ...)
  local parts = { ('["%s"'):format(what), ("%.4f"):format(now()) }
  for index = 1, select("#", ...) do parts[index + 2] = quote((select(index, ...))) end
  lines[#lines + 1] = table.concat(parts, ",") .. "]"
  if #lines > 500 then flush() end
end

local count = 0
local function newValue()
  count = count + 1
  return runtime .. "." .. life .. "." .. count
end

-- Properties, and what they have shown last.
local shown = {}
local function seen(name, value)
  if shown[name] == value then return end
  shown[name] = value
  note("see", name, value)
end
local function write(path, object, name)
  local value = newValue()
  seen(path, object[name])
  note("write", path, value, shown[path])
  shown[path] = value
  object[name] = value
end

-- Rows, by their ids, and what stands in the lists.
local rows = {}
local isOwn = false
local fields = { "name", "text" }

local function path(id, name) return "rows/" .. id .. "/" .. name end
local function follow(row)
  local id = row.id
  local old = rows[id]
  if old and old.row == row then return end
  if old then old.handle:cancel() end
  rows[id] = {
    row = row,
    handle = observe(row, function(name, new)
      if name ~= "id" then seen(path(id, name), new) end
    end),
  }
  for _, name in ipairs(fields) do
    -- Who has inserted it has noted them.
    if not isOwn then seen(path(id, name), row[name]) end
  end
end
local function forget(id)
  if rows[id] then rows[id].handle:cancel() end
  rows[id] = nil
  for _, name in ipairs(fields) do shown[path(id, name)] = nil end
end

-- What the lists held last, as sets.
local present = { rows = {}, tags = {} }
local function identity(element) return type(element) == "string" and element or element.id end
local function look(list)
  local now, before = {}, present[list]
  for _, element in ipairs(room[list]:totable()) do
    local id = identity(element)
    if now[id] then note("twice", list, id) end
    now[id] = true
    if not before[id] then note("in", list, id) end
    if list == "rows" then follow(element) end
  end
  for id in pairs(before) do
    if not now[id] then
      note("out", list, id)
      if list == "rows" then forget(id) end
    end
  end
  present[list] = now
end
for list in pairs(present) do
  room[list]:observe(function() if not isOwn then look(list) end end, { batch = true })
end
local function edit(fn)
  isOwn = true
  fn()
  isOwn = false
end

local function insert(list, most)
  local id = newValue()
  local index = math.random(#room[list] + 1)
  local element = id
  if list == "rows" then
    element = object { id = id, name = newValue(), text = newValue() }
  end
  note("insert", list, id, index)
  present[list][id] = true
  edit(function()
    if list == "rows" then
      for _, name in ipairs(fields) do
        shown[path(id, name)] = element[name]
        note("write", path(id, name), element[name], nil)
      end
      follow(element)
    end
    room[list]:insert(index, element)
  end)
end
local function remove(list)
  local index = math.random(#room[list])
  local id = identity(room[list][index])
  note("remove", list, id)
  present[list][id] = nil
  edit(function() room[list]:remove(index) end)
  if list == "rows" then forget(id) end
end
local function move(list)
  local from, to = math.random(#room[list]), math.random(#room[list])
  note("move", list, identity(room[list][from]), from, to)
  edit(function() room[list]:move(from, to) end)
end
local function replace()
  local index, id = math.random(#room.tags), newValue()
  local old = room.tags[index]
  note("remove", "tags", old)
  note("insert", "tags", id, index)
  present.tags[old], present.tags[id] = nil, true
  edit(function() room.tags:replace(index, id) end)
end
local function writeRow()
  local row = room.rows[isHot and 1 or math.random(#room.rows)]
  local name = isHot and "name" or fields[math.random(#fields)]
  write(path(row.id, name), row, name)
end

local function operate()
  local choice = math.random(100)
  if choice <= 35 then
    local name = names[math.random(#names)]
    write(name, room, name)
  elseif choice <= 80 then
    local list = choice <= 73 and "rows" or "tags"
    local most = list == "rows" and mostRows or mostTags
    local size = #room[list]
    if size == 0 then return insert(list) end
    if list == "rows" and (choice <= 60 or isHot) then return writeRow() end
    if math.random(3) == 1 then return move(list) end
    -- About so many rows, now more and now fewer.
    if math.random() < size / most / 2 then return remove(list) end
    insert(list)
  elseif choice <= 85 and #room.tags > 0 then
    replace()
  elseif #room.rows > 0 then
    writeRow()
  end
end

-- How it is kept the same.
local sync = room.sync
observe(sync, function(name)
  note("sync", sync.state, sync.pending, sync.conflicts, sync.error ~= "" and "error" or "")
  if name == "pending" and sync.pending == 0 then note("confirmed", count) end
end)
on(room, "conflict", function(event)
  local row = event.row
  local id = row and (type(row) == "string" and row or row.id)
  local mine, theirs = event.mine, event.theirs
  if type(mine) == "userdata" then mine = "row " .. tostring(mine.id) end
  if type(theirs) == "userdata" then theirs = "row " .. tostring(theirs.id) end
  note("conflict", event.property, id, mine, theirs)
  -- Before what was in conflict is sent again, and this runtime is perhaps killed.
  flush()
end)

note("start", runtime, life, options.seed)
for _, name in ipairs(names) do seen(name, room[name]) end
observe(room, function(name, new)
  if type(new) == "string" then seen(name, new) end
end)
look("rows")
look("tags")

-- Some operations a turn; sometimes many, sometimes none for a while, which lets conflicts end.
local begun, done = now(), 0
local pause = 0
local function turn()
  if rest > 0 and now() >= pause then
    local due = math.min(rest, 400, (now() - begun) * rate - done + 1) // 1
    if math.random(60) == 1 then pause = now() + math.random() * 0.3 end
    local function work()
      for _ = 1, due do operate() end
    end
    if math.random(2) == 1 then batch(work) else work() end
    done, rest = done + math.max(due, 0), rest - math.max(due, 0)
    note("operations", rest)
    if rest <= 0 then note("done") end
  end
  flush()
end
every(0.02, turn)

-- Says again and again whether all is confirmed once it is told so, then what it shows at the end.
local function finish()
  local state = { rows = {}, tags = room.tags:totable() }
  for _, name in ipairs(names) do state[name] = room[name] end
  for index, row in ipairs(room.rows:totable()) do
    state.rows[index] = { row.id, row.name, row.text }
  end
  note("sync", sync.state, sync.pending, sync.conflicts, sync.error)
  flush()
  print(('["final",%.4f,%s]'):format(now(), json.encode(state, { sort = true })))
  exit(0)
end
spawn(function()
  while true do
    sleep(0.25)
    if file.exists(folder .. "/finish") then finish() end
    if rest <= 0 and file.exists(folder .. "/quiet") then
      note(sync.state == "live" and sync.pending == 0 and "quiet" or "busy", sync.state, sync.pending)
    end
  end
end)
