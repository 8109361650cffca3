-- The same with a stack that is large already, and in coroutines.
-- expect: given up
local t = {}
setmetatable(t, { __call = t })
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 1 + t() end
while true do pcall(coroutine.wrap(deep), 30000) pcall(t) end
