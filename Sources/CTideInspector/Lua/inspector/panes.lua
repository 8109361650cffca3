-- The details of the object that is chosen in the tree: its properties, and the causes, the
-- neighbours in the graph and the script lines of one property.

local link = require "inspector.link"

local chosen = model "chosen" {
  node = "", kind = "", label = "", property = "", value = "", made = "",
  file = "", line = 0, tab = 1,
}

local panes = {
  properties = list {}, causes = list {}, sources = list {}, targets = list {},
  lines = list {}, errors = list {}, reloads = list {},
}

local Property = class "Property" {
  name = "", value = "", type = "", bound = "", fixed = false, cost = "", count = "", error = "",
}

local Cause = class "Cause" { text = "", file = "", line = 0 }
local Neighbour = class "Neighbour" { label = "", node = "", name = "", depth = 1 }
local Line = class "Line" { number = 0, text = "" }

local function microseconds(item)
  if not item.runs or item.runs == 0 then return "" end
  return ("%.1f µs"):format(item.nanoseconds / 1000 / item.runs)
end

local function fillProperties(items)
  local known = {}
  for _, property in ipairs(panes.properties) do known[property.name] = property end
  -- Properties with changes, bindings or values come first.
  local all, others = {}, {}
  for _, item in ipairs(items) do
    local property = known[item.name] or Property { name = item.name }
    property.value, property.type, property.bound = item.value, item.type, item.bound
    property.fixed, property.error = item.fixed, item.error or ""
    property.count = item.changes and item.changes > 0 and tostring(item.changes) or ""
    property.cost = microseconds(item)
    local isPlain = property.value == "nil" and property.bound == "" and property.count == ""
    local into = isPlain and others or all
    into[#into + 1] = property
  end
  table.move(others, 1, #others, #all + 1, all)
  panes.properties:set(all)
end

local function causes(items)
  local all = {}
  for index, item in ipairs(items) do
    all[index] = Cause { text = item.text, file = item.file or "", line = item.line or 0 }
  end
  return all
end

local function neighbours(items, direction)
  local all = {}
  for _, item in ipairs(items) do
    if item.direction == direction then
      all[#all + 1] = Neighbour { label = item.label, node = item.node or "",
        name = item.name or "", depth = item.depth }
    end
  end
  return all
end

local shownFile

-- Shows a line of the script.
function panes.showLine(file, line)
  if file == "" then return end
  local function select()
    chosen.file, chosen.line = file, line
    views.lines.selectedIndex = line
    views.lines:scrollTo(math.max(1, line - 3))
  end
  if shownFile == file then return select() end
  link.ask({ ask = "source", file = file }, function(items)
    local all = {}
    for index, item in ipairs(items) do all[index] = Line { number = item.line, text = item.text } end
    panes.lines:set(all)
    shownFile = file
    select()
  end)
end

local function askForProperty()
  local question = { node = chosen.node, name = chosen.property }
  question.ask = "why"
  link.ask(question, function(items) panes.causes:set(causes(items)) end,
    function() panes.causes:clear() end)
  question.ask = "dependencies"
  link.ask(question, function(items)
    panes.sources:set(neighbours(items, "from"))
    panes.targets:set(neighbours(items, "to"))
  end, function()
    panes.sources:clear()
    panes.targets:clear()
  end)
end

-- Requests the shown details again.
function panes.refresh()
  if chosen.node:find "^o" then
    link.ask({ ask = "properties", node = chosen.node }, fillProperties,
      function() panes.properties:clear() end)
    if chosen.property ~= "" then askForProperty() end
  else
    panes.properties:clear()
    panes.causes:clear()
    panes.sources:clear()
    panes.targets:clear()
  end
  link.ask({ ask = "errors" }, function(items) panes.errors:set(causes(items)) end)
  link.ask({ ask = "reloads" }, function(items) panes.reloads:set(causes(items)) end)
end

-- Clears all panes.
function panes.reset()
  shownFile = nil
  chosen.node, chosen.kind, chosen.label, chosen.property = "", "", "", ""
  chosen.value, chosen.made, chosen.file, chosen.line = "", "", "", 0
  for _, name in ipairs { "properties", "causes", "sources", "targets", "lines", "errors", "reloads" } do
    panes[name]:clear()
  end
end

-- Chooses an object, and optionally one of its properties.
function panes.choose(node, property)
  if node.node == chosen.node and not property then return end
  chosen.node, chosen.kind, chosen.label = node.node, node.kind, node.label
  chosen.property = property or ""
  chosen.made = node.file ~= "" and ("%s:%d"):format(node.file, node.line) or ""
  link.ask({ ask = "mark", node = node.kind == "view" and node.node or "" })
  panes.refresh()
  panes.showLine(node.file, node.line)
end

function panes.chooseProperty(property)
  if not property then return end
  chosen.property, chosen.value = property.name, property.value
  models.link.problem = ""
  askForProperty()
end

-- Sets the chosen property to the value of a Lua expression.
function panes.set(text)
  models.link.problem = ""
  link.ask({ ask = "set", node = chosen.node, name = chosen.property, text = text }, panes.refresh)
end

return panes
