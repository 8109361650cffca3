-- A hundred references to one long text, of each of which a copy would be made.
-- expect: fine or memory
local s, t = ("x"):rep(4000000), {}
for i = 1, 100 do t[i] = s end
local named = {}
for i = 1, 100 do named["k" .. i] = s end
local function each(make)
  local made = {}
  for i = 1, 100 do made[i] = make(i) end
  return made
end
local l = list { 1 }
for _, give in ipairs {
  function() spawn(print, table.unpack(t)) end,
  function() return list(t) end,
  function() l:set(t) end,
  function() l:insert(1, t) end,
  function() return dict(named) end,
  function() return object(named) end,
  function() return view.menu { items = t } end,
  function() return view.menu { items = each(function() return { title = s } end) } end,
  function()
    return view.menu { items = each(function() return { items = { { title = s } } } end) }
  end,
  function() return view.table { columns = each(function() return { title = s } end) } end,
  function()
    return view.table { columns = each(function(i) return { title = s, path = "p" .. i } end) }
  end,
  function() return controller.settings { name = "gathered", initialValues = { value = t } } end,
  function() return spawn(function() return table.unpack(t) end):await() end,
} do
  assert(not pcall(give))
end
assert(#l <= 1)
