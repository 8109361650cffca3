-- Every kind of callback raises every kind of error.
-- expect: error "boom"
for _, value in ipairs { "boom", {}, 5, true, setmetatable({}, { __tostring = function() error("x") end }) } do
  local function fail() error(value) end
  local o = object { n = 0, v = computed(fail), w = property { default = 1, validate = fail } }
  pcall(function() return o.v end)
  pcall(function() o.w = 2 end)
  pcall(effect, fail)
  pcall(batch, fail)
  pcall(untracked, fail)
  pcall(context, "c", fail)
  pcall(function() class "C" { init = fail } {} end)
  pcall(function() class "D" { m = fail } {}:m() end)
  transformer("fail", fail)
  pcall(bind, "n -> n | fail", o, object { n = 0 })
  pcall(bind, object { n = 0 }, "n", fail)
  observe(o, "n", fail)
  observe(o, fail)
  pcall(function() o.n = 1 end)
  local l = list { 1, 2 }
  l:observe(fail)
  pcall(function() l:append(1) end)
  pcall(function() return #l:filter(fail) end)
  pcall(function() return #l:map(fail) end)
  pcall(function() return #l:sorted(fail) end)
  notification.observe("n", fail)
  pcall(notification.post, "n")
  after(0, fail)
  pcall(function() view.column { fail } end)
  pcall(function() view.label { text = fail } end)
end
