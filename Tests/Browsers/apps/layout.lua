-- Random trees, of which a page gives each view about as many cells as a terminal does.

local Fruit = class "Fruit" { name = "", stock = 0 }
local fruits = list { Fruit { name = "Apple", stock = 1 }, Fruit { name = "Fig", stock = 2 } }
local random, made, natural

local function upTo(count)
  random = (random * 1103515245 + 12345) % 2147483648
  return random // 65536 % count + 1
end

local function one(...)
  return (select(upTo(select("#", ...)), ...))
end

-- A view with a name by which the page and the test find it.
local function named(make, properties, wanted)
  properties.id = "v" .. #made + 1
  properties.tooltip = properties.id
  made[#made + 1] = properties.id
  natural[properties.id] = wanted
  return make(properties)
end

-- What stands at the ends of the tree, and how wide it wants to be.
local leaves = {
  function()
    local text = ("word "):rep(upTo(3)) .. "end"
    return view.label, { text = text }, #text
  end,
  function() return view.label, { text = ("words that wrap "):rep(upTo(3)) .. "end", wrap = true }, 8 end,
  function() return view.field, {}, 20 end,
  function() return view.numberField, { value = upTo(100) }, 12 end,
  function() return view.textArea, { height = upTo(3) + 1 }, 20 end,
  function()
    local title = ("press "):rep(upTo(2)) .. "it"
    return view.button, { title = title }, #title + 4
  end,
  function() return view.slider, {}, 20 end,
  function() return view.progress, { value = 0.5 }, 20 end,
  function() return view.list, { items = fruits, height = 3 }, 20 end,
  function() return view.table, { items = fruits, height = 4, columns = { "name", "stock" } }, 20 end,
  function() return view.divider, {}, 1 end,
}

-- What a row gives its views is a matter of their sizes; a column gives all it has.
local function sizes(properties, isInRow, wanted)
  if upTo(3) == 1 then properties.width = upTo(16) + 12 end
  if upTo(5) == 1 then properties.minWidth = upTo(10) end
  if upTo(6) == 1 then properties.maxWidth = upTo(10) + 12 end
  if upTo(6) == 1 then properties.margin = { 0, upTo(2) } end
  if isInRow and upTo(3) == 1 then properties.grow = upTo(3) end
  wanted = math.max(properties.width or wanted, properties.minWidth or 0)
  return math.min(wanted, math.max(properties.maxWidth or wanted, properties.minWidth or 0))
end

local function tree(depth, isInRow)
  if depth == 0 or upTo(4) == 1 then
    local make, properties, wanted = leaves[upTo(#leaves)]()
    return make, properties, sizes(properties, isInRow, wanted)
  end
  local kind = one("column", "row", "row", "box", "form", "grid", "scroll")
  local properties = { spacing = upTo(3) - 1 }
  if upTo(3) == 1 and kind ~= "form" then properties.padding = { 0, upTo(2) } end
  if kind == "grid" then properties.columns = { upTo(10) + 12, "*", "2*" } end
  for index = 1, kind == "row" and 2 or upTo(3) do
    local make, inner, wanted = tree(depth - 1, kind == "row")
    if kind == "form" and upTo(4) > 1 then inner.label = one("", "Name", "Address") end
    properties[index] = named(make, inner, wanted)
  end
  local wanted = sizes(properties, isInRow, 0)
  -- A narrow form has its fields below its labels, and a column of a grid does not give way.
  if kind == "form" or kind == "grid" then
    properties.width, properties.maxWidth, wanted = nil, nil, 40
  end
  -- As wide as its content in a terminal, which a page need not know.
  if kind == "scroll" and isInRow then properties.width, properties.grow, wanted = 30, nil, 30 end
  return view[kind], properties, wanted
end

local function plant(seed)
  random, made, natural = seed * 7919 % 65521 * 32749, {}, {}
  local make, properties, wanted = tree(3, false)
  properties.width, properties.minWidth, properties.maxWidth, properties.margin = nil, nil, nil, nil
  show(view.column { named(make, properties, 0) })
end

-- Shows the tree of a seed; gives how wide each view of the present tree is in a terminal of that
-- size, and nothing of one in which something has less room than it wants.
function follow(seed)
  local found = {}
  for _, id in ipairs(made) do
    local each = views[id]
    if each.bounds.width < natural[id] then
      found = {}
      break
    end
    found[#found + 1] = { id = id, class = each.class, width = each.bounds.width }
  end
  plant(seed)
  return { views = found }
end

plant(0)
