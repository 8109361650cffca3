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
local chosen = model "chosen" { search = "", order = "name", message = "" }

local people = controller.list { name = "people", objectClass = Person,
  content = "company.staff",
  -- The filter stays when somebody comes; `hire` empties the search instead.
  clearsFilterOnInsertion = false,
  sort = function() return { chosen.order, "name" } end,
  filter = function(person)
    local words = (person.name .. " " .. person.city .. " " .. person.team):lower()
    return words:find(chosen.search:lower(), 1, true) ~= nil
  end,
}

view.placeholders("label", { text = { noSelection = "Nobody", multipleValues = "Several" } })

-- What the keys do --------------------------------------------------------------------------------

local function sortBy(order)
  return function() chosen.order = order end
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

local function leave()
  chosen.message = people.selection.name .. " has left."
  people:remove()
end

-- Views -------------------------------------------------------------------------------------------

local function row()
  return view.cell {
    view.label { grow = 1, bindTo = { text = "dataObject.name" } },
    view.label { width = 11, style = "muted", bindTo = { text = "dataObject.team" } },
    view.label { width = 5, align = "end", bindTo = { text = "dataObject.age" } },
  }
end

local function heading(title, order, width)
  return view.label { width = width, grow = width and 0 or 1, bold = true,
    align = order == "age" and "end" or "start",
    text = function() return title .. (chosen.order == order and " ▲" or "") end,
  }
end

-- Carried to the model when the editing ends, as a form is filled in.
local function field(title, property)
  return view.row { spacing = 1,
    view.label { width = 8, style = "muted", text = title },
    view.field { id = property, grow = 1, bindTo = {
      text = { path = "<> people.selection." .. property, continuous = false },
    } },
  }
end

local shown = view.column { grow = 1,
  keys = {
    ["Ctrl-S"] = save, Escape = discard, F2 = hire, F8 = leave,
    F3 = sortBy "name", F4 = sortBy "age", F5 = sortBy "team",
    ["/"] = function() views.search:focus() end,
  },
  view.row { backgroundColor = "blue", textColor = "white", spacing = 2, padding = { 0, 1 },
    view.label { bold = true, text = "People" },
    view.spacer {},
    view.label { text = function()
      return ("%d of %d"):format(#people.arrangedObjects, #company.staff)
    end },
  },
  view.row { grow = 1,
    view.box { title = "Staff", grow = 1, padding = { 0, 1 },
      view.row { spacing = 1,
        view.label { style = "muted", text = "Search" },
        view.field { id = "search", grow = 1, placeholder = "press /", bindTo = {
          text = "<> chosen.search",
        }, on = { editingDidEndOnExit = function() views.staff:focus() end } },
      },
      view.divider {},
      view.row { spacing = 1,
        heading("Name", "name"), heading("Team", "team", 11), heading("Age", "age", 5),
      },
      view.list { id = "staff", cell = row, rowHeight = 1, height = 4, grow = 1, bindTo = {
        items = "people.arrangedObjects", selectedIndex = "<> people.selectionIndex",
      } },
    },
    view.box { title = "Details", width = 36, padding = { 0, 1 }, spacing = 1,
      view.label { id = "title", bold = true, bindTo = { text = "people.selection.name" } },
      field("Name", "name"), field("Age", "age"), field("City", "city"), field("Team", "team"),
      view.toggle { id = "active", title = "works here", bindTo = {
        isOn = "<> people.selection.active",
      } },
      view.spacer {},
      view.row { spacing = 1,
        view.button { id = "save", title = "Save", on = { touchUpInside = save },
          bindTo = { enabled = "people.isEditing" } },
        view.button { id = "discard", title = "Discard", on = { touchUpInside = discard },
          bindTo = { enabled = "people.isEditing" } },
        view.button { id = "leave", title = "Leaves", on = { touchUpInside = leave },
          bindTo = { enabled = "people.canRemove" } },
      },
    },
  },
  view.label { id = "message", margin = { 0, 1 }, bindTo = { text = "chosen.message" } },
  view.label { style = "muted", margin = { 0, 1 },
    text = "/ search  F2 new  F8 leaves  F3 name F4 age F5 team  Ctrl-S save  Esc discard" },
}

show(shown)
views.staff:focus()
