-- Who is here, and at which card. Everybody has a row in a list that all share, and counts up a number
-- in it every few seconds. No clock is compared with another: somebody whose number has stood still
-- for some of our own beats has gone.

local Person = class "Person" { id = "", name = "", card = "", isEditing = false, beats = 0 }

-- Apart from the board, whose unsaved changes are counted.
local people = shared("people", { all = list {} })

-- Kept when a file is saved.
local me = model "me" { id = "", name = "", card = "", isEditing = false, beats = 0 }
if me.id == "" then me.id = ("%x"):format(math.random(0)) end

local seconds, patience, forgetting = 3, 4, 20

-- Of each of the others: the number last seen, and our beat at which it was new.
local seen = {}

local function isMe(person) return person.id == me.id end

local function silence(person)
  -- Whoever asks follows the beats, also before they have seen that person.
  local last, beats = seen[person.id], me.beats
  return last and beats - last.at or 0
end

-- A newcomer is believed for two beats: the row may have been left behind long ago.
local function look(person)
  local last = seen[person.id]
  if not last then
    seen[person.id] = { beats = person.beats, at = me.beats - patience + 2 }
  elseif last.beats ~= person.beats then
    seen[person.id] = { beats = person.beats, at = me.beats }
  end
end

local function myRow()
  for _, person in ipairs(people.all) do
    if isMe(person) then return person end
  end
end

-- While nothing of the others arrives, nobody grows silent.
local function beat()
  if people.sync.state ~= "live" then return end
  me.beats = me.beats + 1
  for index = #people.all, 1, -1 do
    local person = people.all[index]
    if not isMe(person) then
      look(person)
      if silence(person) > forgetting then people.all:remove(index) end
    end
  end
  local row = myRow()
  if row then row.beats = me.beats end
end

local names = { "Heron", "Otter", "Seal", "Tern", "Crab", "Whale", "Plover", "Mussel" }

-- The first name that nobody has.
local function freeName()
  local taken = {}
  for _, person in ipairs(people.all) do taken[person.name] = true end
  for _, name in ipairs(names) do
    if not taken[name] then return name end
  end
  return "Guest"
end

-- Says where one is, and comes back where others have taken one for gone.
local function tell()
  if people.sync.state ~= "live" then return end
  local row = myRow()
  if not row then
    if me.name == "" then me.name = freeName() end
    row = Person { id = me.id, beats = me.beats }
    people.all:append(row)
  end
  row.name, row.card, row.isEditing = me.name, me.card, me.isEditing
end

local function join(name)
  if name then me.name = name end
  local telling = effect(tell)
  every(seconds, beat)
  on(app, "willQuit", function()
    telling:cancel()
    local row = myRow()
    if row then people.all:removeObject(row) end
  end)
end

-- Oneself first. Without a connection nothing is known of the others.
local function here()
  local found = { me }
  if people.sync.state ~= "live" then return found end
  for _, person in ipairs(people.all) do
    if not isMe(person) and silence(person) < patience then found[#found + 1] = person end
  end
  return found
end

local colors = { "cyan", "magenta", "green", "yellow", "blue", "red" }

-- The same for all who look.
local function color(person)
  local sum = 0
  for index = 1, #person.name do sum = sum + person.name:byte(index) end
  return colors[sum % #colors + 1]
end

return { me = me, join = join, here = here, isMe = isMe, color = color, Person = Person }
