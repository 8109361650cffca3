-- Very many belongings of one kind that end in one call, and in turn with those of another context.
-- expect: fine
local o = object { n = 0 }
local v = view.button { title = "" }
local l = list {}
local task = spawn(function() sleep(1000) end)
local makers = {
  function() observe(o, "n", function() end, { prior = true }) end,
  function() observe(o, "n", function() end) end,
  function() notification.observe("posted", function() end) end,
  function() on(app, "willQuit", function() end) end,
  function() bind("n -> enabled", o, v) end,
  function() bind("n -> enabled", o, v, { trigger = trigger.notification("posted") }) end,
  function() l:observe(function() end) end,
  function() spawn(function() await(task) end) end,
}
for number, make in ipairs(makers) do
  local count = number == #makers and 500 or 2000
  for i = 1, count do
    context(i % 2 == 0 and "even" or "odd", { policy = "keep" }, make)
  end
  context.clear("even")
  context.clear("odd")
end
o.n = 1
