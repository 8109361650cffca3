-- Values whose parts share parts: short to write down, and endless for who walks all ways.
-- expect: fine or time or memory or error ""
-- leaves: other views
local function shared(make, leaf)
  local value = make(leaf, leaf)
  for _ = 1, 45 do value = make(value, value) end
  return value
end
local function pair(a, b) return { a, b } end
local function both(a, b) return { a = a, b = b } end
local tables, named = shared(pair, 1), shared(both, 1)
local lists = shared(function(a, b) return list { a, b } end, 1)
local dicts = shared(function(a, b) return dict { a = a, b = b } end, 1)
local objects = shared(function(a, b) return object { children = list { a, b } } end, object {})
local number = 0
for _, value in ipairs { tables, named, lists, dicts, objects } do
  number = number + 1
  pcall(model, "shared" .. number, { value = value })
  pcall(model, "default" .. number, { value = property { default = value } })
  pcall(class, "Shared" .. number, { value = value })
  pcall(object, { value = value })
  pcall(list, { value })
  pcall(dict, { a = value })
  pcall(tostring, value)
  pcall(dump, value)
  pcall(controller.settings, { initialValues = { value = value } })
  pcall(function() return view.label { text = value } end)
  pcall(function() return view.menu { items = value } end)
  pcall(function() hot.data.shared = value end)
end
local roots = list { objects }
local tree = controller.tree { content = roots, childrenPath = "children" }
for _, ask in ipairs {
  function() tree:nodeOf(object {}) end,
  function() tree:setSelectedObjects { object {} } end,
  function() tree:setSelectedObjects { objects } end,
  function() tree:remove(objects) end,
  function()
    local rows = view.tree { items = tree }
    show(rows)
    rows:expand(1, true)
    rows:snapshot(20, 5)
  end,
} do
  pcall(ask)
end
