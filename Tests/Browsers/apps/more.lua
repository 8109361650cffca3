-- What only some apps have: deep menus, heights, rows found by letters, charts and pictures.
local state = model "state" { picked = "nothing", row = "none", day = property { type = "integer", nullable = true } }
local names = list {}
for _, name in ipairs { "apple", "apricot", "banana", "cherry", "citron", "date", "elderberry", "fig" } do
  names:append(object { name = name })
end
for number = 1, 200 do names:append(object { name = "number " .. number }) end
names:append(object { name = "zucchini" })

local Folder = class "Folder" { name = "", children = list {} }
local files = list {
  Folder { name = "src", children = list {
    Folder { name = "lib", children = list { Folder { name = "main" }, Folder { name = "parts" } } } } },
  Folder { name = "readme" },
}

local function named()
  return view.cell { view.label { bindTo = { text = "dataObject.name" } } }
end

local function picks(what)
  return function() state.picked = what end
end

show(view.window { title = "More", view.column { id = "all",
  view.menu { id = "menu", items = {
    { title = "File", items = {
      { title = "Export", items = {
        { title = "Image", items = { { title = "PNG", command = picks "png" }, { title = "SVG", command = picks "svg" } } },
        { title = "Text", key = "Alt-X", command = picks "text" },
      } },
      { title = "Close", command = picks "close" },
    } },
    { title = "Edit", items = { { title = "Paste", command = picks "paste" } } },
  } },
  view.label { id = "said", text = function() return state.picked .. " " .. state.row end },
  view.tabs { id = "tabs", titles = { "Rows", "Heights", "Pictures" },
    view.column {
      view.list { id = "list", label = "Names", height = 10, items = names, cell = named,
        on = { didSelect = function(_, event) state.row = event.value.name end } },
      view.tree { id = "tree", label = "Files", height = 8, items = files, cell = named },
      view.datePicker { id = "day", label = "Day", utc = true, bindTo = { value = "<> state.day" } },
    },
    view.column {
      view.list { id = "low", label = "Low", height = 4, items = names, cell = named },
      view.scroll { id = "scroll", label = "Text", height = 3,
        view.label { text = "one" }, view.label { text = "two" }, view.label { text = "three" },
        view.label { text = "four" }, view.label { text = "five" } },
      view.split { id = "split", height = 5,
        view.label { text = "left" }, view.label { text = "middle" }, view.label { text = "right" } },
      view.button { id = "after", title = "After" },
    },
    view.column {
      view.chart { id = "chart", label = "Sales", kind = "line", height = 6, width = 30,
        values = { { title = "a", values = { 1, 4, 2 } }, { title = "b", values = { 2, 3, 5 } } } },
      view.chart { id = "spark", label = "Load", values = { 1, 2, 3 } },
      view.label { text = "long long text that goes on", maxWidth = 10, wrap = true },
    },
  },
} })
