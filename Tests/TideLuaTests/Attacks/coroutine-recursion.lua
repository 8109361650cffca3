-- A coroutine that wraps itself.
-- expect: depth or error "C stack overflow"
local function deep() return coroutine.wrap(deep)() end
deep()
