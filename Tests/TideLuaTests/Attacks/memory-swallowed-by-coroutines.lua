-- Coroutines eat memory in turns, and each failure is swallowed.
-- expect: time or memory
local keep = {}
while true do
  local co = coroutine.create(function() while true do keep[#keep + 1] = { keep } end end)
  keep[#keep + 1] = co
  coroutine.resume(co)
end
