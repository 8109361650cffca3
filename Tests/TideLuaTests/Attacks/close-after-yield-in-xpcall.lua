-- A coroutine that waits deep in an xpcall is closed; a closer lets its stack shrink and raises, so that another
-- value lies where the message handler was.
-- expect: fine or memory
local function deep(n)
  if n > 0 then local r = deep(n - 1) return r end
  xpcall(coroutine.yield, function() return "x" end)
end
local c = coroutine.create(function()
  local k <close> = setmetatable({}, { __close = function()
    for i = 1, 4 do collectgarbage() end
    local t = {}
    for i = 1, 3000 do t[i] = ("A"):rep(2000) .. i end
    error(134)
  end })
  deep(47500)
end)
coroutine.resume(c)
local isClosed, message = coroutine.close(c)
assert(not isClosed and message == 134)
