-- Many rows.
local Row = class "Row" { name = "", number = 0, ripe = false }
local shop = model "shop" { rows = list {}, few = list {}, chosen = property {}, last = "none", tab = 1 }

local many = {}
for number = 1, 100000 do many[number] = object { name = "row " .. number, number = number * 7919 % 100003 } end
shop.rows:set(many)
for number = 1, 12 do shop.few:append(Row { name = "fruit " .. number, number = number }) end

local notes = list {}
for number = 1, 3000 do
  notes:append("note " .. number .. " " .. ("some words that wrap "):rep(number * 7 % 23))
end

local Folder = class "Folder" { name = "", children = list {} }
local files = list {
  Folder { name = "src", children = list { Folder { name = "lib", children = list { Folder { name = "main" } } } } },
  Folder { name = "readme" },
}

local function named()
  return view.cell { view.label { bindTo = { text = "dataObject.name" } } }
end

show(view.window { title = "Rows", view.column { grow = 1,
  view.label { id = "said", text = function()
    return (shop.chosen and shop.chosen.name or "nothing") .. " of " .. #shop.rows .. ", " .. shop.last
  end },
  view.row { spacing = 1,
    view.button { title = "Above", on = { touchUpInside = function()
      shop.rows:insert(1, object { name = "new " .. #shop.rows, number = 0 }) end } },
    view.button { title = "Remove", on = { touchUpInside = function()
      shop.rows:remove(1) end } },
  },
  view.tabs { id = "tabs", grow = 1, titles = { "Table", "List", "Tree", "Collection", "Notes" },
    bindTo = { selected = "<> shop.tab" },
    view.table { id = "table", label = "Rows", grow = 1, items = shop.rows,
      bindTo = { selectedObject = "<> shop.chosen" },
      columns = { { title = "Name", path = "name" }, { title = "Number", path = "number", width = 10 } },
      on = { didSelect = function(_, event) shop.last = "selected " .. event.index end } },
    view.list { id = "list", label = "Fruits", grow = 1, items = shop.few, cell = function()
      return view.cell {
        view.checkbox { title = "ripe", bindTo = { isOn = "<> dataObject.ripe" } },
        view.field { label = "Fruit", width = 20, bindTo = { text = "<> dataObject.name" } },
        view.label { bindTo = { text = "dataObject.name" } },
      }
    end },
    view.tree { id = "tree", label = "Files", grow = 1, items = files, cell = named },
    view.collection { id = "collection", label = "Boxes", grow = 1, items = shop.few,
      selectionMode = "many", itemWidth = 14, cell = named },
    view.list { id = "notes", label = "Notes", grow = 1, items = notes, rowHeight = "auto" },
  },
} })
