-- What a save must leave as it is.
local kept = model "kept" { name = "", later = "", picked = "nothing", tab = 1, born = 1 }
local Row = class "Row" { name = "" }
local Folder = class "Folder" { name = "", children = list {} }
local store = model "store" { rows = list {}, folders = list {} }
if #store.rows == 0 then
  for number = 1, 200 do store.rows:append(Row { name = "row " .. number }) end
  store.folders:append(Folder { name = "src", children = list {
    Folder { name = "lib", children = list { Folder { name = "main" } } } } })
end
history = undo.manager { kept, name = "history" }

local function named()
  return view.cell { view.label { bindTo = { text = "dataObject.name" } } }
end

local function picks(what)
  return function() kept.picked = what end
end

local about
about = view.dialog { id = "about", title = "About", modal = true, hidden = true,
  on = { close = function() about.hidden = true end },
  view.field { id = "inner", label = "Inner" },
  view.button { title = "Good", on = { touchUpInside = function() about.hidden = true end } },
}

show(view.window { title = "Kept", view.column { id = "all", spacing = 1,
  view.menu { id = "menu", items = {
    { title = "File", items = { { title = "New", command = picks "new" },
      { title = "More", items = { { title = "Deep", command = picks "deep" } } } } },
  } },
  view.row { spacing = 1,
    view.field { id = "name", label = "Name", width = 30, bindTo = { text = "<> kept.name" } },
    view.field { id = "later", label = "Later", width = 30,
      bindTo = { text = { path = "<> kept.later", continuous = false } } },
    view.numberField { id = "number", label = "Number", minimum = 1, maximum = 20, value = 1 },
  },
  view.row { spacing = 1,
    view.button { title = "About", on = { touchUpInside = function() about.hidden = false end } },
    view.button { title = "Rename", on = { touchUpInside = function()
      undo.group("Rename", function() kept.name = "renamed" end) end } },
    view.button { title = "Undo", on = { touchUpInside = function() history:undo() end } },
    view.label { id = "target", text = function() return "picked " .. kept.picked end,
      contextMenu = { { title = "Cut", command = picks "cut" } } },
  },
  view.tabs { id = "tabs", titles = { "Table", "Many", "Tree", "Text" },
    view.table { id = "table", label = "Rows", items = store.rows, height = 12,
      columns = { { title = "Name", path = "name" } } },
    view.list { id = "many", label = "Many", items = store.rows, height = 12,
      selectionMode = "many", cell = named },
    view.tree { id = "tree", label = "Folders", items = store.folders, height = 12, cell = named },
    view.textArea { id = "text", label = "Text", height = 6 },
  },
  about,
} })
