-- Tail calls take no stack, so only time ends them.
-- expect: time
local function again(...) return again(...) end
again(1, 2, 3)
