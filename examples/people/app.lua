-- A master list and the details of whoever is selected in it, over controllers: they sort, filter,
-- select, and hold an edit back until the model takes it. Save this file while it runs, and see.

local Person = class "Person" {
  name = property { default = "", validate = function(_, name)
    name = name:match("^%s*(.-)%s*$")
    if name == "" then return nil, "A person has a name." end
    return name
  end },
  age = property { default = 30, type = "integer", validate = function(_, age)
    if age < 0 or age > 130 then return nil, "An age is 0 to 130." end
    return age
  end },
  city = "", team = "", active = true,
}

-- A model, so that it is kept when this file is saved.
local company = model "company" { staff = list {
  Person { name = "Ada Lovelace", age = 36, city = "London", team = "Engine" },
  Person { name = "Alan Turing", age = 41, city = "Wilmslow", team = "Engine" },
  Person { name = "Barbara Liskov", age = 84, city = "Boston", team = "Types" },
  Person { name = "Edsger Dijkstra", age = 72, city = "Nuenen", team = "Proofs" },
  Person { name = "Frances Allen", age = 88, city = "Peru", team = "Compilers", active = false },
  Person { name = "Grace Hopper", age = 85, city = "Arlington", team = "Compilers" },
  Person { name = "Hedy Lamarr", age = 85, city = "Casselberry", team = "Radio", active = false },
  Person { name = "Ken Thompson", age = 81, city = "New Orleans", team = "Systems" },
  Person { name = "Leslie Lamport", age = 83, city = "New York", team = "Proofs" },
  Person { name = "Margaret Hamilton", age = 88, city = "Boston", team = "Systems" },
  Person { name = "Niklaus Wirth", age = 89, city = "Zurich", team = "Compilers" },
  Person { name = "Radia Perlman", age = 73, city = "Boston", team = "Networks" },
  Person { name = "Tony Hoare", age = 90, city = "Cambridge", team = "Types" },
} }

-- What the person at the keyboard has chosen.
local chosen = model "chosen" { search = "", sort = "name", message = "", leaving = false }

-- It filters and selects; the table sets how it sorts.
local people = controller.list { name = "people", objectClass = Person,
  content = "company.staff",
  -- The filter stays when somebody comes; `hire` empties the search instead.
  clearsFilterOnInsertion = false,
  filter = function(person)
    local words = (person.name .. " " .. person.city .. " " .. person.team):lower()
    return words:find(chosen.search:lower(), 1, true) ~= nil
  end,
}

view.placeholders("label", { text = { noSelection = "Nobody", multipleValues = "Several" } })

-- What the keys do --------------------------------------------------------------------------------

local function sortBy(order)
  return function() chosen.sort = chosen.sort == order and "-" .. order or order end
end

local function save()
  local done, message = people:commitEditing()
  chosen.message = done and "Saved." or message
end

local function discard()
  people:discardEditing()
  chosen.message = "As it was."
end

local function hire()
  chosen.search = ""
  people:add { name = "New person" }
  chosen.message = "Somebody new."
end

-- Asked about first, in a dialog.
local function leave()
  if people.canRemove then chosen.leaving = true end
end

local function stay() chosen.leaving = false end

local function leaveNow()
  chosen.message = people.selection.name .. " has left."
  people:remove()
  chosen.leaving = false
end

-- Views -------------------------------------------------------------------------------------------

local function name()
  return view.label { bindTo = {
    text = "dataObject.name",
    style = "dataObject.active | choose('', muted)",
  } }
end

local columns = {
  { title = "Name", path = "name", cell = name, minWidth = 12, grow = 2 },
  { title = "Team", path = "team", width = 11, grow = 1 },
  { title = "Age", path = "age", width = 6 },
}

-- Two cells of the form. What is typed goes to the model when the editing ends.
local function field(title, property)
  return view.label { style = "muted", text = title },
    view.field { id = property, label = title, bindTo = {
      text = { path = "<> people.selection." .. property, continuous = false },
    } }
end

local function form(...)
  local cells = {}
  for _, each in ipairs { ... } do
    cells[#cells + 1], cells[#cells + 2] = field(each, each:lower())
  end
  return view.grid { columns = { 6, "*" }, spacing = 1, table.unpack(cells) }
end

local details = view.column { width = 30, grow = 1, minWidth = 16, maxWidth = 64, spacing = 1,
  view.label { id = "title", bold = true, bindTo = { text = "people.selection.name" } },
  form("Name", "Age", "City", "Team"),
  view.toggle { id = "active", title = "works here", margin = { 0, 0, 0, 7 }, bindTo = {
    isOn = "<> people.selection.active",
  } },
  -- Without the focus, since a field that loses it has written its text before it could be discarded.
  view.row { spacing = 1,
    view.button { id = "save", title = "Save", focusable = false,
      on = { touchUpInside = save }, bindTo = { enabled = "people.isEditing" } },
    view.button { id = "discard", title = "Discard", focusable = false,
      on = { touchUpInside = discard }, bindTo = { enabled = "people.isEditing" } },
    view.spacer {},
    view.button { id = "leave", title = "Leaves", on = { touchUpInside = leave },
      bindTo = { enabled = "people.canRemove" } },
  },
}

local question = view.dialog { id = "question", title = "Leaves", modal = true,
  padding = { 1, 2 }, spacing = 1,
  hidden = function() return not chosen.leaving end,
  on = { close = stay },
  view.label { wrap = true, bindTo = { text = "people.selection.name | suffix(' leaves us?')" } },
  view.row { spacing = 1,
    view.spacer {},
    view.button { title = "Stays", on = { touchUpInside = stay } },
    view.button { title = "Leaves", on = { touchUpInside = leaveNow } },
  },
}

show(view.window { title = "People", view.column { grow = 1, padding = { 0, 1 }, spacing = 1,
  keys = {
    F2 = { title = "New", run = hire }, F8 = { title = "Leaves", run = leave },
    F3 = { title = "Name", run = sortBy "name" },
    F4 = { title = "Age", run = sortBy "age" },
    F5 = { title = "Team", run = sortBy "team" },
    ["Ctrl-S"] = { title = "Save", run = save }, Escape = discard,
    ["/"] = { title = "Find", run = function() views.search:focus() end },
  },
  view.row { spacing = 2,
    view.label { bold = true, text = "People" },
    view.label { style = "muted", text = function()
      return ("%d of %d"):format(#people.arrangedObjects, #company.staff)
    end },
    view.label { id = "message", grow = 1, textColor = "cyan", bindTo = {
      text = "chosen.message",
    } },
    view.field { id = "search", width = 24, maxWidth = 24, grow = 1, placeholder = "search",
      bindTo = { text = "<> chosen.search" },
      on = { editingDidEndOnExit = function() views.staff:focus() end } },
  },
  view.row { grow = 1, spacing = 4,
    view.table { id = "staff", label = "Staff", grow = 2, minWidth = 18, maxWidth = 90, columns = columns,
      bindTo = { items = "people.arrangedObjects", selectedIndex = "<> people.selectionIndex",
        sort = "<> chosen.sort" },
    },
    details,
  },
  view.keyBar { style = "muted" },
  question,
} })

views.staff:focus()
