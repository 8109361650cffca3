-- The devices: a table with a filter, and the details of the chosen one with its loan.

local days, desk, me = require "days", require "desk", require "me"

-- The filter; each session has its own.
local shown = model "shown" { search = "", onlyLent = false }
-- The loan that is about to be made.
local lending = model "lending" {
  person = property {}, due = property { default = days.ahead(14), required = "Until when?" },
}

local devices = controller.list { name = "devices", content = "desk.devices", sort = "tag",
  clearsFilterOnInsertion = false,
  filter = function(device)
    if shown.onlyLent and not desk.isLent(device) then return false end
    if shown.search == "" then return true end
    local words = (device.tag .. " " .. device.name .. " " .. device.kind .. " " .. device.place
      .. " " .. (desk.isLent(device) and desk.holder(device) and desk.holder(device).name or ""))
    return words:lower():find(shown.search:lower(), 1, true) ~= nil
  end,
}

local screen = { devices = devices, shown = shown }

local function chosen() return devices.selectedObject end

-- What a person does ------------------------------------------------------------------------------

function screen.add()
  if not me.isKeeper then return end
  shown.search, shown.onlyLent = "", false
  devices.selectedObject = desk.addDevice()
  views.name:focus()
end

-- To ask waits, as a handler may: meanwhile somebody else may have removed it.
function screen.remove()
  local device = chosen()
  if not me.isKeeper or not device then return end
  local answer = ask { title = "Remove", text = ("Remove %s, %s?"):format(device.tag, device.name),
    buttons = { "Cancel", "Remove" }, default = "Cancel" }
  if answer ~= "Remove" or not desk.data.devices:indexOf(device) then return end
  local _, why = desk.removeDevice(device)
  me:tell(why or ("Removed %s."):format(device.name))
end

local function borrower()
  if me.isKeeper then return lending.person end
  return me.person
end

local function lend()
  local device, person = chosen(), borrower()
  if not device or not person then return me:tell "Say who borrows it." end
  local _, why = desk.lend(device, person, lending.due)
  me:tell(why or ("%s has it until %s."):format(person.name, lending.due))
  if not why then lending.person, lending.due = nil, days.ahead(14) end
end

local function takeBack()
  local device = chosen()
  if not device or not desk.isLent(device) then return end
  desk.takeBack(device)
  me:tell(("%s is back."):format(device.name))
end

-- Members bring back what they have themselves.
local function mayTakeBack()
  local device = chosen()
  return device ~= nil and desk.isLent(device) and (me.isKeeper or device.holder == me.id)
end

-- Views -------------------------------------------------------------------------------------------

transformer("personName", function(id)
  local person = desk.personWithId(id)
  return person and person.name or ""
end)

local columns = {
  { title = "Tag", path = "tag", width = 7 },
  { title = "Name", path = "name", minWidth = 14 },
  { title = "Kind", path = "kind", width = 8 },
  { title = "With", path = "holder | personName", key = "holder", width = 6 },
  { title = "Until", path = "due", width = 10 },
}

local table = view.table { id = "devices", grow = 1, minWidth = 20, columns = columns,
  rowStyle = function(device) return desk.isLate(device) and "warning" or nil end,
  bindTo = { items = "devices.arrangedObjects", selectedIndex = "<> devices.selectionIndex" },
  keys = { Delete = { title = "Remove", run = screen.remove } },
}

-- What is typed goes to the record when the editing ends.
local function field(label, property)
  return view.field { id = property, label = label,
    editable = function() return me.isKeeper end,
    bindTo = { text = { path = "<> devices.selection." .. property, continuous = false } } }
end

local function isHere() return chosen() ~= nil and not desk.isLent(chosen()) end

local record = view.form { spacing = 0,
  field("Tag", "tag"), field("Name", "name"), field("Kind", "kind"), field("Place", "place"),
  field("Note", "note"),
}

local loan = view.form { id = "loan", spacing = 0, on = { submit = lend },
  hidden = function() return not isHere() or not me.isMember end,
  view.picker { id = "person", label = "To", placeholder = "who?",
    hidden = function() return not me.isKeeper end,
    bindTo = { items = "desk.people", selectedObject = "<> lending.person" } },
  view.datePicker { id = "due", label = "Until", utc = true,
    bindTo = { value = "<> lending.due | noon" } },
  view.button { id = "lend", role = "submit", title = function()
    return me.isKeeper and "Lend" or "Borrow"
  end },
}

local state = view.label { id = "state", wrap = true, text = function()
  local device = chosen()
  if not device then return "No device is chosen." end
  local holder = desk.holder(device)
  if not desk.isLent(device) then return "It is here." end
  return ("%s has it since %s, until %s%s."):format(holder and holder.name or "somebody",
    device.since, device.due, desk.isLate(device) and ", and is late" or "")
end }

local details = view.column { width = 26, spacing = 1,
  record,
  state,
  loan,
  view.button { id = "back", title = "Is back", on = { touchUpInside = takeBack },
    hidden = function() return not mayTakeBack() end },
}

screen.view = view.row { grow = 1, spacing = 1, padding = { 1, 0, 0, 0 }, table, details }

return screen
