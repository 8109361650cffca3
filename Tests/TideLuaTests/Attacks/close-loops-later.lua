-- A coroutine that was stopped by the time is kept, and closed by the next entry.
-- expect: time or given up
STOPPED = STOPPED or {}
for i = 1, #STOPPED do pcall(coroutine.close, STOPPED[i]) end
local co = coroutine.create(function()
  local closing <close> = setmetatable({}, { __close = function() while true do end end })
  while true do end
end)
STOPPED[#STOPPED + 1] = co
coroutine.resume(co)
while true do pcall(coroutine.close, co) end
