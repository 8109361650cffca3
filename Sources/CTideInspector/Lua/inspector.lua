-- Inspects a running app: its parts, and the causes of its values.

local link = require "inspector.link"
local panes = require "inspector.panes"
local tree = require "inspector.tree"

local chosen, state = models.chosen, models.link

style.define("chosen", { bold = true })
style.define("bad", { textColor = "red" })

-- The tree ----------------------------------------------------------------------------------------

local colors = { group = "bold", view = "accent", error = "bad" }

local function nodeCell(node)
  return view.cell { view.row { spacing = 1,
    view.label { bindTo = { text = "dataObject.label", style = "dataObject.kind | kindStyle" } },
    view.label { style = "muted", truncate = true, bindTo = { text = "dataObject.detail" } },
  } }
end

transformer("kindStyle", function(kind) return colors[kind] end)

local function selectedNode() return views.tree.selectedObject end

local treeView = view.tree { id = "tree", label = "Parts of the app", grow = 1, autofocus = true, items = tree.roots,
  childrenPath = "parts", cell = nodeCell, on = {
    didSelect = function()
      local node = selectedNode()
      if node and node.node ~= "" then panes.choose(node) end
    end,
    didExpand = function(_, event)
      local node = event.value
      node.isOpen = true
      if not node.isLoaded then tree.load(node) end
    end,
    didCollapse = function(_, event) event.value.isOpen = false end,
  } }

local function reveal(node, property)
  link.ask({ ask = "path", node = node }, function(items)
    local path = {}
    for index, item in ipairs(items) do path[index] = item.node end
    tree.reveal(path, function(passed)
      if not passed.isOpen then views.tree:expand(tree.indexOf(passed)) end
    end, function(found)
      views.tree.selectedObject = found
      panes.choose(found, property)
    end)
  end, function()
    -- Objects other than views have no path in the tree.
    panes.choose(tree.Node { node = node, kind = "object", label = property or "" }, property)
  end)
end

-- The panes ---------------------------------------------------------------------------------------

local function setter()
  return view.row { spacing = 1,
    view.label { text = function()
      return chosen.property == "" and "Choose a property" or chosen.property .. " ="
    end },
    view.field { id = "value", label = "New value, as Lua", grow = 1,
      enabled = function() return chosen.property ~= "" end,
      bindTo = { text = "<> chosen.value" },
      keys = { Enter = function() panes.set(chosen.value) end } },
    view.button { id = "set", title = "Set",
      enabled = function() return chosen.property ~= "" end,
      on = { touchUpInside = function() panes.set(chosen.value) end } },
  }
end

local propertiesPane = view.column { spacing = 1,
  view.table { id = "properties", label = "Properties", grow = 1, items = panes.properties,
    columns = {
      { title = "Property", path = "name", width = 16 },
      { title = "Value", path = "value", minWidth = 16, grow = 2 },
      { title = "Bound by", path = "bound", minWidth = 14, grow = 2 },
      { title = "Changes", path = "count", width = 8, align = "end" },
      { title = "Each", path = "cost", width = 10, align = "end" },
    },
    rowStyle = function(property) return property.error ~= "" and "bad" or nil end,
    on = { didSelect = function() panes.chooseProperty(views.properties.selectedObject) end } },
  setter(),
}

-- A list of lines that lead to locations in the script.
local function places(id, label, items)
  return view.list { id = id, label = label, grow = 1, items = items,
    cell = function()
      return view.cell { view.label { wrap = true, bindTo = { text = "dataObject.text" } } }
    end,
    on = { didSelect = function()
      local place = views[id].selectedObject
      if place then panes.showLine(place.file, place.line) end
    end } }
end

local function neighbours(id, label, items)
  return view.list { id = id, label = label, grow = 1, items = items,
    cell = function()
      return view.cell { view.label { bindTo = { text = "dataObject | indented" } } }
    end,
    on = { didSelect = function()
      local other = views[id].selectedObject
      if other and other.node ~= "" then reveal(other.node, other.name) end
    end } }
end

transformer("indented", function(other)
  return other and ("  "):rep(other.depth - 1) .. other.label or ""
end)

local graphPane = view.row { spacing = 1,
  view.box { title = "Depends on", grow = 1, neighbours("sources", "Depends on", panes.sources) },
  view.column { align = "center", view.spacer {},
    view.label { text = function()
      if chosen.property == "" then return "" end
      return ("→ %s.%s →"):format(chosen.label, chosen.property)
    end, style = "chosen" },
    view.spacer {} },
  view.box { title = "Needed by", grow = 1, neighbours("targets", "Needed by", panes.targets) },
}

local sourcePane = view.list { id = "lines", label = "Lines of the script", grow = 1,
  items = panes.lines,
  cell = function()
    return view.cell { view.row { spacing = 1,
      view.label { style = "muted", width = 5, bindTo = { text = "dataObject.number" } },
      view.label { bindTo = { text = "dataObject.text" } },
    } }
  end,
  on = { didSelect = function()
    -- Selecting a line reveals the view that it has made.
    local line = views.lines.selectedIndex
    if not line or line == chosen.line then return end
    chosen.line = line
    link.ask({ ask = "made", file = chosen.file, node = tostring(line) }, function(items)
      if items[1] then reveal(items[1].node) end
    end)
  end } }

local titles = { "Properties", "Why", "Graph", "Source", "Errors", "Reloads" }

local function pick()
  link.ask({ ask = "pick" })
  models.link.problem = "Click a view in the app; Esc there for none."
end

link.onEvent.picked = function(message)
  state.problem = ""
  if message.node then reveal(message.node) end
end

-- Changes are collected for a moment, and cause one refresh.
local isStale = false
local function refresh()
  isStale = false
  tree.refresh()
  panes.refresh()
end

link.onEvent.changed = function()
  if isStale then return end
  isStale = true
  after(0.25, refresh)
end

local function reset()
  tree.reset()
  panes.reset()
end

link.onEvent.hello = function()
  reset()
  refresh()
end

-- The private sessions of the app, if it has any.
local sessions = model "sessions" { titles = list {}, chosen = "" }

link.onEvent.sessions = function(message)
  local wasChosen = sessions.chosen ~= ""
  sessions.titles:set(message.items or {})
  sessions.chosen = message.chosen or ""
  if sessions.chosen ~= "" or not wasChosen then return end
  reset()
  state.problem = "That session has ended; choose another one."
end

refresh()

local function tab(number) return function() chosen.tab = number end end
local keys = { F8 = { title = "Pick", run = pick } }
for number, title in ipairs(titles) do
  keys["F" .. number + 1] = { title = title, run = tab(number) }
end

return view.window { title = function() return "Inspector: " .. state.name end,
  view.column { grow = 1, keys = keys,
    view.row { spacing = 2, padding = { 0, 1 },
      view.label { style = "chosen", text = function() return state.name end },
      view.label { style = "muted", text = function() return chosen.made end },
      view.label { id = "problem", style = "bad", grow = 1, bindTo = { text = "link.problem" } },
      view.picker { id = "session", label = "Session", placeholder = "choose a session",
        hidden = function() return #sessions.titles == 0 end,
        bindTo = { items = "sessions.titles", selectedObject = "sessions.chosen" },
        on = { valueChanged = function()
          link.ask { ask = "session", node = views.session.selectedObject or "" }
        end } },
      view.button { id = "pick", title = "Pick a view", on = { touchUpInside = pick } },
    },
    view.split { grow = 1, position = 34,
      view.box { title = "App", treeView },
      view.tabs { id = "tabs", titles = titles,
        propertiesPane,
        places("causes", "Causes", panes.causes),
        graphPane,
        sourcePane,
        places("errors", "Errors", panes.errors),
        places("reloads", "Reloads", panes.reloads),
        bindTo = { selected = "<> chosen.tab" } },
    },
    view.keyBar { style = "muted" },
  } }
