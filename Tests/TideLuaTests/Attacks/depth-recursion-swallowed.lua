-- The same, going on after each overflow.
-- expect: time or given up
local function deep() return 1 + deep() end
while true do pcall(deep) end
