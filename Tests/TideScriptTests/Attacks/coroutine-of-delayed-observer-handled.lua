-- An observer that a delayed binding sets off keeps its coroutine; a timer closes it.
-- expect: fine or error ""
DELAYED = { object { n = 0 }, object { n = 0 } }
local a, b = DELAYED[1], DELAYED[2]
bind("n -> n", a, b, { delay = 0.0005 })
local kept
observe(b, "n", function()
  local co = coroutine.running()
  if kept then
    pcall(coroutine.close, kept)
    pcall(coroutine.resume, kept, 1)
  end
  kept = co
  pcall(coroutine.close, co)
  return 1.5, {}, "x"
end)
every(0.001, function()
  if kept then
    pcall(coroutine.status, kept)
    pcall(coroutine.close, kept)
    pcall(coroutine.wrap, kept)
  end
  a.n = a.n + 1
end)
a.n = 1
