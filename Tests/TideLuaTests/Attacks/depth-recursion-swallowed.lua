-- The same, going on after each overflow.
-- expect: time
local function deep() return 1 + deep() end
while true do pcall(deep) end
