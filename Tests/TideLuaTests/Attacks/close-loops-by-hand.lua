-- A stopped coroutine that is closed by hand, whose closing never ends.
-- expect: time or given up
local co = coroutine.create(function()
  local closing <close> = setmetatable({}, { __close = function() while true do end end })
  coroutine.yield()
end)
coroutine.resume(co)
while true do pcall(coroutine.close, co) end
