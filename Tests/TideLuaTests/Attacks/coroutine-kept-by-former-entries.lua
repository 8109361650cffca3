-- The coroutines of former entries are closed, resumed and wrapped, and values left in their place.
-- expect: fine
KEPT = KEPT or {}
for i = 1, #KEPT do
  local co = KEPT[i]
  pcall(coroutine.status, co)
  pcall(coroutine.resume, co, 1.5, {}, "x")
  pcall(coroutine.close, co)
  pcall(coroutine.wrap, co)
  pcall(coroutine.isyieldable, co)
end
KEPT[#KEPT + 1] = coroutine.running()
coroutine.wrap(function() KEPT[#KEPT + 1] = coroutine.running() end)()
collectgarbage()
return 1.5, 0x41414141, {}, "x", print, coroutine.running()
