-- Errors go when their cause goes.

local function loop()
  return object {
    on = false, value = computed(function(self) return self.on and self.value or 1 end),
  }
end

case("a loop that only an observer follows is listed with its lines, and goes", function()
  local o = loop()
  local observation = observe(o, "value", function() end)
  observe(o, "value", function() end)
  o.on = true
  same(#errors(), 1)
  same(errors()[1].message:find("object.value %([^)]*:%d+%) %-> object.value") ~= nil, true)
  o.on = false
  same(#errors(), 0)
  o.on = true
  same(#errors(), 1)
end)

case("so it is for a trigger, for all properties, and where the observer ends", function()
  local o, a, b = loop(), object { n = 1 }, object { n = 1 }
  bind("n -> n", a, b, { trigger = trigger.change(o, "value") })
  o.on = true
  same(#errors(), 1)
  o.on = false
  same(#errors(), 0)
  local other = loop()
  local observation = observe(other, function() end)
  other.on = true
  same(#errors(), 1)
  observation:cancel()
  same(#errors(), 0)
end)

case("the errors of a view that is removed are not listed", function()
  for _, make in ipairs {
    function() return view.label { text = function() error "no" end } end,
    function() return view.column { function() error "no" end } end,
    function() return view.label { bindTo = { text = "nomodel.x" } } end,
    function() return view.table { items = list { { n = 1 } }, columns = function() error "no" end } end,
  } do
    local made = make()
    local column = view.column { made }
    show(column)
    advance(0)
    made:remove()
    same(#errors(), 0)
  end
end)

case("the errors of a timer, a resource or a context that has ended are not listed", function()
  context("c", function() resource(function() error "bad" end) end)
  advance(0.1)
  same(#errors(), 1)
  context.clear "c"
  same(#errors(), 0)
  local fetched = resource(function() error "bad" end)
  advance(0.1)
  same(#errors(), 1)
  fetched:cancel()
  same(#errors(), 0)
end)

case("a name that a view and a model share is listed with both meanings", function()
  controller.list { name = "items", content = list { "a", "b" } }
  -- `check` finds a path that is written out.
  view.list { bindTo = { items = ("items.%s"):format "arrangedObjects" } }
  same(#errors(), 1)
  same(errors()[1].message:find("is a property of list and also the name of", 1, true) ~= nil, true)
end)

case("edits of a list that are taken back in one step leave no step", function()
  local m = object { l = list { 1, 2, 3 } }
  local history = undo.manager { m }
  for _, edit in ipairs {
    function(l) l:append(9) l:remove(#l) end, function(l) l:move(1, 3) l:move(3, 1) end,
    function(l) local v = l[2] l:replace(2, 7) l:replace(2, v) end,
    function(l) local t = l:totable() l:clear() l:set(t) end,
  } do
    undo.group("step", function() edit(m.l) end)
    same(history.canUndo, false)
  end
  undo.group("step", function() m.l:append(4) end)
  same(history.canUndo, true)
end)

case("table.move grows a list, and JSON has one order of keys", function()
  local l = list { 1, 2, 3 }
  table.move(l, 1, 3, 3)
  same(joined(l), "1,2,1,2,3")
  same(json.encode(object {}), "{}")
  same(json.encode { b = 1, a = { d = 1, c = 2 } }, '{"a":{"c":2,"d":1},"b":1}')
end)
