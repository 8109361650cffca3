-- What is lent, to whom, and what was done: one desk for all who use it, whatever screen they have.

local days, me, sample = require "days", require "me", require "sample"

local function trimmed(message)
  return function(_, text)
    text = text:match "^%s*(.-)%s*$"
    if text == "" and message then return nil, message end
    return text
  end
end

-- Rows name each other by ids: an object is its own session's.
local Device = class "Device" {
  id = "",
  tag = property { default = "", validate = trimmed "A device has a tag." },
  name = property { default = "", validate = trimmed "A device has a name." },
  kind = "", place = "", note = "",
  -- Who has it, since when and until when; empty while it is here.
  holder = "", since = "", due = "",
}

local Person = class "Person" {
  id = "",
  name = property { default = "", validate = trimmed "A person has a name." },
  mail = property { default = "", validate = function(_, mail)
    mail = mail:match "^%s*(.-)%s*$"
    if mail ~= "" and not mail:find "^[^@%s]+@[^@%s]+$" then
      return nil, "An address is like ann@example.org."
    end
    return mail
  end },
  -- By which the server names them; empty for the name above.
  login = "",
  role = property { default = "member", enum = { "member", "keeper" } },
}

-- A loan that is over or goes on; `back` is empty until then.
local Loan = class "Loan" { device = "", person = "", from = "", due = "", back = "" }

local Entry = class "Entry" { at = 0, who = "", what = "" }

local function rows(class, all)
  local made = {}
  for index, fields in ipairs(all) do made[index] = class(fields) end
  return list(made)
end

-- Whoever declares it first begins the desk; the others find what is there by then.
local data = shared("desk", {
  devices = rows(Device, sample.devices), people = rows(Person, sample.people),
  loans = list {}, history = list {},
})

local desk = {
  data = data, Device = Device, Person = Person,
  -- What was done is noted for good; only the records can be taken back.
  undoing = undo.manager { data.devices, data.people, data.loans, name = "undoing" },
}

function desk.newId() return ("%x"):format(math.random(0)) end

local function note(text, ...)
  data.history:append(Entry { at = now(), who = me.name, what = text:format(...) })
end

-- An act is one step of undo, and one line of the history.
local function act(title, run, text, ...)
  undo.group(title, run)
  note(text, ...)
end

-- Looking up --------------------------------------------------------------------------------------

local function find(all, id)
  if id == "" then return nil end
  for _, each in ipairs(all) do
    if each.id == id then return each end
  end
end

function desk.personWithId(id) return find(data.people, id) end

--- Who has a device; nil while it is here.
function desk.holder(device) return find(data.people, device.holder) end

function desk.isLent(device) return device.holder ~= "" end

function desk.isLate(device) return device.due ~= "" and device.due < days.today() end

function desk.deviceWithTag(tag)
  for _, device in ipairs(data.devices) do
    if device.tag == tag then return device end
  end
end

local function openLoan(device)
  for index = #data.loans, 1, -1 do
    local loan = data.loans[index]
    if loan.device == device.id and loan.back == "" then return loan end
  end
end

-- Devices and people ------------------------------------------------------------------------------

--- Adds a device with a tag that nobody has yet.
function desk.addDevice()
  local number = #data.devices + 1
  while desk.deviceWithTag(("N-%03d"):format(number)) do number = number + 1 end
  local device = Device { id = desk.newId(), tag = ("N-%03d"):format(number), name = "New device" }
  act("New device", function() data.devices:append(device) end, "added %s", device.tag)
  return device
end

--- Removes a device; false and why not where somebody has it.
function desk.removeDevice(device)
  local holder = desk.holder(device)
  if holder then return false, ("%s has it."):format(holder.name) end
  act("Remove device", function() data.devices:removeObject(device) end,
    "removed %s, %s", device.tag, device.name)
  return true
end

function desk.addPerson()
  local person = Person { id = desk.newId(), name = "New person" }
  act("New person", function() data.people:append(person) end, "added a person")
  return person
end

--- Removes a person; false and why not where they have something.
function desk.removePerson(person)
  for _, device in ipairs(data.devices) do
    if device.holder == person.id then return false, ("has %s"):format(device.name) end
  end
  act("Remove person", function() data.people:removeObject(person) end, "removed %s", person.name)
  return true
end

-- Loans -------------------------------------------------------------------------------------------

--- Lends a device; false and why not where it is lent already, or the day has gone.
function desk.lend(device, person, due)
  if desk.isLent(device) then return false, "It is lent already." end
  if due < days.today() then return false, "That day is over." end
  act("Lend", function()
    device.holder, device.since, device.due = person.id, days.today(), due
    data.loans:append(Loan { device = device.id, person = person.id, from = days.today(),
      due = due })
  end, "lent %s to %s until %s", device.tag, person.name, due)
  return true
end

--- Takes a device back.
function desk.takeBack(device)
  local holder, loan = desk.holder(device), openLoan(device)
  act("Bring back", function()
    device.holder, device.since, device.due = "", "", ""
    if loan then loan.back = days.today() end
  end, "took %s back from %s", device.tag, holder and holder.name or "somebody")
end

-- Where two lend a device in the same moment, the later of them finds it lent: whoever was first
-- keeps it.
local isOfLoan = { holder = true, since = true, due = true }

on(data, "conflict", function(event)
  local device, property = event.row, event.property
  if not device or not isOfLoan[property] or event.theirs == "" then return end
  device[property] = event.theirs
  if property ~= "holder" then return end
  for index = #data.loans, 1, -1 do
    local loan = data.loans[index]
    if loan.device == device.id and loan.person == event.mine and loan.back == "" then
      data.loans:remove(index)
      break
    end
  end
  me:tell "Somebody was quicker."
  note("found %s lent already", device.tag)
end)

-- Taking back -------------------------------------------------------------------------------------

local function revert(way, title, word)
  return function()
    local what = desk.undoing[title]
    if desk.undoing[way](desk.undoing) then note("%s: %s", word, what or "") end
  end
end

desk.takeBackStep = revert("undo", "undoTitle", "took back")
desk.repeatStep = revert("redo", "redoTitle", "did again")

-- Keeping it --------------------------------------------------------------------------------------

--- Keeps the desk in a database, once for all sessions; what was kept takes the place of the sample.
function desk.keep(path)
  local db = store.open(path)
  db:keep(data)
  return db
end

desk.note = note

return desk
