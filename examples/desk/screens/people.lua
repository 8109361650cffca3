-- The people: who they are, what they may do, and what they have.

local desk, me = require "desk", require "me"

local people = controller.list { name = "people", content = "desk.people", sort = "name" }

local screen = {}

local function chosen() return people.selectedObject end

local function add()
  if me.isKeeper then
    people.selectedObject = desk.addPerson()
    views.personName:focus()
  end
end

local function remove()
  local person = chosen()
  if not me.isKeeper or not person then return end
  local answer = ask { title = "Remove", text = ("Remove %s?"):format(person.name),
    buttons = { "Cancel", "Remove" }, default = "Cancel" }
  if answer ~= "Remove" or not desk.data.people:indexOf(person) then return end
  local isGone, why = desk.removePerson(person)
  me:tell(isGone and person.name .. " is removed." or person.name .. " " .. why .. ".")
end

-- What somebody has at present.
local function borrowed(person)
  return person and desk.data.devices:filter(function(device)
    return device.holder == person.id
  end) or list {}
end

local function field(label, property, id)
  return view.field { id = id, label = label, editable = function() return me.isKeeper end,
    bindTo = { text = { path = "<> people.selection." .. property, continuous = false } } }
end

screen.view = view.row { grow = 1, spacing = 2, padding = { 1, 0, 0, 0 },
  view.table { id = "people", grow = 2, minWidth = 20,
    columns = {
      { title = "Name", path = "name", grow = 1 }, { title = "Address", path = "mail", grow = 1 },
      { title = "May", path = "role", width = 8 },
    },
    bindTo = { items = "people.arrangedObjects", selectedIndex = "<> people.selectionIndex" },
    keys = { Delete = { title = "Remove", run = remove } },
  },
  view.column { width = 30, spacing = 1,
    view.form { spacing = 0,
      field("Name", "name", "personName"), field("Address", "mail", "mail"),
      field("Login", "login", "login"),
      view.picker { id = "role", label = "May", items = { "member", "keeper" },
        enabled = function() return me.isKeeper end,
        bindTo = { selectedObject = "<> people.selection.role" } },
    },
    view.label { style = "muted", text = "Has now" },
    view.list { id = "borrowed", label = "Has now", grow = 1, selectionMode = "none",
      items = function() return borrowed(chosen()) end,
      cell = function()
        return view.cell { view.row { spacing = 1,
          view.label { grow = 1, bindTo = { text = "dataObject.name" } },
          view.label { bindTo = { text = "dataObject.due" } },
        } }
      end },
    view.row { spacing = 1, hidden = function() return not me.isKeeper end,
      view.button { id = "addPerson", title = "New", on = { touchUpInside = add } },
      view.button { id = "removePerson", title = "Remove", on = { touchUpInside = remove } },
    },
  },
}

return screen
