-- The same, going on after each failure.
-- expect: time
local function deep() return pcall(coroutine.wrap(deep)) end
while true do deep() end
